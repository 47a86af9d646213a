"""Arrays in and out: shapes, strides, nothing copied, and what is said to a mistake."""
import re
import tempfile
import tracemalloc
import unittest
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from support import at_odd_address, lessons, normal, weights_for

try:
    import torch
except ImportError:
    torch = None


class Tensor:
    """As much of a tensor on the CPU as a Layer asks for."""

    def __init__(self, array):
        self.array = array

    def numpy(self):
        return self.array

    def data_ptr(self):
        return self.array.ctypes.data

    def new_empty(self, shape):
        return Tensor(np.empty(shape, np.float32))


class Elsewhere(Tensor):
    """A tensor that NumPy cannot see: of another device or type, or one that wants a gradient."""

    def numpy(self):
        raise RuntimeError("call detach() first")


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        layer = lessons()["linear_10_5"]
        cls.weights = weights_for(layer)
        cls.layer = layer.pack(cls.weights)

    def wrong(self, kind, message, *args, **kwargs):
        with self.assertRaisesRegex(kind, message):
            self.layer(*args, **kwargs)

    def test_any_leading_shape(self):
        x = normal(2, 3, 4, 10)
        y = self.layer(x)
        self.assertEqual(y.shape, (2, 3, 4, 5))
        np.testing.assert_array_equal(y[1, 2, 3], self.layer(x[1, 2, 3]))
        self.assertEqual(self.layer(x[0, 0, 0]).shape, (5,))
        self.assertEqual(self.layer(x[:0]).shape, (0, 3, 4, 5))

    def test_out_is_the_same_memory(self):
        x, y = normal(6, 10), np.full((6, 5), 7, np.float32)
        address = y.ctypes.data
        self.assertIs(self.layer(x, out=y), y)
        self.assertEqual(y.ctypes.data, address)
        np.testing.assert_array_equal(y, self.layer(x))

    def test_adding_to_what_is_there(self):
        x, y = normal(6, 10), normal(6, 5)
        for scale in (1.0, -2.0):  # the product is exact, so the sum rounds once
            expected = y + np.float32(scale) * self.layer(x)
            self.assertIs(self.layer.add(x, y, scale), y)
            np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(self.layer.add(x, y.copy()), y + self.layer(x))
        with self.assertRaisesRegex(ValueError, "^out: expected shape"):
            self.layer.add(x, y[1:])

    def test_rows_at_a_distance(self):
        wide, target = normal(12, 30), np.full((12, 30), 7, np.float32)
        x, y = wide[::2, 3:13], target[::2, 20:25]
        self.layer(x, out=y)
        np.testing.assert_array_equal(y, self.layer(np.ascontiguousarray(x)))
        untouched = np.ones(target.shape, bool)
        untouched[::2, 20:25] = False
        self.assertTrue((target[untouched] == 7).all())
        # x and out may share rows of one array, but no float.
        both = np.concatenate([x, x[:, :5]], axis=1)
        np.testing.assert_array_equal(self.layer(both[:, :10], out=both[:, 10:]), y)

    def test_nothing_is_copied(self):
        x, y = np.zeros((100000, 30), np.float32), np.empty((100000, 10), np.float32)
        self.layer(x[:2, :10], out=y[:2, :5])  # work memory stays with the layer
        tracemalloc.start()
        try:
            self.layer(x[:, :10], out=y[:, :5])
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        self.assertLess(peak, 100000)

    def test_wrong_types(self):
        x, y = normal(2, 10), np.empty((2, 5), np.float32)
        self.wrong(TypeError, r"^x: expected float32, given float64 \(<f8\)$", x.astype(float))
        self.wrong(TypeError, r"^x: .* given float32 \(>f4\)$", x.astype(">f4"))
        self.wrong(TypeError, "^x: expected float32, given float16", x.astype(np.float16))
        self.wrong(TypeError, "^x: expected float32, given object", None)
        self.wrong(TypeError, "^x: expected float32, given what NumPy does not take: ",
                   [[1], [2, 3]])
        for bad in (Elsewhere(x), [Elsewhere(x)]):
            self.wrong(TypeError, "^x: expected float32, given ", bad)
            with self.assertRaisesRegex(TypeError, "^x: expected float32, given "):
                self.layer.reference(bad)
        self.wrong(TypeError, "^x: .* not take: call detach.. first$", Elsewhere(x))
        self.wrong(TypeError, "^out: .* not take: call detach.. first$", x, out=Elsewhere(y))
        with self.assertRaisesRegex(TypeError, "^0.bias: expected float32, given what NumPy does"):
            self.layer.pack({**self.weights, "0.bias": [[1], [2, 3]]})
        self.wrong(TypeError, "^out: expected an array, given list$", x, out=y.tolist())
        self.wrong(TypeError, "^out: expected float32, given float64", x, out=y.astype(float))

    def test_wrong_shapes(self):
        x, y = normal(2, 10), np.empty((2, 5), np.float32)
        self.wrong(ValueError, r"^x: expected shape \(..., 10\), given \(2, 9\)$", x[:, 1:])
        self.wrong(ValueError, r"^x: expected shape \(..., 10\), given \(\)$", np.float32(1))
        self.wrong(ValueError, r"^out: expected shape \(2, 5\), given \(1, 5\)$", x, out=y[1:])
        self.wrong(ValueError, r"^out: expected shape \(2, 5\), given \(2, 4\)$", x, out=y[:, 1:])

    def test_wrong_memory(self):
        x, y = normal(4, 10), np.empty((4, 5), np.float32)
        rows = r"^x: expected rows of contiguous floats at one distance, given strides .*; numpy"
        for bad in (x[::-1], normal(10, 4).T, normal(4, 20)[:, ::2], normal(4, 4, 20)[:, :3, :10],
                    sliding_window_view(normal(3, 20), 10, 1),
                    sliding_window_view(normal(13), 10)[::-1]):
            self.wrong(ValueError, rows, bad)
        for bad in (y[::-1], as_strided(y, y.shape, (4, 4)), as_strided(y, y.shape, (0, 4))):
            self.wrong(ValueError, r"^out: expected rows .*; numpy.empty\(\) makes", x, out=bad)
        both = normal(80)
        self.wrong(ValueError, "^out: expected memory of its own, given memory of x$",
                   both[:40].reshape(4, 10), out=both[39:59].reshape(4, 5))
        y.flags.writeable = False
        self.wrong(ValueError, "^out: expected a writable array, given a read-only one$", x, out=y)

    def test_packed_weights_are_not_written_over(self):
        memory = np.zeros(len(self.layer.packed) + 64, np.uint8)
        own = memory[-memory.ctypes.data % 64:][:len(self.layer.packed)]
        own[:] = self.layer.packed
        layer, x = self.layer.use_packed(own), normal(2, 10)
        inside = own[64:64 + 40].view(np.float32).reshape(2, 5)
        for call in (lambda: layer(x, out=inside), lambda: layer.add(x, inside)):
            with self.assertRaisesRegex(ValueError, "^out: expected memory of its own, given "
                                                    "memory of the packed weights$"):
                call()
        np.testing.assert_array_equal(layer(x), self.layer(x))

    def test_rows_that_overlap(self):
        """x is read alone: windows of a signal, and one row for all."""
        signal = normal(300)
        windows = sliding_window_view(signal, 10)
        for x in (windows, windows[::3], windows[:240].reshape(24, 10, 10), windows[::12],
                  np.broadcast_to(signal[:10], (70, 10)), np.broadcast_to(signal[:10], (2, 3, 10))):
            apart, y = np.array(x, order="C"), normal(*x.shape[:-1], 5)
            expected, sums = self.layer(apart), y.copy()
            np.testing.assert_array_equal(self.layer(x), expected)
            np.testing.assert_array_equal(self.layer.add(x, y), self.layer.add(apart, sums))
            np.testing.assert_array_equal(self.layer.reference(x), self.layer.reference(apart))
        wide, x = lessons(3)["notebook_swiglu"], sliding_window_view(normal(700), 512)
        wide = wide.pack(weights_for(wide))
        for tokens in (1, 7, 189):
            np.testing.assert_array_equal(wide(x[:tokens]), wide(np.array(x[:tokens], order="C")))

    def test_floats_at_odd_addresses(self):
        """What is advised helps."""
        x, y = at_odd_address(normal(4, 10)), at_odd_address(np.empty((4, 5), np.float32))
        self.assertIs(np.ascontiguousarray(x), x)  # which does not
        odd = "expected floats at multiples of 4 bytes, given address 0x[0-9a-f]+ and strides .*; "
        self.wrong(ValueError, rf"^x: {odd}numpy.array\(x\) has them there$", x)
        self.wrong(ValueError, rf"^out: {odd}numpy.empty\(\) makes them there$", x.copy(), out=y)
        self.layer(np.array(x), out=np.empty(y.shape, y.dtype))
        records = np.zeros(4, [("flag", np.uint8), ("x", np.float32, 10)])["x"]
        for bad in (x, at_odd_address(normal(8, 10))[::2], records, normal(10, 4).T,
                    normal(4, 20)[:, ::2], x[::-1]):
            with self.assertRaisesRegex(ValueError, r"numpy\.\w+\(x\) has") as caught:
                self.layer(bad)
            advice = re.search(r"numpy\.(\w+)\(x\)", str(caught.exception))[1]
            self.layer(getattr(np, advice)(bad))
        weights = {name: at_odd_address(array) for name, array in self.weights.items()}
        layer = lessons()["linear_10_5"].pack(weights)  # are copied
        self.assertTrue(layer._kernel.given(weights)[0]["0.bias"].flags.aligned)
        np.testing.assert_array_equal(layer(x.copy()), self.layer(x.copy()))

    def test_masks_are_not_lost(self):
        x, y = np.ma.masked_less(normal(2, 10), 0), np.ma.zeros((2, 5), np.float32)
        mask = r"expected an array without a mask, given a masked one: {0}.filled\(0\) puts"
        self.wrong(TypeError, "^x: " + mask.format("x"), x)
        self.wrong(TypeError, "^out: " + mask.format("out"), x.filled(0), out=y)
        with self.assertRaisesRegex(TypeError, "^x: " + mask.format("x")):
            self.layer.reference(x)
        with self.assertRaisesRegex(TypeError, "^0.bias: " + mask.format("0.bias")):
            self.layer.pack({**self.weights, "0.bias": np.ma.array(self.weights["0.bias"])})
        with self.assertRaisesRegex(TypeError, "^x: " + mask.format("x")):
            self.layer([x[0], x[1]])
        with self.assertRaisesRegex(TypeError, "^packed: " + mask.format("packed")):
            self.layer.use_packed(np.ma.array(self.layer.packed))

    def test_wrong_weights(self):
        layer, good = lessons()["linear_10_5"], self.weights
        missing = ('^weights of linear_10_5: there is no tensor for 0.bias: "0.bias" is missing; '
                   'is it a layer')
        with self.assertRaisesRegex(ValueError, missing):
            layer.pack({"0.weight": good["0.weight"], "b": good["0.bias"]})
        with self.assertRaisesRegex(ValueError, r"0.weight: expected shape \(5, 10\), given \(10"):
            layer.pack({**good, "0.weight": good["0.weight"].T})
        with self.assertRaisesRegex(TypeError, "0.bias: expected float32, .*, given int64"):
            layer.pack({**good, "0.bias": good["0.bias"].astype(int)})
        for bad, given in ((None, "NoneType"), (list(good), "list")):
            with self.assertRaisesRegex(TypeError, "^weights of linear_10_5: expected a dict of "
                                                   f"arrays by name, given {given}$"):
                layer.pack(bad)
        x = normal(3, 10)
        stored = {"model": good, "epoch": 3, "best": np.float32(0.5), "names": {"a": "b"},
                  "optimizer": {"state": {0: good}, "param_groups": [{"lr": 0.1}]}}
        for key in ("model", "state_dict", "module"):
            checkpoint = {key: good, **{k: v for k, v in stored.items() if k != "model"}}
            np.testing.assert_array_equal(layer.pack(checkpoint)(x), self.layer(x))
        with self.assertRaisesRegex(ValueError, "^weights of linear_10_5: expected one dict of "
                                                "arrays, given several: give one of 'model', "
                                                "'ema'$"):
            layer.pack({**stored, "ema": good})
        np.testing.assert_array_equal(layer.pack({**good, "old": good}, leave="old")(x),
                                      self.layer(x))
        turned = np.asfortranarray(good["0.weight"])
        np.testing.assert_array_equal(layer.pack({**good, "0.weight": turned})(x), self.layer(x))

    def test_packed_weights_in_a_file(self):
        x, layer = normal(3, 10), lessons()["linear_10_5"]
        self.assertFalse(self.layer.packed.flags.writeable)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "packed.npy"
            np.save(path, self.layer.packed)
            mapped = layer.use_packed(np.load(path, mmap_mode="r"))
            np.testing.assert_array_equal(mapped(x), self.layer(x))
        packed = np.array(self.layer.packed)
        for bad, kind, message in (
                (packed[:-1], ValueError, r"expected shape \(\d+,\), contiguous, given"),
                (packed.view(np.int8), TypeError, "expected an array of uint8"),
                (bytes(packed), TypeError, "expected an array of uint8")):
            with self.assertRaisesRegex(kind, f"^packed: {message}"):
                layer.use_packed(bad)
        memory = np.zeros(len(packed) + 128, np.uint8)
        at = -memory.ctypes.data % 64
        with self.assertRaisesRegex(ValueError, "^packed: not made by pack.. of a layer like lin"):
            layer.use_packed(memory[at:at + len(packed)])
        with self.assertRaisesRegex(ValueError, "^packed: expected memory aligned to 64 bytes$"):
            layer.use_packed(memory[at + 1:at + 1 + len(packed)])

    def test_anything_with_tensors_interface(self):
        x = normal(3, 10)
        y = self.layer(Tensor(x))
        self.assertIsInstance(y, Tensor)
        np.testing.assert_array_equal(y.array, self.layer(x))
        out = Tensor(np.empty((3, 5), np.float32))
        self.assertIs(self.layer(x, out=out), out)
        np.testing.assert_array_equal(out.array, y.array)

    @unittest.skipIf(torch is None, "no torch")
    def test_torch(self):
        x = torch.from_numpy(normal(2, 3, 10))
        w = {name: torch.from_numpy(array) for name, array in self.weights.items()}
        layer = lessons()["linear_10_5"].pack(w)
        y = layer(x)
        self.assertIsInstance(y, torch.Tensor)
        wanted = torch.nn.functional.linear(x, w["0.weight"], w["0.bias"])
        self.assertTrue(torch.allclose(y, wanted, atol=1e-5))
        out = torch.empty(2, 3, 5)
        address = out.data_ptr()
        self.assertIs(layer(x, out=out), out)
        self.assertEqual(out.data_ptr(), address)
        self.assertTrue(torch.equal(out, y))
        with self.assertRaisesRegex(TypeError, r"^x: .*detach\(\)"):  # as torch says
            layer(x.clone().requires_grad_())
        with self.assertRaisesRegex(TypeError, "^x: expected float32, .*BFloat16"):
            layer(x.bfloat16())
        with self.assertRaisesRegex(TypeError, "expected float32, given float64"):
            layer(x.double())


if __name__ == "__main__":
    unittest.main()
