"""Weights of other types: taken where float32 holds every number, else refused by name."""
import unittest

import ffn
import numpy as np
from ffn import exact
from support import lessons, normal, weights_for

try:
    import torch
except ImportError:
    torch = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


def all_of(kind, unsigned):
    """Every number of 16 bits."""
    return np.arange(2**16, dtype=np.uint32).astype(unsigned).view(kind)


def same(a, b):
    """The same numbers; signs of zeros, too."""
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(
        np.signbit(a)[a == 0], np.signbit(b)[b == 0])


class Exact(unittest.TestCase):
    def refuses(self, kind, message, value):
        with self.assertRaisesRegex(kind, message):
            exact.float32("w", value)

    def test_float16(self):
        every = all_of(np.float16, np.uint16)
        found = exact.float32("w", every)
        self.assertEqual(found.dtype, np.float32)
        with np.errstate(invalid="ignore"):  # some are signalling NaNs
            self.assertTrue(same(found.astype(float), every.astype(float)))

    def test_float64(self):
        tiny = np.float32(1e-45)
        good = np.array([0.0, -0.0, 1.5, -2.0**-149, np.finfo(np.float32).max, np.inf, np.nan, tiny])
        self.assertTrue(same(exact.float32("w", good).astype(float), good))
        self.assertTrue(same(exact.float32("w", good.astype(">f8")).astype(float), good))
        self.assertTrue(same(exact.float32("w", good.astype(np.longdouble)).astype(float), good))
        self.assertEqual(exact.float32("w", [[1.0, 0.5]]).tolist(), [[1.0, 0.5]])
        for bad, told in ((0.1, "0.1"), (1e39, "1e.39"), (2.0**-150, "7"), (-1e-46, "-1e-46"),
                          (np.nextafter(1.5, 2), "1.5")):
            self.refuses(ValueError, f"^w: expected float32, .* given float64, of which 1 would "
                                     rf"change, {told}.* at \[1, 0\] to .*: astype",
                         np.array([[1.0, 2.0], [bad, 3.0]]))
        self.refuses(ValueError, r"^w: .* of which 1 would change, 0.1 to 0.1", np.array(0.1))

    def test_bytes_the_other_way_round(self):
        array = normal(3, 2)
        self.assertTrue(same(exact.float32("w", array.astype(">f4")), array))

    def test_others_are_refused(self):
        for bad, told in ((np.zeros(2, np.int8), "int8"), (np.zeros(2, bool), "bool"),
                          (np.zeros(2, np.complex64), "complex64"), (None, "object"),
                          (["1"], "str"), ([1, 2], "int64")):
            self.refuses(TypeError, f"^w: expected float32, or float16, bfloat16 or float64 that is "
                                    f"exact in it, given {told}", bad)

    def test_what_is_float32_is_not_copied(self):
        array = normal(3, 2)
        self.assertIs(exact.float32("w", array), array)

    @unittest.skipIf(ml_dtypes is None, "ml_dtypes is not installed")
    def test_bfloat16_of_numpy(self):
        every = all_of(ml_dtypes.bfloat16, np.uint16)
        self.assertTrue(same(exact.float32("w", every), every.astype(np.float32)))
        self.refuses(TypeError, "given float8_e4m3fn", np.zeros(2, ml_dtypes.float8_e4m3fn))

    def test_a_layer_names_what_it_refuses(self):
        layer = lessons()["linear_10_5"]
        own, x = weights_for(layer), normal(2, 10)
        half = {name: array.astype(np.float16) for name, array in own.items()}
        wide = {name: array.astype(np.float64) for name, array in half.items()}
        np.testing.assert_array_equal(layer.pack(half)(x), layer.pack(wide)(x))
        with self.assertRaisesRegex(ValueError, r"^fc.bias \(0.bias\): .* given float64, of which"):
            layer.pack({"fc.weight": own["0.weight"], "fc.bias": own["0.bias"].astype(float) / 3})
        with self.assertRaisesRegex(ValueError, r"^bias \(0.bias\): expected shape \(5,\), given"):
            layer.pack({"weight": own["0.weight"], "bias": normal(4)})


class Stored(unittest.TestCase):
    """Layers whose weights are stored in two bytes take the bits of such numbers."""

    def setUp(self):
        layers = ffn.load("linear 'half' { d_model = 10, d_out = 5, weights = 'f16' }\n"
                          "linear 'brain' { d_model = 10, d_out = 5, weights = 'bf16' }\n")
        self.half, self.brain = layers["half"], layers["brain"]
        self.weight = normal(5, 10)

    def packs(self, layer, weight, rounded, **options):
        packed = layer.pack({"0.weight": weight}, **options).packed
        np.testing.assert_array_equal(packed, rounded.packed)

    def test_float16(self):
        rounded = self.half.pack({"0.weight": self.weight})
        own = self.weight.astype(np.float16)
        np.testing.assert_array_equal(rounded.unpack()["0.weight"], own)
        self.packs(self.half, own, rounded)
        self.packs(self.half, own.astype(">f2"), rounded)
        self.packs(self.half, own.astype(np.float64), rounded)
        self.packs(self.half, np.ascontiguousarray(own.T), rounded, order="in-out")
        x = normal(3, 10)
        y, bound = rounded.reference(x)
        self.assertTrue((np.abs(rounded(x) - y) <= bound).all())

    def test_bits_of_bfloat16(self):
        rounded = self.brain.pack({"0.weight": self.weight})
        bits = (rounded.unpack()["0.weight"].view(np.uint32) >> 16).astype(np.uint16)
        self.packs(self.brain, bits, rounded)
        self.packs(self.brain, bits.astype(">u2"), rounded)
        # A signalling NaN, which rounding would change.
        own = self.brain._kernel.tensors[0][0].stored
        self.assertEqual(exact.stored("w", np.uint16([0x7f81]), own).tolist(), [0x7f81])
        if ml_dtypes is not None:
            self.packs(self.brain, bits.view(ml_dtypes.bfloat16), rounded)
        if torch is not None:
            held = torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
            self.packs(self.brain, held, rounded)

    def test_others_are_refused(self):
        for layer, bad, told in ((self.half, np.zeros((5, 10), np.uint16), "uint16"),
                                 (self.brain, np.zeros((5, 10), np.int16), "int16")):
            with self.assertRaisesRegex(TypeError, f"^0.weight: expected float32, .*given {told}"):
                layer.pack({"0.weight": bad})
        with self.assertRaisesRegex(ValueError, "^0.weight: .* given float64, of which"):
            self.brain.pack({"0.weight": self.weight.astype(np.float64) / 3})

    def test_bytes_of_bfloat16(self):
        """As readers of GGUF files have them, by any name."""
        rounded = self.brain.pack({"0.weight": self.weight})
        bits = rounded.unpack(own=True)["0.weight"]
        for name in ("0.weight", "fc1.weight"):
            for given in (bits.view(np.uint8), torch and torch.from_numpy(bits.view(np.uint8))):
                with self.assertRaisesRegex(TypeError, f"^{name}.* or its bits as uint16, given "
                                                       r"uint8: view\(numpy.uint16\) has"):
                    self.brain.pack({name: bits.view(np.uint8) if given is None else given})
        self.packs(self.brain, bits.view(np.uint8).view(np.uint16), rounded)
        for given, told in ((bits, r"uint16 .*\(bits.astype\(numpy.uint32\) << 16\).view"),
                            (bits.view(np.uint8), r"uint8 .*: where .* view\(numpy.uint16")):
            with self.assertRaisesRegex(TypeError, f"^w: expected float32, .* given {told}"):
                exact.float32("w", given)
        wide = (bits.astype(np.uint32) << 16).view(np.float32)
        np.testing.assert_array_equal(wide, rounded.unpack()["0.weight"])


@unittest.skipIf(torch is None, "torch is not installed")
class Tensors(unittest.TestCase):
    def refuses(self, message, value):
        with self.assertRaisesRegex(TypeError, message):
            exact.float32("w", value)

    def test_parameters_and_types(self):
        parameter = torch.nn.Parameter(torch.randn(3, 2))
        found = exact.float32("w", parameter)
        self.assertEqual(found.ctypes.data, parameter.data_ptr())  # no copy
        every = torch.arange(-2**15, 2**15, dtype=torch.int32).to(torch.int16)
        for kind in (torch.float16, torch.bfloat16):
            held = every.view(kind)
            self.assertTrue(same(exact.float32("w", held), held.float().numpy()))
        self.assertTrue(same(exact.float32("w", parameter.double()), found))
        with self.assertRaisesRegex(ValueError, "^w: expected float32, .* 0.1 at .1. to 0.1"):
            exact.float32("w", torch.tensor([1, 0.1], dtype=torch.float64))
        turned = torch.randn(2, 3).T
        self.assertTrue(same(exact.float32("w", turned), turned.numpy()))
        # Views whose signs torch has not yet turned.
        negated = torch.imag(torch.conj(torch.tensor([1 + 2j])))
        self.assertEqual(exact.float32("w", negated).tolist(), [-2.0])

    def test_tensors_that_are_refused(self):
        self.refuses("^w: expected a tensor on the CPU, given one on meta: cpu",
                     torch.empty(2, device="meta"))
        self.refuses("^w: expected a dense tensor, given a torch.sparse_coo: to_dense",
                     torch.zeros(2, 2).to_sparse())
        self.refuses("^w: .*, given torch.int64", torch.zeros(2, dtype=torch.int64))
        if hasattr(torch, "float8_e4m3fn"):  # since torch 2.1
            self.refuses("^w: .*, given torch.float8_e4m3fn",
                         torch.zeros(2).to(torch.float8_e4m3fn))

    def test_state_dicts(self):
        layers, nn = lessons(), torch.nn
        linear = nn.Linear(10, 5)
        x = torch.randn(4, 10)
        y = layers["linear_10_5"].pack(linear.state_dict())(x)
        self.assertTrue(torch.allclose(y, linear(x), atol=1e-5))
        y = layers["linear_10_5"].pack(dict(linear.named_parameters()))(x)
        self.assertTrue(torch.allclose(y, linear(x), atol=1e-5))
        net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(),
                            nn.Linear(32, 1), nn.Sigmoid())
        layer = layers["mlp_10_64_32_1"]
        self.assertTrue(torch.allclose(layer.pack(net.state_dict())(x), net(x), atol=1e-5))
        half = net.bfloat16()
        y = layer.pack(half.state_dict())(x)
        self.assertTrue(torch.allclose(y, half.float()(x), atol=1e-5))
        normed = nn.Sequential(nn.Linear(10, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32),
                               nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
        with self.assertRaisesRegex(ValueError, 'it has "1.bias", "1.running_mean", .*"1" stands '
                                                'between "0" and "3"'):
            layer.pack(normed.state_dict())
        with self.assertRaisesRegex(TypeError, "given Sequential: its state_dict.. is one"):
            layer.pack(net)


if __name__ == "__main__":
    unittest.main()
