"""Layers whose products are of bytes: found, named, computed; packed as in f32; not trained."""
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
local c = { { isa = { 'c' } } }
linear 'one' { d_model = 32, d_out = 21, bias = true, weights = 'q8_0', arithmetic = 'dot_s8' }
linear 'plain' { d_model = 32, d_out = 21, bias = true, weights = 'q8_0', build = c }
ffn 'mixed' { variant = 'swiglu', d_model = 64, d_ff = 96, build = c,
  weights = { gate = 'q4_0', up = 'q4_0', down = 'bf16' },
  arithmetic = { gate = 'dot_s8', up = 'dot_s8', down = 'fma_f32' } }
glu 'first' { variant = 'swiglu', d_model = 64, d_out = 96, weights = 'q4_0', arithmetic = 'dot_s8',
  build = c }
linear 'second' { d_model = 96, d_out = 64, weights = 'bf16', build = c }
"""
F32 = np.float32


def quantised(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of one group: bytes and their scales."""
    most = np.abs(x).max(1, keepdims=True)
    return np.rint(x * (F32(127) / most)), most[:, 0] / F32(127)


class Arithmetic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC)

    def test_told(self):
        told = {name: layer.arithmetics for name, layer in self.layers.items()}
        self.assertEqual(told["one"], {"0.weight": "dot_s8"})
        self.assertEqual(told["plain"], {"0.weight": "fma_f32"})
        self.assertEqual(told["mixed"], {
            "gate.weight": "dot_s8", "up.weight": "dot_s8", "down.weight": "fma_f32"})
        self.assertIn(self.layers["one"].isa, ("c", "avx2", "avx_vnni", "avx512_vnni"))

    def test_bits(self):
        """A group of 32: all sums are exact, three numbers are rounded."""
        rng = np.random.default_rng(7)
        scales = rng.uniform(0.01, 0.02, 21).astype(np.float16)
        weights = rng.integers(-128, 128, (21, 32)).astype(np.int8)
        rows = np.frombuffer(b"".join(
            struct.pack("<e", d) + w.tobytes() for d, w in zip(scales, weights)), np.uint8)
        given = {"0.weight": rows.reshape(21, -1), "0.bias": normal(21, seed=2)}
        x = normal(9, 32, seed=1)
        q, scale = quantised(x)
        sums = (q.astype(np.int64) @ weights.T.astype(np.int64)).astype(np.float64)
        scaled = (sums * scales.astype(np.float64)).astype(F32).astype(np.float64)
        y = (scaled * scale.astype(np.float64)[:, None]).astype(F32) + given["0.bias"]
        one, plain = self.layers["one"].pack(given), self.layers["plain"].pack(given)
        np.testing.assert_array_equal(one(x), y)
        self.assertFalse(np.array_equal(plain(x), y))
        np.testing.assert_array_equal(one.packed, plain.packed)
        np.testing.assert_array_equal(self.layers["one"].use_packed(plain.packed)(x), y)

    def test_products(self):
        """Two stages are two layers, one after the other."""
        shapes = self.layers["mixed"].shapes
        given = {name: normal(*shape, seed=i) for i, (name, shape) in enumerate(shapes.items())}
        first = self.layers["first"].pack({n: given[n] for n in ("gate.weight", "up.weight")})
        second = self.layers["second"].pack({"0.weight": given["down.weight"]})
        x = normal(5, 64, seed=9)
        np.testing.assert_array_equal(self.layers["mixed"].pack(given)(x), second(first(x)))

    def test_not_trained(self):
        message = "its spec says arithmetic = 'dot_s8', which is not trained"
        given = {"0.weight": normal(21, 32), "0.bias": normal(21)}
        with self.assertRaisesRegex(ValueError, "one is not trained: " + message):
            self.layers["one"].trainer(given)
        with self.assertRaisesRegex(ValueError, "plain is not trained: its spec does not say back"):
            self.layers["plain"].trainer(given)
        with self.assertRaisesRegex(ffn.BuildError, "dot_s8 is not trained, as backward = true"):
            ffn.load("linear 'a' { d_model = 32, d_out = 4, weights = 'bf16', backward = true, "
                     "arithmetic = 'dot_s8' }")

    @unittest.skipIf(torch is None, "torch is missing")
    def test_no_gradients(self):
        with self.assertRaisesRegex(RuntimeError, "arithmetic = 'dot_s8', which is not trained"):
            x = torch.ones(2, 32, requires_grad=True)
            ffn.torch.module(self.layers["one"])(x)
