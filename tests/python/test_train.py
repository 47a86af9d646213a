"""Gradients against formulas in float64, and what a trainer says to a mistake."""
import unittest

import ffn
import numpy as np
from support import at_odd_address, linear, normal, sigmoid, weights_for

SPEC = """
local build = { { isa = { 'c' } } }
ffn 'gated' {
  variant = 'swiglu_beta', d_model = 6, d_ff = 10, bias = true, backward = true, build = build,
}
mlp 'chain' {
  d_model = 5, layers = { { 7, 'relu' }, { 3 } }, backward = true, build = build,
  dropout = { hidden = 0.5 },
}
linear 'plain' { d_model = 4, d_out = 2, build = build }
"""


def product(dy, x):
    return dy.astype(np.float64).T @ x.astype(np.float64)


def gradients_of_gated(w, x, dy):
    gate, up, beta = linear(w, "gate", x), linear(w, "up", x), w["beta"]
    s = sigmoid(beta * gate)
    act, slope = gate * s, s + beta * gate * s * (1 - s)
    dh = dy @ w["down.weight"].astype(np.float64)
    dgate, dup = dh * up * slope, dh * act
    return {
        "x": dgate @ w["gate.weight"] + dup @ w["up.weight"],
        "gate.weight": product(dgate, x), "gate.bias": dgate.sum(0),
        "up.weight": product(dup, x), "up.bias": dup.sum(0),
        "down.weight": product(dy, act * up), "down.bias": dy.astype(np.float64).sum(0),
        "beta": (dh * up * gate * gate * s * (1 - s)).sum(),
    }


class Train(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC)
        cls.gated = cls.layers["gated"]
        cls.weights = weights_for(cls.gated)

    def test_gradients(self):
        x, dy = normal(150, 6), normal(150, 6, seed=2)
        trainer = self.gated.trainer(self.weights)
        y = trainer(x)
        np.testing.assert_array_equal(y, self.gated.pack(self.weights)(x))
        np.testing.assert_array_equal(y, trainer.layer(x))
        made, exact = trainer.grad(dy), gradients_of_gated(self.weights, x, dy)
        self.assertEqual(set(made), set(exact))
        for name, gradient in made.items():
            self.assertEqual(gradient.dtype, np.float32)
            np.testing.assert_allclose(gradient, exact[name], rtol=2e-4, atol=2e-4, err_msg=name)

    def test_threads_and_shapes(self):
        x, dy = normal(2, 75, 6), normal(2, 75, 6, seed=2)
        one = self.gated.trainer(self.weights)
        two = ffn.load(SPEC, threads=2)["gated"].trainer(self.weights)
        np.testing.assert_array_equal(one(x), two(x))
        first, second = one.grad(dy), two.grad(dy)
        self.assertEqual(first["x"].shape, (2, 75, 6))
        for name in first:
            np.testing.assert_array_equal(first[name], second[name])

    def test_wanted_and_out(self):
        x, dy = normal(128, 6), normal(128, 6, seed=2)
        trainer = self.gated.trainer(self.weights)
        trainer(x)
        all_of = trainer.grad(dy)
        only = trainer.grad(dy, ["up.bias", "beta"])
        self.assertEqual(set(only), {"up.bias", "beta"})
        np.testing.assert_array_equal(only["up.bias"], all_of["up.bias"])
        wide = np.full((128, 12), 7, np.float32)
        sums = np.ones_like(self.weights["up.weight"])
        made = trainer.grad(dy, ["x", "up.weight"], out={"x": wide[:, 3:9], "up.weight": sums},
                            accumulate=True)
        self.assertIs(made["up.weight"], sums)
        np.testing.assert_array_equal(sums, all_of["up.weight"] + np.float32(1))
        np.testing.assert_array_equal(wide[:, 3:9], all_of["x"])
        self.assertTrue((wide[:, :3] == 7).all() and (wide[:, 9:] == 7).all())

    def test_dropout(self):
        layer = self.layers["chain"]
        weights, x, dy = weights_for(layer), normal(40, 5), normal(40, 3, seed=2)
        trainer = layer.trainer(weights)
        np.testing.assert_array_equal(trainer(x), layer.pack(weights)(x))
        y = trainer(x, seed=1, step=3)
        gradients = trainer.grad(dy)
        self.assertFalse((y == trainer(x, seed=1, step=4)).all())
        # The same batch in two parts drops the same.
        np.testing.assert_array_equal(trainer(x[8:], seed=1, step=3, first_token=8), y[8:])
        trainer(x, seed=1, step=3)
        np.testing.assert_array_equal(trainer.grad(dy)["x"], gradients["x"])

    def test_it_learns(self):
        layer = self.layers["chain"]
        teacher, weights = weights_for(layer), {}
        for name, value in teacher.items():
            weights[name] = value + 0.3 * normal(*value.shape, seed=5)
        x = normal(256, 5)
        target, trainer, errors = layer.pack(teacher)(x), layer.trainer(weights), []
        for _ in range(200):
            error = trainer(x) - target
            errors.append(float((error ** 2).mean()))
            for name, gradient in trainer.grad(error, list(weights)).items():
                weights[name] -= np.float32(0.2 / len(x)) * gradient
            trainer.pack(weights)
        self.assertLess(errors[-1], errors[0] / 20)

    def test_mistakes(self):
        def wrong(kind, message, call, *args, **kwargs):
            with self.assertRaisesRegex(kind, message):
                call(*args, **kwargs)

        wrong(ValueError, "^plain is not trained: its spec does not say backward = true$",
              self.layers["plain"].trainer, {})
        wrong(ValueError, "^weights of gated: there is no tensor for gate.weight",
              self.gated.trainer, {})
        trainer, dy = self.gated.trainer(self.weights), normal(3, 6)
        wrong(ValueError, r"^gated: call the trainer with x before grad\(\)$", trainer.grad, dy)
        x = normal(3, 6, seed=3)
        trainer(x)
        wrong(ValueError, r"^dy: expected shape \(3, 6\), given \(2, 6\)$", trainer.grad, dy[1:])
        wrong(TypeError, "^dy: expected float32", trainer.grad, dy.astype(float))
        wrong(ValueError, "^unknown up: there are x, gate.weight", trainer.grad, dy, ["up"])
        wrong(ValueError, "^unknown y: there are", trainer.grad, dy, out={"y": x})
        for bad in (3, b"x", [["x"]], [0]):
            wrong(TypeError, "^wanted: expected names of gradients, given ", trainer.grad, dy, bad)
        wrong(ValueError, r"^out up.bias: expected shape \(10,\), given \(3,\)", trainer.grad, dy,
              out={"up.bias": np.empty(3, np.float32)})
        wrong(ValueError, r"^out up.weight: expected a contiguous array, as numpy.zeros\(\) makes, "
                          r"given strides \(4, 40\) for shape \(10, 6\)$", trainer.grad, dy,
              out={"up.weight": np.empty((6, 10), np.float32).T})
        wrong(ValueError, r"^out up.bias: expected floats at multiples of 4 bytes, .*; "
                          r"numpy.empty\(\) makes them there$", trainer.grad, dy,
              out={"up.bias": at_odd_address(np.empty(10, np.float32))})
        for bad in (np.broadcast_to(dy[0], dy.shape), dy[::-1]):
            wrong(ValueError, r"^dy: expected rows .*; numpy.ascontiguousarray\(dy\) has such",
                  trainer.grad, bad)
        wrong(ValueError, "^out x: expected memory of its own, given memory of x$",
              trainer.grad, dy, out={"x": x})
        wrong(ValueError, "^out up.bias: not among what is wanted, x$", trainer.grad, dy, ["x"],
              out={"up.bias": np.empty(10, np.float32)})
        wrong(TypeError, "^out: expected a dict of arrays by name, given ndarray$", trainer.grad,
              dy, out=dy)
        for bad in (1, 0.5, None, "no"):
            wrong(TypeError, "^accumulate: expected True or False, given ", trainer.grad, dy,
                  accumulate=bad)
        wrong(ValueError, "^out: expected memory of its own", trainer, x, out=x)


if __name__ == "__main__":
    unittest.main()
