"""Numbers whose scales and zeros lie beside them: packed as given, unpacked, refused by name."""
import copy
import pickle
import unittest

import ffn
import numpy as np
from support import normal

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
try:
    import torch
except ImportError:
    torch = None

# name: outputs, inputs, inputs of a scale (0: all), bits
SIZES = {"i8": (5, 64, 0, 8), "i8z": (5, 64, 0, 8), "f8_e4m3": (130, 136, 128, 8),
         "f8_e4m3_row": (5, 64, 0, 8), **{
             f"u4g{group}{scale}": (5, 256, group, 4)
             for group in (32, 64, 128) for scale in ("", "_bf16", "_f32")}}
SPEC = "local build = { { isa = { 'c' } } }\n" + "".join(
    f"linear '{name}' {{ d_model = {inputs}, d_out = {outputs}, weights = '{name}', "
    f"build = build }}\n" for name, (outputs, inputs, _, _) in SIZES.items()) + """
ffn 'gated' { variant = 'swiglu', d_model = 64, d_ff = 128, bias = true, build = build,
  weights = { gate = 'u4g32', up = 'u4g32', down = 'f16' } }
"""


def integers(of, *shape, seed=1):
    """Any of an integer type."""
    info = np.iinfo(of)
    return np.random.default_rng(seed).integers(info.min, info.max + 1, shape).astype(of)


def widened(bits):
    """bf16 of its bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def e4m3(byte):
    """What a float of 8 bits means: a sign, 4 bits of the exponent, 3 of the size; without
    infinities."""
    exponent, size = (byte >> 3 & 15).astype(int), (byte & 7).astype(int)
    value = np.where(exponent == 0, size * 2.0 ** -9, (8 + size) * 2.0 ** (exponent - 10.0))
    value = np.where(byte & 127 == 127, np.nan, value)
    return np.where(byte & 128, -value, value)


def scales_of(name, rows, count):
    positive = np.random.default_rng(4).uniform(0.001, 2, (rows, count)).astype(np.float32)
    if name.startswith("u4") and name.endswith("_bf16"):
        return (positive.view(np.uint32) >> 16).astype(np.uint16)
    return positive.astype(np.float16) if name[-2:] in ("32", "64", "28") and "_" not in name \
        else positive


def given_of(name, rows=None):
    """Numbers of a format with what lies beside them; rows: of scales, fewer than outputs."""
    outputs, inputs, every, bits = SIZES[name]
    count = -(-inputs // every) if every else 1
    rows = rows or outputs
    given = {"0.weight": integers(np.int8 if name[0] == "i" else np.uint8, outputs,
                                  inputs * bits // 8),
             "0.scales": scales_of(name, rows, count)}
    if name == "i8z":
        given["0.zeros"] = integers(np.int8, rows, count, seed=2)
    elif name[0] == "u":
        given["0.zeros"] = integers(np.uint8, rows, count, seed=2) % 16
    return given


def every_output(name, array, share):
    """Scales or zeros of each weight, of which `share` outputs have one."""
    outputs, inputs, every, _ = SIZES[name]
    return np.repeat(np.repeat(array, share, 0)[:outputs], every or inputs, 1)[:, :inputs]


def meant(name, given, share=1):
    """The values by the definitions of formats, rounded once."""
    q = given["0.weight"]
    if name[0] == "u":
        q = np.stack([q & 15, q >> 4], -1).reshape(len(q), -1)
    q = e4m3(q) if name[0] == "f" else q.astype(float)
    none = np.full_like(given["0.scales"], 8 if name[0] == "u" else 0, dtype=float)
    scales = given["0.scales"]
    scales = widened(scales) if scales.dtype == np.uint16 else scales
    zeros = every_output(name, given.get("0.zeros", none).astype(float), share)
    return (every_output(name, scales.astype(float), share) * (q - zeros)).astype(np.float32)


class Beside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC)

    def same(self, layer, given, other):
        """Packed bytes."""
        one, two = (self.layers[layer].pack(weights).packed for weights in (given, other))
        np.testing.assert_array_equal(one, two)

    def test_values(self):
        for name in SIZES:
            given = given_of(name)
            for held in (given, {k: v for k, v in given.items() if k != "0.zeros"}):
                with self.subTest(name, zeros=len(held) == 3):
                    layer = self.layers[name].pack(held)
                    np.testing.assert_array_equal(layer.unpack()["0.weight"], meant(name, held))

    def test_the_way_back(self):
        for name in SIZES:
            with self.subTest(name):
                given = given_of(name)
                layer = self.layers[name].pack(given)
                back = layer.unpack(own=True)
                self.assertEqual(list(back), list(given))
                for key, array in given.items():
                    self.assertEqual((back[key].dtype, back[key].shape), (array.dtype, array.shape))
                    np.testing.assert_array_equal(back[key], array)
                self.same(name, given, back)
        # Without zeros they are what numbers mean that have none.
        for name, zero in (("u4g64", 8), ("i8z", 0)):
            given = given_of(name)
            del given["0.zeros"]
            self.assertTrue((self.layers[name].pack(given).unpack(own=True)["0.zeros"] == zero)
                            .all())

    def test_as_of_floats(self):
        """What C makes of floats is what it makes of the numbers that it made."""
        for name in SIZES:
            layer = self.layers[name]
            quantised = layer.pack({"0.weight": normal(*layer.shapes["0.weight"])})
            own, x = quantised.unpack(own=True), normal(3, layer.inputs)
            again = layer.pack(own)
            for key, array in again.unpack(own=True).items():
                np.testing.assert_array_equal(array, own[key])
            np.testing.assert_array_equal(again(x), quantised(x))

    def test_computes(self):
        for name in ("i8z", "u4g32", "u4g128_f32"):
            given = given_of(name)
            layer, x = self.layers[name].pack(given), normal(3, SIZES[name][1])
            y, bound = layer.reference(x)
            self.assertTrue((np.abs(layer(x) - y) <= bound).all(), name)
            exact = x.astype(float) @ meant(name, given).astype(float).T
            self.assertLess(np.abs(y - exact).max(), 1e-9 * np.abs(exact).max() + 1e-9)

    def test_scales_that_outputs_share(self):
        for name in ("i8z", "f8_e4m3_row"):
            given = given_of(name, rows=1)
            each = {key: np.repeat(array, 5, 0) if len(array) == 1 else array
                    for key, array in given.items()}
            self.same(name, given, each)
            beside = [key for key in given if key != "0.weight"]
            for shape in ((1,), ()):
                self.same(name, {**given, **{k: given[k].reshape(shape) for k in beside}}, each)
            self.same(name, {**each, **{k: each[k].reshape(-1) for k in beside}}, each)
        given = given_of("u4g32", rows=1)
        self.same("u4g32", given, {key: np.repeat(array, 5, 0) if len(array) == 1 else array
                                   for key, array in given.items()})
        for rows, share in ((2, 128), (1, 130), (130, 1)):  # 128 x 128, the last ones fewer
            given = given_of("f8_e4m3", rows=rows)
            layer = self.layers["f8_e4m3"].pack(given)
            np.testing.assert_array_equal(layer.unpack()["0.weight"],
                                          meant("f8_e4m3", given, share))

    def test_scales_that_widen(self):
        for name in ("i8", "u4g64_f32", "f8_e4m3"):
            given = given_of(name)
            half = given["0.scales"].astype(np.float16)
            self.same(name, {**given, "0.scales": half},
                      {**given, "0.scales": half.astype(np.float32)})

    def test_memory(self):
        """Views, and the other byte order."""
        for name in ("u4g32", "i8z"):
            given = given_of(name)
            self.same(name, given, {key: np.asfortranarray(array) for key, array in given.items()})
            self.same(name, given, {key: np.repeat(array, 2, 1)[:, ::2]
                                    for key, array in given.items()})
            self.same(name, given, {key: array.astype(array.dtype.newbyteorder())
                                    for key, array in given.items()})

    def test_names(self):
        layer = self.layers["gated"]
        given, other = {}, {}
        for i, (role, proj) in enumerate((("gate", "gate_proj"), ("up", "up_proj"))):
            for part, array in (("weight", integers(np.uint8, 128, 32, seed=i)),
                                ("scales", np.full((128, 2), 0.01 * (i + 1), np.float16)),
                                ("zeros", integers(np.uint8, 128, 2, seed=8 + i) % 16),
                                ("bias", normal(128, seed=20 + i))):
                given[f"{role}.{part}"] = other[f"layers.0.mlp.{proj}.{part}"] = array
        for part, array in (("weight", normal(64, 128).astype(np.float16)), ("bias", normal(64))):
            given[f"down.{part}"] = other[f"layers.0.mlp.down_proj.{part}"] = array
        packed = layer.pack(given)
        self.same("gated", given, other)
        self.same("gated", given, packed.unpack(own=True))
        # Those of another layer are another layer's.
        for part in ("weight", "scales", "zeros"):
            other[f"layers.1.mlp.up_proj.{part}"] = given[f"up.{part}"]
        np.testing.assert_array_equal(packed.packed,
                                      layer.pack(other, prefix="layers.0.mlp").packed)
        y, bound = packed.reference(normal(3, 64))
        self.assertTrue((np.abs(packed(normal(3, 64)) - y) <= bound).all())
        with self.assertRaisesRegex(ValueError, "^down.scales: down.weight is stored as f16, which "
                                                "has none$"):
            layer.pack({**given, "down.scales": np.ones((64, 1), np.float32)})
        with self.assertRaisesRegex(ValueError, "^layers.0.mlp.up_proj.zeros: expected shape "
                                                r"\(128, 2\), given \(128, 1\)$"):
            layer.pack({**other, "layers.0.mlp.up_proj.zeros": np.zeros((128, 1), np.uint8)},
                       prefix="layers.0.mlp")

    def test_copies(self):
        layer, x = self.layers["u4g64"].pack(given_of("u4g64")), normal(3, 256)
        for made in (copy.copy(layer), copy.deepcopy(layer), pickle.loads(pickle.dumps(layer)),
                     self.layers["u4g64"].use_packed(layer.packed)):
            np.testing.assert_array_equal(made(x), layer(x))
            back = made.unpack(own=True)
            np.testing.assert_array_equal(back["0.scales"], given_of("u4g64")["0.scales"])

    def refuses(self, layer, kind, message, **parts):
        """Of numbers in which some parts are others, or, None, are not there."""
        given = {**given_of(layer), **{"0." + part: array for part, array in parts.items()}}
        with self.assertRaisesRegex(kind, message):
            self.layers[layer].pack({k: v for k, v in given.items() if v is not None})

    def test_types_refused(self):
        self.refuses("u4g32", TypeError, "^0.scales: expected float16, the scales of u4g32, given "
                     "float32$", scales=np.ones((5, 8), np.float32))
        self.refuses("u4g32", TypeError, "^0.scales: expected float16, .* given list$",
                     scales=[[1.0]])
        self.refuses("u4g32_bf16", TypeError, "^0.scales: expected bfloat16 or uint16, the scales "
                     "of u4g32_bf16, given float16$", scales=np.ones((5, 8), np.float16))
        self.refuses("i8", TypeError, "^0.scales: expected float32, or float16, bfloat16 or "
                     "float64 that is exact in it, given uint16",
                     scales=np.ones((5, 1), np.uint16))
        self.refuses("i8", ValueError, "^0.scales: expected float32, .* 0.1 at",
                     scales=np.full((5, 1), 0.1))
        self.refuses("i8", TypeError, "^0.weight: expected float32, which is quantised, or int8, "
                     "the numbers of i8, given uint8$", weight=np.zeros((5, 64), np.uint8))
        self.refuses("f8_e4m3_row", TypeError, "^0.weight: .* or float8_e4m3fn or uint8, the "
                     "numbers of f8_e4m3_row, given int8$", weight=np.zeros((5, 64), np.int8))
        self.refuses("u4g32", TypeError, "^0.weight: .* or uint8, the numbers of u4g32, given "
                     "int64$", weight=[[1, 2], [3, 4]])
        self.refuses("u4g32", TypeError, "^0.zeros: expected uint8, the zeros of u4g32, given "
                     "int8$", zeros=np.zeros((5, 8), np.int8))
        self.refuses("i8z", TypeError, "^0.zeros: expected int8, the zeros of i8z, given uint8$",
                     zeros=np.zeros((5, 1), np.uint8))
        self.refuses("i8z", TypeError, "^0.zeros: expected an array without a mask",
                     zeros=np.ma.zeros((5, 1), np.int8))

    def test_shapes_refused(self):
        self.refuses("u4g32", ValueError, r"^0.weight: expected shape \(5, 128\) of uint8, u4g32 "
                     r"for 256 inputs, given \(5, 256\)$", weight=np.zeros((5, 256), np.uint8))
        self.refuses("i8", ValueError, r"^0.weight: expected shape \(5, 64\) of int8, i8 for 64 "
                     r"inputs, given \(64, 5\)$", weight=np.zeros((64, 5), np.int8))
        for wrong in ((5, 7), (8, 5), (8,), (2, 8), (40,), (5, 8, 1), (5,), ()):
            self.refuses("u4g32", ValueError, r"^0.scales: expected shape \(5, 8\) or \(1, 8\), "
                         r"given \(", scales=np.ones(wrong, np.float16))
        for wrong in ((64,), (2,), (1, 5), (5, 2), (0,), (0, 1)):
            self.refuses("i8", ValueError, r"^0.scales: expected shape \(5, 1\) or \(1, 1\), "
                         r"given \(", scales=np.ones(wrong, np.float32))
        for wrong in ((3, 2), (130,), (1,), (2, 1)):
            self.refuses("f8_e4m3", ValueError, r"^0.scales: expected shape \(130, 2\) or \(1, 2\) "
                         r"or \(2, 2\), given \(", scales=np.ones(wrong, np.float32))
        self.refuses("i8z", ValueError, r"^0.zeros: expected shape \(5, 1\), given \(1,\)$",
                     zeros=np.zeros(1, np.int8))
        with self.assertRaisesRegex(ValueError, "^0.weight: numbers of i8 lie along the inputs, "
                                                "and cannot be .in, out.: without order$"):
            self.layers["i8"].pack(given_of("i8"), order="in-out")

    def test_parts_refused(self):
        self.refuses("u4g32", ValueError, '^0.weight: no scales for the numbers of u4g32: they '
                     r'would be "0.scales", float16, of shape \(5, 8\)$', scales=None)
        self.refuses("i8", ValueError, "^0.zeros: i8 has no zeros$", zeros=np.zeros(5, np.int8))
        self.refuses("i8", ValueError, "^0.scales: 0.weight is given in floats, which are "
                     "quantised: with int8, the numbers of i8, it is taken$",
                     weight=normal(5, 64))
        self.refuses("u4g32", ValueError, "^0.zeros: 0.weight is given in floats", scales=None,
                     weight=normal(5, 256))
        for stranger in ("scale", "zero", "qzeros", "scales.0", "g_idx", "weight_scale"):
            self.refuses("u4g32", ValueError, f'^weights of u4g32: it has "0.{stranger}", which '
                         "the layer does not use", **{stranger: np.ones(5, np.float32)})
        # Scales without a weight in their module.
        with self.assertRaisesRegex(ValueError, '"1.scales"'):
            self.layers["u4g32"].pack({**given_of("u4g32"), "1.scales": np.ones(5, np.float16)})
        with self.assertRaisesRegex(ValueError, r"^w0 \(0.weight\): no scales for the numbers of "
                                                "i8: give them by the layer's names$"):
            self.layers["i8"].pack({"w0": integers(np.int8, 5, 64)})
        with self.assertRaisesRegex(ValueError, "^0.weight: no scales"):
            self.layers["i8"].pack(given_of("i8"), leave="0.scales")

    def test_small_scales_refused(self):
        least = np.float32(2.0 ** -100)
        for name in ("i8", "u4g32_f32", "f8_e4m3"):
            for small in (np.nextafter(least, np.float32(0)), -np.float32(1e-40)):
                scales = given_of(name)["0.scales"]
                scales[2, -1] = small
                self.refuses(name, ValueError, "^0.scales: expected 0 or numbers from 2.-100 on, "
                             rf"which {name} holds, given -?\S+ at \[2, \d+\]$", scales=scales)
            scales[:] = least
            scales[0], scales[1], scales[2] = 0, -least, np.inf
            back = self.layers[name].pack({**given_of(name), "0.scales": scales}).unpack(own=True)
            np.testing.assert_array_equal(back["0.scales"], scales)

    @unittest.skipUnless(ml_dtypes, "no ml_dtypes")
    def test_ml_dtypes(self):
        given = given_of("u4g32_bf16")
        self.same("u4g32_bf16", given,
                  {**given, "0.scales": given["0.scales"].view(ml_dtypes.bfloat16)})
        given = given_of("f8_e4m3")
        self.same("f8_e4m3", given,
                  {**given, "0.weight": given["0.weight"].view(ml_dtypes.float8_e4m3fn)})
        scales = given["0.scales"].astype(ml_dtypes.bfloat16)
        self.same("f8_e4m3", {**given, "0.scales": scales},
                  {**given, "0.scales": scales.astype(np.float32)})
        self.refuses("f8_e4m3", TypeError, "given float8_e5m2$",
                     weight=given["0.weight"].view(ml_dtypes.float8_e5m2))

    @unittest.skipUnless(torch, "no torch")
    def test_torch(self):
        for name in ("i8z", "f8_e4m3", "u4g32"):
            given = given_of(name)
            self.same(name, given, {k: torch.from_numpy(v) for k, v in given.items()})
        given = given_of("f8_e4m3")
        small = torch.from_numpy(given["0.weight"]).view(torch.float8_e4m3fn)
        self.same("f8_e4m3", given, {**given, "0.weight": small})
        given = given_of("u4g32_bf16")
        scales = torch.from_numpy(given["0.scales"].view(np.int16)).view(torch.bfloat16)
        self.same("u4g32_bf16", given, {**given, "0.scales": scales})
        self.refuses("u4g32", TypeError, "^0.scales: expected float16, the scales of u4g32, given "
                     "bfloat16$", scales=scales)
        self.refuses("i8", TypeError, "^0.weight: .* given float8_e5m2$",
                     weight=torch.zeros(5, 64).to(torch.float8_e5m2))

    @unittest.skipUnless(torch, "no torch")
    def test_module(self):
        """Its parameters are floats: what the numbers mean."""
        from ffn import torch as of_torch
        given = given_of("i8z")
        module = of_torch.module(self.layers["i8z"], given)
        self.assertEqual(list(module.state_dict()), ["weight"])
        np.testing.assert_array_equal(module.weight.numpy(), meant("i8z", given))


class Own(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load("""local build = { { isa = { 'c' } } }
            linear 'f32' { d_model = 64, d_out = 5, bias = true, build = build }
            linear 'f16' { d_model = 64, d_out = 5, bias = true, weights = 'f16', build = build }
            linear 'bf16' { d_model = 64, d_out = 5, bias = true, weights = 'bf16', build = build }
            linear 'q8_0' { d_model = 64, d_out = 5, bias = true, weights = 'q8_0', build = build }
            ffn 'beta' { variant = 'swiglu_beta', d_model = 6, d_ff = 10, build = build }""")

    def test_other_formats(self):
        """What they are stored as, which pack() takes."""
        types = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16, "q8_0": np.uint8}
        for name, layer in self.layers.items():
            given = {key: normal(*shape) if shape else 1.5 for key, shape in layer.shapes.items()}
            packed = layer.pack(given)
            own = packed.unpack(own=True)
            self.assertEqual(own.keys(), layer.shapes.keys())
            if name in types:
                self.assertEqual([array.dtype for array in own.values()],
                                 [types[name], np.float32])
            np.testing.assert_array_equal(layer.pack(own).packed, packed.packed)
        with self.assertRaisesRegex(TypeError, "^own: expected True or False, given 1$"):
            packed.unpack(own=1)

    @unittest.skipUnless(torch, "no torch")
    def test_modules(self):
        """Parameters are what is stored, in floats, whatever that was given as."""
        from ffn import torch as of_torch
        for name, of in (("f16", torch.float16), ("bf16", torch.bfloat16)):
            weight = torch.from_numpy(normal(5, 64)).to(of)
            module = of_torch.module(self.layers[name], {"weight": weight, "bias": torch.ones(5)})
            self.assertTrue(torch.equal(module.weight, weight.float()))
        floats = torch.from_numpy(normal(5, 64))  # are not rounded but in calls
        module = of_torch.module(self.layers["bf16"], {"weight": floats, "bias": torch.ones(5)})
        self.assertTrue(torch.equal(module.weight, floats))


if __name__ == "__main__":
    unittest.main()
