"""Floats of 8 bits and what they mean, by a public implementation: tests/data/f8_e4m3.inc.

    python3 -m venv venv && venv/bin/pip install numpy ml_dtypes && venv/bin/python floats8.py

64 blocks of 8 lines: a code, an f32 scale, and the float32 that their product is, rounded once;
a float32 of at most 448 and the code of the nearest. Every code comes twice. Of floats a third lie
in the middle of two numbers, a third beside that, and the others anywhere.
"""
import pathlib

import ml_dtypes
import numpy as np

F8 = ml_dtypes.float8_e4m3fn
COUNT = 64 * 8


def scales(rng):
    """Of both signs and of every size that a product is a normal float with; some powers of two."""
    fraction = np.where(rng.integers(0, 8, COUNT) == 0, 1.0, rng.uniform(1, 2, COUNT))
    sign = np.where(rng.integers(0, 4, COUNT) == 0, -1.0, 1.0)
    return np.ldexp(sign * fraction, rng.integers(-100, 118, COUNT)).astype(np.float32)


def floats(rng):
    """Floats to round, none beyond the largest number."""
    low = rng.integers(0, 0x7e, COUNT, np.uint8)
    ends = low.view(F8).astype(np.float64), (low + np.uint8(1)).view(F8).astype(np.float64)
    middle = ((ends[0] + ends[1]) / 2).astype(np.float32)
    beside = (middle.view(np.uint32) + rng.choice([-1, 1], COUNT)).astype(np.uint32)
    anywhere = np.ldexp(rng.uniform(0.5, 1, COUNT), rng.integers(-12, 9, COUNT))
    given = np.choose(rng.integers(0, 3, COUNT),
                      [middle, beside.view(np.float32), anywhere.astype(np.float32)])
    # A 0 has no sign here.
    sign = np.where((rng.integers(0, 2, COUNT) == 0) & (given > 2.0 ** -10), -1, 1)
    return np.minimum(given, 448).astype(np.float32) * sign.astype(np.float32)


def main():
    rng = np.random.default_rng(31)
    codes = (np.arange(COUNT) * 37 % 256).astype(np.uint8)
    scale, given = scales(rng), floats(rng)
    with np.errstate(all="ignore"):
        exact = codes.view(F8).astype(np.float64) * scale.astype(np.float64)
        value = (exact + 0.0).astype(np.float32)
    bits = np.where(np.isnan(value), 0x7fc00000, value.view(np.uint32))
    nearest = given.astype(F8).view(np.uint8)
    lines = [f"/* Made by tests/data/floats8.py with ml_dtypes {ml_dtypes.__version__}, numpy "
             f"{np.__version__}: a code,\n * a scale, the float of both; a float, its code. */"]
    lines += [f"{{0x{c:02x}, 0x{s:08x}, 0x{v:08x}, 0x{g:08x}, 0x{n:02x}}}," for c, s, v, g, n in
              zip(codes, scale.view(np.uint32), bits, given.view(np.uint32), nearest)]
    (pathlib.Path(__file__).parent / "f8_e4m3.inc").write_text("\n".join(lines) + "\n")


main()
