"""Numbers of 16 bits and what they mean, by public implementations: tests/data/bf16.inc, f16.inc.

    python3 -m venv venv && venv/bin/pip install numpy ml_dtypes && venv/bin/python halves.py

64 blocks of 8 lines: random bits and the float32 that they are; a float32 and the bits of the
nearest. Of floats a third are anything, a third lie around what the format holds, and a third in
the middle of two of its numbers, or a float beside it.
"""
import pathlib

import ml_dtypes
import numpy as np

FORMATS = {
    "bf16": (ml_dtypes.bfloat16, f"ml_dtypes {ml_dtypes.__version__}"),
    "f16": (np.float16, f"numpy {np.__version__}"),
}


def floats(rng, dtype, count):
    """Floats to round; no NaN, whose bits are nobody's promise."""
    anything = rng.integers(0, 1 << 32, count, np.uint32).view(np.float32)
    least, most = (-30, 20) if dtype == np.float16 else (-140, 128)
    around = np.ldexp(rng.uniform(-1, 1, count), rng.integers(least, most, count))
    low = rng.integers(0, 0x7c00 if dtype == np.float16 else 0x7f80, count, np.uint16)
    ends = low.view(dtype).astype(np.float64), (low + np.uint16(1)).view(dtype).astype(np.float64)
    largest = np.ldexp(1.0, 16 if dtype == np.float16 else 128)  # what would come next
    middle = (ends[0] + np.where(np.isinf(ends[1]), largest, ends[1])) / 2
    beside = middle.astype(np.float32).view(np.uint32) + rng.integers(-1, 2, count)
    choice = rng.integers(0, 3, count)
    with np.errstate(all="ignore"):
        given = np.choose(choice, [anything, around.astype(np.float32),
                                   beside.astype(np.uint32).view(np.float32)])
    return np.where(np.isnan(given), np.float32(0), given).astype(np.float32)


for name, (dtype, version) in FORMATS.items():
    rng = np.random.default_rng(30)
    bits = rng.integers(0, 1 << 16, 64 * 8, np.uint16)
    with np.errstate(all="ignore"):
        values = bits.view(dtype).astype(np.float32).view(np.uint32)
        given = floats(rng, dtype, bits.size)
        nearest = given.astype(dtype).view(np.uint16)
    lines = [f"/* Made by tests/data/halves.py with {version}: bits, their float; a float, its bits. */"]
    lines += [f"{{0x{b:04x}, 0x{v:08x}, 0x{g:08x}, 0x{n:04x}}}," for b, v, g, n in
              zip(bits, values, given.view(np.uint32), nearest)]
    (pathlib.Path(__file__).parent / f"{name}.inc").write_text("\n".join(lines) + "\n")
