"""Layers whose operands have scales that come with the weights: packed, unpacked, refused."""
import unittest

import ffn
import numpy as np
from support import normal

SPEC = """
local build = { { isa = { 'c' } } }
linear 'one' { d_model = 32, d_out = 21, bias = true, weights = 'i8', arithmetic = 'dot_s8',
  operand_scales = 'static', build = build }
ffn 'gated' { variant = 'swiglu', d_model = 16, d_ff = 32, weights = 'i8', arithmetic = 'dot_s8',
  operand_scales = 'static', build = build }
ffn 'found' { variant = 'swiglu', d_model = 16, d_ff = 32, weights = 'i8', arithmetic = 'dot_s8',
  build = build }
"""
F32 = np.float32


def gated(scales, name="{}.{}", scale="operand_scale"):
    shapes = {"gate": (32, 16), "up": (32, 16), "down": (16, 32)}
    given = {name.format(m, "weight"): normal(*shape, seed=i)
             for i, (m, shape) in enumerate(shapes.items())}
    given.update({name.format(m, scale): F32(s) for m, s in zip(shapes, scales)})
    return given


class OperandScales(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC)

    def test_told(self):
        one, two = self.layers["one"], self.layers["gated"]
        self.assertEqual(one.arithmetics, {"0.weight": "dot_s8_static"})
        self.assertEqual(one.shapes, {"0.weight": (21, 32), "0.bias": (21,), "0.operand_scale": ()})
        self.assertEqual([name for name, shape in two.shapes.items() if shape == ()],
                         [f"{m}.operand_scale" for m in ("gate", "up", "down")])
        self.assertIn("arithmetic = 'dot_s8', which is not trained", one.why_untrained)

    def test_bits(self):
        """All sums are exact, two numbers are rounded; what is beyond the bytes is clipped."""
        weights = np.random.default_rng(7).integers(-127, 128, (21, 32)).astype(np.int8)
        scales, scale = np.linspace(0.01, 0.02, 21, dtype=F32), F32(0.03)
        given = {"0.weight": weights, "0.scales": scales, "0.bias": normal(21, seed=2),
                 "0.operand_scale": scale}
        x = normal(9, 32, seed=1) * F32(2)
        q = np.clip(np.rint(x / scale), -127, 127)
        self.assertEqual(np.abs(q).max(), 127)
        sums = q @ weights.T.astype(np.float64)
        scaled = (sums * scales.astype(np.float64)).astype(F32).astype(np.float64)
        y = (scaled * np.float64(scale)).astype(F32) + given["0.bias"]
        layer = self.layers["one"].pack(given)
        np.testing.assert_array_equal(layer(x), y)
        again = layer.unpack(own=True)
        self.assertEqual(again["0.operand_scale"], scale)
        np.testing.assert_array_equal(self.layers["one"].pack(again).packed, layer.packed)
        exact, bound = layer.reference(x)
        self.assertTrue((np.abs(layer(x) - exact) <= bound).all())

    def test_names(self):
        packed = self.layers["gated"].pack(gated((0.5, 0.5, 0.25))).packed
        other = gated((0.5, 0.5, 0.25), "mlp.{}_proj.{}", "input_scale")
        other["mlp.down_proj.input_scale"] = np.array([0.25], F32)
        np.testing.assert_array_equal(self.layers["gated"].pack(other).packed, packed)
        np.testing.assert_array_equal(packed[64:76].view(F32), (0.5, 0.25, 0))

    def test_refused(self):
        layer = self.layers["gated"]
        for scales, words in (
                ((0.5, 0.25, 0.5), "up.operand_scale: expected 0.5 as gate.operand_scale is"),
                ((0.5, 0.5, 0), "down.operand_scale: expected a finite number from 2.-100 on"),
                ((0.5, 0.5, np.nan), "down.operand_scale: expected a finite number"),
                ((0.5, 0.5, np.inf), "down.operand_scale: expected a finite number"),
                ((0.5, 0.5, 2.0 ** -101), "down.operand_scale: expected a finite number"),
                ((0.5, 0.5), "no tensor for down.operand_scale: .* is missing")):
            with self.assertRaisesRegex(ValueError, words):
                layer.pack(gated(scales))
        given = gated((0.5, 0.5, 0.5))
        given["up.operand_scale"] = np.full(2, 0.5, F32)
        with self.assertRaisesRegex(ValueError, r"up.operand_scale: expected one number, given"):
            layer.pack(given)
        with self.assertRaisesRegex(ValueError, "operand_scale"):
            self.layers["found"].pack(gated((0.5, 0.5, 0.5)))
