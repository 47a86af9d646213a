"""Several outputs of one x: each where it is wanted, by its name, with the bits of a layer alone."""
import unittest

import ffn
import numpy as np
from support import normal, weights_for

SPEC = """
local build = { { isa = { 'c' } } }
local function layer(name, d_out)
  linear(name) { d_model = 12, d_out = d_out, bias = true, backward = true, build = build }
end
layer('qkv', { q = 20, k = 5, v = 5 })
layer('q', 20)
layer('together', 30)
"""


class Outputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = ffn.load(SPEC, threads=2)
        cls.weights = weights_for(cls.library["qkv"])
        cls.layer = cls.library["qkv"].pack(cls.weights)
        cls.x = normal(2, 3, 12)

    def stacked(self, part):
        return np.concatenate([self.weights[f"{name}.{part}"] for name in self.layer.widths])

    def test_names(self):
        self.assertEqual(self.layer.widths, {"k": 5, "q": 20, "v": 5})
        self.assertEqual(list(self.layer.widths), ["k", "q", "v"])
        self.assertEqual(self.layer.shapes["q.weight"], (20, 12))
        self.assertEqual(self.library["q"].widths, {})
        for name, array in self.layer.unpack().items():
            np.testing.assert_array_equal(array, self.weights[name])

    def test_bits_are_those_of_a_layer_alone(self):
        alone = self.library["q"].pack({"0.weight": self.weights["q.weight"],
                                        "0.bias": self.weights["q.bias"]})
        parts = self.layer.split(self.layer(self.x))
        np.testing.assert_array_equal(parts["q"], alone(self.x))
        self.assertEqual([part.shape for part in parts.values()], [(2, 3, 5), (2, 3, 20), (2, 3, 5)])

    def test_into_a_cache(self):
        parts = self.layer.split(self.layer(self.x))
        cache = np.full((2, 3, 4, 5), 7, np.float32)
        out = {"v": cache[:, :, 1], "q": np.empty((2, 3, 20), np.float32)}
        self.assertIs(self.layer(self.x, out=out), out)
        np.testing.assert_array_equal(cache[:, :, 1], parts["v"])
        np.testing.assert_array_equal(out["q"], parts["q"])
        self.assertTrue((cache[:, :, [0, 2, 3]] == 7).all())
        self.layer.add(self.x, {"v": cache[:, :, 2]}, 0.5)
        np.testing.assert_allclose(cache[:, :, 2], 7 + 0.5 * parts["v"], rtol=1e-6)

    def test_mistakes(self):
        k, q = np.empty((2, 3, 5), np.float32), np.empty((2, 3, 20), np.float32)
        alone = self.library["q"].pack({"0.weight": self.weights["q.weight"],
                                        "0.bias": self.weights["q.bias"]})
        for layer, out, message in (
                (self.layer, {"o": k}, "unknown output o: qkv has k, q, v"),
                (self.layer, {}, "expected some of k, q, v"),
                (self.layer, {"k": k, "v": k}, "out v: .* given memory of out k"),
                (self.layer, {"k": q}, r"out k: expected shape \(2, 3, 5\)"),
                (alone, {"q": q}, "q has one, without a name")):
            with self.assertRaisesRegex(ValueError, message):
                layer(self.x, out=out)
        with self.assertRaisesRegex(ValueError, "has one output"):
            alone.split(q)
        with self.assertRaisesRegex(ValueError, r"y: expected shape \(..., 30\)"):
            self.layer.split(q)

    def test_gradients(self):
        trainer = self.layer.trainer(self.weights)
        together = self.library["together"].trainer({"0.weight": self.stacked("weight"),
                                                "0.bias": self.stacked("bias")})
        np.testing.assert_array_equal(trainer(self.x), together(self.x))
        dy = normal(2, 3, 30, seed=5)
        given, expected = trainer.grad(dy), together.grad(dy)
        np.testing.assert_array_equal(given["x"], expected["x"])
        for part in ("weight", "bias"):
            stacked = np.concatenate([given[f"{name}.{part}"] for name in self.layer.widths])
            np.testing.assert_array_equal(stacked, expected[f"0.{part}"])


if __name__ == "__main__":
    unittest.main()
