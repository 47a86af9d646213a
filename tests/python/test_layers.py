"""Every layer against float64, within the bound that its kernel promises."""
import unittest
from pathlib import Path

import ffn
import numpy as np
from support import ACTIVATIONS, lessons, linear, normal, sigmoid, weights_for


def feed_forward(w, x, activation):
    return linear(w, "down", ACTIVATIONS[activation](linear(w, "up", x)))


def gated(w, x, activation):
    return activation(linear(w, "gate", x)) * linear(w, "up", x)


def chain(w, x, *activations):
    for i, activation in enumerate(activations):
        x = ACTIVATIONS[activation](linear(w, str(i), x))
    return x


MEANINGS = {
    "notebook_swiglu": lambda w, x: linear(w, "down", gated(w, x, ACTIVATIONS["silu"])),
    "mlp_10_64_32_1": lambda w, x: chain(w, x, "relu", "relu", "sigmoid"),
    "linear_10_5": lambda w, x: chain(w, x, "identity"),
    "paper_example": lambda w, x: feed_forward(w, x, "relu"),
    "glu": lambda w, x: gated(w, x, sigmoid),
    "selfgate": lambda w, x: x * ACTIVATIONS["silu"](linear(w, "gate", x)),
    "gelu": lambda w, x: feed_forward(w, x, "gelu"),
    "beta": lambda w, x: linear(w, "down", gated(w, x, lambda g: g * sigmoid(w["beta"] * g))),
}


class Layers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        forms = ffn.load(Path(__file__).with_name("forms.lua"))
        cls.layers = {**lessons(), **forms}

    def test_every_layer_is_within_its_bound(self):
        self.assertEqual(set(self.layers), set(MEANINGS))
        for name, layer in self.layers.items():
            with self.subTest(name):
                weights = weights_for(layer)
                x = normal(9, layer.inputs)
                y = layer.pack(weights)(x)
                exact = MEANINGS[name](weights, x)
                reference, bound = layer.pack(weights).reference(x)
                self.assertEqual((y.shape, y.dtype), ((9, layer.outputs), np.float32))
                self.assertTrue(np.allclose(reference, exact, rtol=1e-11, atol=1e-12))
                self.assertTrue((np.abs(y - exact) <= bound * (1 + 1e-9)).all())
                self.assertTrue((0 < bound).all())
                self.assertLess(bound.max(), 1e-2)

    def test_weights_come_back(self):
        for name, layer in self.layers.items():
            with self.subTest(name):
                weights = weights_for(layer)
                back = layer.pack(weights).unpack()
                self.assertEqual(set(back), set(weights))
                for tensor in weights:
                    np.testing.assert_array_equal(back[tensor], weights[tensor])

    def test_one_layer_has_many_weights(self):
        layer, x = self.layers["linear_10_5"], normal(2, 10)
        zero = layer.pack({name: np.zeros(shape, np.float32) for name, shape
                           in layer.shapes.items()})
        other = layer.pack(weights_for(layer))
        self.assertTrue((zero(x) == 0).all())
        self.assertTrue((other(x) != 0).all())
        with self.assertRaisesRegex(ValueError, "linear_10_5 has no weights yet"):
            layer(x)

    def test_what_a_layer_says_of_itself(self):
        layer = self.layers["mlp_10_64_32_1"]
        self.assertEqual((layer.name, layer.inputs, layer.outputs), ("mlp_10_64_32_1", 10, 1))
        self.assertEqual(layer.shapes, {"0.weight": (64, 10), "0.bias": (64,),
                                        "1.weight": (32, 64), "1.bias": (32,),
                                        "2.weight": (1, 32), "2.bias": (1,)})
        self.assertRegex(repr(layer), r"^<ffn.Layer mlp_10_64_32_1: 10 -> 1, \w+, no weights>$")
        self.assertRegex(repr(layer.pack(weights_for(layer))), r", \d+ bytes of weights>$")


if __name__ == "__main__":
    unittest.main()
