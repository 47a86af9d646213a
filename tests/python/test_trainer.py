"""What a trainer keeps between a call and grad(), and what would make them disagree."""
import copy
import pickle
import threading
import unittest
from unittest import mock

import ffn
import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from support import in_a_child, normal, weights_for

SPEC = """
local build = { { isa = { 'c' } } }
ffn 'gated' {
  variant = 'swiglu_beta', d_model = 6, d_ff = 10, bias = true, backward = true, build = build,
}
mlp 'square' {
  d_model = 6, layers = { { 6, 'relu' }, { 6 } }, bias = true, backward = true,
  build = build,
}
"""


class Trainers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        layers = ffn.load(SPEC)
        cls.gated, cls.square = layers["gated"], layers["square"]
        cls.weights = weights_for(cls.gated)

    def equal(self, made, expected):
        self.assertEqual(set(made), set(expected))
        for name in made:
            np.testing.assert_array_equal(made[name], expected[name], err_msg=name)

    def test_weights_packed_between(self):
        trainer, x, dy = self.gated.trainer(self.weights), normal(9, 6), normal(9, 6, seed=2)
        other = {name: 2 * value for name, value in self.weights.items()}
        again = (r"^gated: other weights were packed since the trainer's last call: call it with "
                 r"x again before grad\(\)$")
        trainer(x)
        trainer.grad(dy)
        trainer.pack(other)
        for _ in range(2):
            with self.assertRaisesRegex(ValueError, again):
                trainer.grad(dy)
        trainer(x)
        fresh = self.gated.trainer(other)
        fresh(x)
        self.equal(trainer.grad(dy), fresh.grad(dy))
        self.equal(trainer.grad(dy), fresh.grad(dy))  # any number of times
        # Weights that are refused change nothing.
        with self.assertRaises(ValueError):
            trainer.pack({**other, "beta": 1e300})
        self.equal(trainer.grad(dy), fresh.grad(dy))

    def test_in_a_child_process(self):
        """What another thread was about when it was forked off is half done there."""
        trainer, x = self.gated.trainer(self.weights), normal(3, 6)
        wanted = trainer(x)
        self.assertTrue(in_a_child(lambda: np.array_equal(trainer(x), wanted)))

        def is_refused():
            for call in (lambda: trainer(x), lambda: trainer.pack(self.weights)):
                try:
                    call()
                    return False
                except RuntimeError as error:
                    if "forked off: make one by layer.trainer(weights)" not in str(error):
                        return False
            return np.array_equal(self.gated.trainer(self.weights)(x), wanted)
        with trainer._lock:
            self.assertTrue(in_a_child(is_refused))
            with self.assertRaisesRegex(RuntimeError, "computes for another thread: each"):
                trainer(x)

    def test_x_may_change(self):
        trainer = self.gated.trainer(self.weights)
        for tokens in (9, 150, 9):
            x, dy = normal(tokens, 12)[:, 3:9], normal(tokens, 6, seed=2)
            trainer(x)
            expected = trainer.grad(dy)
            x[...] = 7
            self.equal(trainer.grad(dy), expected)
            trainer(normal(3, 6))
            with self.assertRaisesRegex(ValueError, r"^dy: expected shape \(3, 6\)"):
                trainer.grad(dy)

    def test_rows_of_x_that_overlap(self):
        trainer, dy = self.gated.trainer(self.weights), normal(9, 6, seed=2)
        for x in (sliding_window_view(normal(14), 6), np.broadcast_to(normal(6), (9, 6))):
            y = trainer(x)
            made = trainer.grad(dy)
            np.testing.assert_array_equal(y, trainer(np.array(x, order="C")))
            self.equal(made, trainer.grad(dy))
        with self.assertRaisesRegex(ValueError, "^dy: expected rows of contiguous floats"):
            trainer.grad(np.broadcast_to(dy[0], dy.shape))
        with self.assertRaisesRegex(ValueError, "^out: expected rows of contiguous floats"):
            trainer(normal(9, 6), as_strided(dy, dy.shape, (4, 4)))

    def test_trainers_are_not_copied(self):
        trainer = self.gated.trainer(self.weights)
        for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "^the trainer of gated cannot be copied or "
                                                   "pickled, .* layer.trainer.weights.$"):
                attempt(trainer)

    def test_a_call_that_fails(self):
        trainer, x, dy = self.gated.trainer(self.weights), normal(9, 6), normal(9, 6, seed=2)
        trainer(x)
        expected = trainer.grad(dy)
        with self.assertRaises(TypeError):
            trainer(x.astype(float))  # is refused before anything is written
        self.equal(trainer.grad(dy), expected)
        with mock.patch.object(trainer, "_functions") as functions:
            functions.run_train.side_effect = KeyboardInterrupt
            with self.assertRaises(KeyboardInterrupt):
                trainer(2 * x)
        with self.assertRaisesRegex(ValueError, "^gated: call the trainer with x before grad"):
            trainer.grad(dy)

    def test_gradients_that_overlap(self):
        trainer, x, dy = self.square.trainer(weights_for(self.square)), normal(6, 6), normal(6, 6)
        trainer(x)
        expected = trainer.grad(dy)
        one, memory = np.empty((6, 6), np.float32), np.empty(80, np.float32)
        cases = (
            ("1.weight", "0.weight", {"0.weight": one, "1.weight": one}),
            ("1.weight", "0.weight", {"0.weight": memory[:36].reshape(6, 6),
                                      "1.weight": memory[35:71].reshape(6, 6)}),
            ("1.bias", "0.weight", {"0.weight": one, "1.bias": one[5]}),
            ("0.bias", "1.bias", {"1.bias": memory[:6], "0.bias": memory[5:11]}),
            ("0.weight", "x", {"x": one, "0.weight": one}),
        )
        for accumulate in (False, True):
            for name, other, out in cases:
                with self.assertRaisesRegex(ValueError, f"^out {name}: expected memory of its own, "
                                                        f"given memory of out {other}$"):
                    trainer.grad(dy, out=out, accumulate=accumulate)
            for other, array in (("x", x), ("dy", dy)):
                for name in ("x", "0.weight", "1.bias"):
                    with self.assertRaisesRegex(ValueError, f"^out {name}: .* memory of {other}$"):
                        trainer.grad(dy, out={name: array[2] if name == "1.bias" else array},
                                     accumulate=accumulate)
        # Neighbours are no overlap, nor are rows that interleave.
        wide = np.empty((6, 12), np.float32)
        wide[:, :6] = dy
        out = {"0.weight": memory[:36].reshape(6, 6), "1.weight": memory[36:72].reshape(6, 6),
               "1.bias": memory[72:78], "x": wide[:, 6:]}
        self.equal(trainer.grad(wide[:, :6], out=out), expected)

    def test_packed_weights_are_not_written_over(self):
        trainer, x = self.square.trainer(weights_for(self.square)), normal(6, 6)
        trainer(x)
        packed = trainer.layer.packed
        packed.flags.writeable = True  # who insists
        inside = packed[64:208].view(np.float32).reshape(6, 6)
        own = "expected memory of its own, given memory of the packed weights$"
        with self.assertRaisesRegex(ValueError, f"^out: {own}"):
            trainer(x, inside)
        with self.assertRaisesRegex(ValueError, f"^out 0.weight: {own}"):
            trainer.grad(x, out={"0.weight": inside})

    def test_one_thread_at_a_time(self):
        trainer, x = self.gated.trainer(self.weights), normal(9, 6)
        y, wanted = trainer(x), trainer.grad(x)
        run, began, ends, found = trainer._functions.grad, threading.Event(), threading.Event(), []

        def slowly(*arguments):
            began.set()
            ends.wait(60)
            run(*arguments)

        with mock.patch.object(trainer._functions, "grad", slowly):
            first = threading.Thread(target=lambda: found.append(trainer.grad(x)))
            first.start()
            self.assertTrue(began.wait(60))
            calls = ((trainer, x), (trainer.grad, x), (trainer.pack, self.weights))
            try:
                for call, argument in calls:
                    with self.assertRaisesRegex(RuntimeError, "^the trainer of gated computes for "
                                                "another thread: each thread takes a trainer of "):
                        call(argument)
            finally:
                ends.set()
                first.join()
        self.equal(found[0], wanted)
        np.testing.assert_array_equal(trainer(x), y)  # and it goes on


if __name__ == "__main__":
    unittest.main()
