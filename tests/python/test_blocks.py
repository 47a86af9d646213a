"""Weights in blocks: packed as a file has them, or of floats; told, unpacked, refused by name."""
import struct
import unittest

import ffn
import numpy as np
from support import normal

try:
    import torch
except ImportError:
    torch = None

SPEC = """
linear 'floats' { d_model = 64, d_out = 5, bias = true, weights = 'q8_0' }
linear 'alone' { d_model = 64, d_out = 5, weights = 'q4_1' }
linear 'beside' { d_model = 64, d_out = 5, weights = 'i8' }
linear 'searched' { d_model = 256, d_out = 3, weights = 'q4_K' }
linear 'of_16' { d_model = 256, d_out = 3, weights = 'q6_K' }
linear 'small' { d_model = 136, d_out = 5, weights = 'f8_e4m3' }
ffn 'gated' { variant = 'swiglu', d_model = 32, d_ff = 64,
  weights = { gate = 'q4_0', up = 'q4_0', down = 'f16' } }
"""


def rows_of_q4_1(outputs: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of 32: f16 d, f16 m, nibbles of j and j + 16; and the weights d q + m."""
    rng, rows, values = np.random.default_rng(3), [], []
    for _ in range(outputs * inputs // 32):
        d, m = np.float16(rng.uniform(-0.1, 0.1)), np.float16(rng.uniform(-1, 1))
        q = rng.integers(0, 16, 32)
        rows.append(struct.pack("<ee", d, m) + bytes(int(q[j] | q[16 + j] << 4) for j in range(16)))
        values.append((float(d) * q + float(m)).astype(np.float32))
    return (np.frombuffer(b"".join(rows), np.uint8).reshape(outputs, -1),
            np.concatenate(values).reshape(outputs, inputs))


class Blocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC)

    def refuses(self, kind, message, layer, **weights):
        with self.assertRaisesRegex(kind, message):
            self.layers[layer].pack({name.replace("__", "."): w for name, w in weights.items()})

    def test_formats(self):
        self.assertEqual({name: layer.formats for name, layer in self.layers.items()}, {
            "floats": {"0.weight": "q8_0"}, "alone": {"0.weight": "q4_1"},
            "beside": {"0.weight": "i8"}, "searched": {"0.weight": "q4_K"},
            "of_16": {"0.weight": "q6_K"}, "small": {"0.weight": "f8_e4m3"},
            "gated": {"gate.weight": "q4_0", "up.weight": "q4_0", "down.weight": "f16"}})

    def test_blocks_of_a_file(self):
        rows, values = rows_of_q4_1(5, 64)
        layer = self.layers["alone"].pack({"0.weight": rows})
        self.assertTrue(np.array_equal(layer.unpack()["0.weight"], values))
        for same in (rows.reshape(-1), np.asfortranarray(rows), rows.copy()):
            again = self.layers["alone"].pack({"0.weight": same})
            self.assertTrue(np.array_equal(again.packed, layer.packed))
        named = self.layers["alone"].pack({"model.proj.weight": rows})  # by any names
        self.assertTrue(np.array_equal(named.packed, layer.packed))
        x = normal(7, 64)
        y, bound = layer.reference(x)
        self.assertTrue((np.abs(layer(x) - y) <= bound).all())
        self.assertTrue((np.abs(y - x.astype(float) @ values.astype(float).T) < 1e-9).all())

    def test_floats(self):
        for name in ("floats", "beside", "searched", "of_16", "small", "gated"):
            layer = self.layers[name]
            given = {key: normal(*shape) for key, shape in layer.shapes.items()}
            packed, x = layer.pack(given), normal(3, layer.inputs)
            held = packed.unpack()
            self.assertTrue(all(np.abs(held[key] - given[key]).max() < 0.4 for key in given))
            self.assertTrue(any((held[key] != given[key]).any() for key in given))
            y, bound = packed.reference(x)
            self.assertTrue((np.abs(packed(x) - y) <= bound).all(), name)

    def test_refused(self):
        rows, _ = rows_of_q4_1(5, 64)
        self.refuses(TypeError, "^0.weight: expected uint8, the blocks of q4_1 as a file has them, "
                                "given float32$", "alone", **{"0__weight": normal(5, 64)})
        for wrong in (rows[:, :-1], rows[:-1], rows.T, rows.reshape(-1)[1:]):
            self.refuses(ValueError, r"^0.weight: expected shape \(5, 40\) of uint8, q4_1 for 64 "
                                     r"inputs, given \(", "alone", **{"0__weight": wrong})
        self.refuses(TypeError, "^0.weight: expected float32, which is quantised, or uint8, the "
                                "blocks of q8_0, given int32$", "floats",
                     **{"0__weight": np.zeros((5, 64), np.int32), "0__bias": normal(5)})
        self.refuses(TypeError, "^0.weight: expected float32, which is quantised, or int8, the "
                                "numbers of i8, given uint8$", "beside",
                     **{"0__weight": np.zeros((5, 64), np.uint8)})
        with self.assertRaisesRegex(ValueError, "is not trained"):
            self.layers["alone"].trainer({"0.weight": rows})

    @unittest.skipUnless(torch, "no torch")
    def test_torch(self):
        rows, values = rows_of_q4_1(5, 64)
        layer = self.layers["alone"].pack({"0.weight": torch.from_numpy(rows.copy())})
        self.assertTrue(np.array_equal(layer.unpack()["0.weight"], values))
        from ffn import torch as of_torch
        with self.assertRaisesRegex(ValueError, "0.weight is stored as q4_1, of which a module has "
                                                "no parameter"):
            of_torch.module(layer)


if __name__ == "__main__":
    unittest.main()
