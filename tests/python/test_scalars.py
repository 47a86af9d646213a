"""Numbers that cross into C: none is wrapped, and no finite one becomes infinite or 0."""
import math
import unittest
from decimal import Decimal
from fractions import Fraction

import ffn
import numpy as np
from ffn import scalars
from support import normal, weights_for

try:
    import torch
except ImportError:
    torch = None

SPEC = """
local build = { { isa = { 'c' } } }
ffn 'beta' { variant = 'swiglu_beta', d_model = 3, d_ff = 4, backward = true, build = build }
mlp 'drops' {
  d_model = 5, layers = { { 7, 'relu' }, { 3 } }, backward = true, build = build,
  dropout = { hidden = 0.5 },
}
"""
NO_INTEGERS = (True, False, np.bool_(True), np.array(True), 2.0, np.float32(2), "2", None, 2j,
               Decimal(2), Fraction(2), [2], np.array([2]), np.array([2, 3]),
               np.timedelta64(2, "s"), np.ma.masked, np.ma.array(2, mask=True), np.ma.array(2))
NO_REALS = (True, np.bool_(False), np.array(True), "1.5", b"1", None, 1j, np.complex64(1),
            np.array(1j), [1.5], np.array([1.5]), np.array([1.5, 2]), np.timedelta64(2, "s"),
            np.datetime64(2, "ns"), np.ma.masked, np.ma.array(1.5, mask=True), np.array(None))
TOO_LARGE = (1e300, -1e300, 3.5e38, 10**40, 10**400, -10**5000, Fraction(10**400),
             Decimal("1e300"), Decimal("-1e400"), np.float64(1e39), np.array(1e39),
             np.nextafter(np.finfo(np.float32).max, np.inf, dtype=np.float64) + 2e31)
TOO_SMALL = (1e-50, -1e-50, 5e-324, 1e-40, 1.1e-38, Fraction(1, 10**400), Decimal("1e-400"),
             np.float64(1e-46))


class Scalars(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        layers = ffn.load(SPEC)
        cls.beta, cls.drops = layers["beta"], layers["drops"]

    def refuses(self, kind, message, call, *args, **kwargs):
        with self.assertRaisesRegex(kind, message):
            call(*args, **kwargs)

    def test_integers(self):
        for good in (7, np.int8(7), np.uint64(7), np.array(7), np.array(7, ">i2")):
            taken = scalars.integer("n", good, 0, 7)
            self.assertEqual((taken, type(taken)), (7, int))
        for bad in NO_INTEGERS:
            self.refuses(TypeError, "^n: expected an integer, given ", scalars.integer, "n", bad,
                         0, 7)
        for bad in (-1, 8, 2**32, 2**64, -2**70, np.int64(-1), np.uint64(2**64 - 1)):
            self.refuses(ValueError, f"^n: expected 0 to 7, given {bad}: less$", scalars.integer,
                         "n", bad, 0, 7, ": less")
        self.refuses(ValueError, "given an integer of 16610 bits$", scalars.integer, "n", 10**5000,
                     0, 7)

    def test_reals(self):
        tiny = float(np.float32(1e-40))
        for good in (0, 0.0, -0.0, 1, 1.5, 0.1, 3.4e38, 1.2e-38, tiny, np.float16(0.5), 2**100,
                     np.float32(1e-40), np.int64(3), np.array(0.1), np.longdouble(2),
                     Decimal("0.1"), Fraction(1, 3), np.finfo(np.float32).max):
            taken = scalars.real("s", good)
            self.assertEqual((taken, type(taken)), (float(np.float32(float(good))), float))
        self.assertEqual(math.copysign(1, scalars.real("s", -0.0)), -1)
        for own in (math.inf, -math.inf, np.float32(np.inf), Decimal("inf")):
            self.assertEqual(scalars.real("s", own), float(own))
        for own in (math.nan, np.float64(np.nan), Decimal("nan")):
            self.assertTrue(math.isnan(scalars.real("s", own)))
        for bad in NO_REALS:
            self.refuses(TypeError, "^s: expected a number, given ", scalars.real, "s", bad)
        for bad in TOO_LARGE:
            self.refuses(ValueError, r"^s: expected a number that float32 holds, up to 3.4e38, "
                                     "given ", scalars.real, "s", bad)
        for bad in TOO_SMALL:
            self.refuses(ValueError, "^s: expected 0 or a number that float32 holds, from 1.2e-38 "
                                     "on, given ", scalars.real, "s", bad)

    @unittest.skipIf(torch is None, "no torch")
    def test_numbers_of_torch(self):
        self.assertEqual(scalars.integer("n", torch.tensor(3), 0, 7), 3)
        self.assertEqual(scalars.real("s", torch.nn.Parameter(torch.tensor(1.5))), 1.5)
        for bad in (torch.tensor(True), torch.tensor([1.5, 2]), torch.tensor(1j)):
            self.refuses(TypeError, "^s: expected a number", scalars.real, "s", bad)
        self.refuses(TypeError, "^n: expected an integer", scalars.integer, "n",
                     torch.tensor(True), 0, 7)

    def test_scale(self):
        layer = self.beta.pack(weights_for(self.beta))
        x, y = normal(2, 3), normal(2, 3)
        kept = y.copy()
        for bad, kind in ((1e300, ValueError), (1e-50, ValueError), (10**40, ValueError),
                          (None, TypeError), (True, TypeError), ("1", TypeError), (1j, TypeError)):
            self.refuses(kind, "^scale: expected ", layer.add, x, y, bad)
        np.testing.assert_array_equal(y, kept)
        for good in (2, np.int64(2), np.float64(2), np.array(2.0), Fraction(2)):
            y[:] = 0
            np.testing.assert_array_equal(layer.add(x, y, good), 2 * layer(x))
        self.assertTrue(np.isinf(layer.add(x, y, math.inf)).any())

    def test_beta(self):
        weights = weights_for(self.beta)
        for make in (self.beta.pack, self.beta.trainer, self.beta.trainer(weights).pack):
            for bad, kind in ((1e300, ValueError), (1e-50, ValueError), ("1.5", TypeError),
                              (np.array([1.5, 2]), TypeError), (True, TypeError), (None, TypeError)):
                self.refuses(kind, "^beta: expected ", make, {**weights, "beta": bad})
        for good in (1.5, np.float16(1.5), np.array(1.5, np.float32), np.float32(1e-40),
                     np.array([1.5])):  # as files have it
            packed = self.beta.pack({**weights, "beta": good})
            told = float(np.ravel(good)[0])
            self.assertEqual(packed.unpack()["beta"], told)
            self.assertEqual(packed.pack(packed.unpack()).unpack()["beta"], told)

    def test_what_dropout_is_given(self):
        trainer, x = self.drops.trainer(weights_for(self.drops)), normal(4, 5)
        y = trainer(x, seed=2**64 - 1, step=2**32 - 1)
        self.assertFalse((y == trainer(x)).all())
        for bad, given in ((2**64, 2**64), (-1, -1), (np.int64(-1), -1)):
            self.refuses(ValueError, rf"^seed: expected 0 to 2\*\*64 - 1, given {given}: seed %",
                         trainer, x, seed=bad)
        for bad in (2**32, -1, 2**64):
            self.refuses(ValueError, rf"^step: expected 0 to 2\*\*32 - 1, given {bad}: begin at 0",
                         trainer, x, seed=1, step=bad)
        # The 7 elements of the last token end at 2**64; later ones would be the first again.
        last = 2**64 // 7 - 4
        trainer(x, seed=1, first_token=last)
        for bad in (last + 1, -1, 2**64):
            self.refuses(ValueError, f"^first_token: expected 0 to {last}, given {bad}: elements",
                         trainer, x, seed=1, first_token=bad)
        for name in ("seed", "step", "first_token"):
            for bad in (1.0, True, "1", np.float32(1)):
                self.refuses(TypeError, f"^{name}: expected an integer, given ", trainer, x,
                             **{"seed": 1, name: bad})
        np.testing.assert_array_equal(
            trainer(x, seed=np.uint64(3), step=np.int32(4), first_token=np.array(5)),
            trainer(x, seed=3, step=4, first_token=5))


if __name__ == "__main__":
    unittest.main()
