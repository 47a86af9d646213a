"""Blocks of GGUF's formats and the floats that they are: tests/data/blocks/*.inc.

    python3 -m venv venv && venv/bin/pip install gguf==0.19.0 numpy && venv/bin/python blocks.py

A folder as an argument takes the files in place of tests/data/blocks. For each format 64 blocks of
random bytes, their scales drawn apart: most are ordinary, some subnormal, a few 0. A line is a
block, the FNV-1a hash of its values' bits, and the values; of 256 values those of the first 16
blocks alone. The values are the floats nearest to what the format defines, in rational numbers;
the package has to agree but where the first line says so, or no file is made. For q8_0 and q4_0
there are blocks of floats, too, and the bytes that the package makes of them.
"""
import importlib.metadata
import pathlib
import sys
from fractions import Fraction

import gguf
import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

BLOCKS, WHOLE = 64, 16
VERSION = f"gguf {importlib.metadata.version('gguf')}, numpy {np.__version__}"
NAN = 0x7fc00000
E2M1 = [Fraction(n, 2) for n in (0, 1, 2, 3, 4, 6, 8, 12)]
E2M1 += [-v for v in E2M1]
LEVELS = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113]


def half(block, at):
    """A finite f16 by its definition, and whether its sign is set."""
    bits = block[at] | block[at + 1] << 8
    exponent, fraction = bits >> 10 & 31, bits & 1023
    assert exponent < 31
    size = Fraction(1024 + fraction if exponent else fraction) * 2 ** max(exponent, 1)
    return size / 2 ** 25 * (-1 if bits >> 15 else 1)


def nibble(block, at, k, count=16):
    """Low halves of `count` bytes, then high ones."""
    return block[at + k % count] >> (k // count % 2 * 4) & 15


def fifth(block, at, k):
    return (block[at + k // 8] >> k % 8 & 1) << 4


def six_bits(block, j):
    """Scale and minimum of 32 values of a K-quant."""
    s = block[4:16]
    if j < 4:
        return s[j] & 63, s[j + 4] & 63
    return s[j + 4] & 15 | s[j - 4] >> 6 << 4, s[j + 4] >> 4 | s[j] >> 6 << 4


def signed(byte):
    return byte - 256 if byte > 127 else byte


def k_quant(block, k, q):
    scale, minimum = six_bits(block, k // 32)
    return half(block, 0) * scale * q, -half(block, 2) * minimum


def q4_k(block, k):
    return k_quant(block, k, nibble(block, 16 + k // 64 * 32, k % 64, 32))


def q5_k(block, k):
    high = (block[16 + k % 32] >> k // 32 & 1) << 4
    return k_quant(block, k, nibble(block, 48 + k // 64 * 32, k % 64, 32) | high)


def q6_k(block, k):
    part, quarter, place = k // 128, k % 128 // 32, k % 32
    low = block[64 * part + 32 * (quarter % 2) + place] >> (quarter // 2 * 4) & 15
    high = block[128 + 32 * part + place] >> 2 * quarter & 3
    return half(block, 208) * signed(block[192 + k // 16]) * (low + 16 * high - 32),


def mxfp4(block, k):
    if block[0] == 255:
        return None
    return E2M1[nibble(block, 1, k)] * Fraction(2) ** (block[0] - 127),


def nvfp4(block, k):
    byte = block[k // 16]
    exponent, fraction = byte >> 3 & 15, byte & 7
    scale = Fraction(8 + fraction if exponent else fraction) * 2 ** max(exponent, 1) / 2 ** 10
    return E2M1[nibble(block, 4 + k // 16 * 8, k % 16, 8)] * (0 if byte == 0x7f else scale),


def iq4_xs(block, k):
    j = k // 32
    low = block[4 + j // 2] >> j % 2 * 4 & 15
    high = (block[2] | block[3] << 8) >> 2 * j & 3
    scale = half(block, 0) * (low + 16 * high - 32)
    return scale * LEVELS[nibble(block, 8 + 16 * j, k % 32)],


# What a value is a sum of; None where it is a NaN. Places of scales: f16, and bytes.
FORMATS = {
    "q8_0": (lambda b, k: (half(b, 0) * signed(b[2 + k]),), (0,)),
    "q4_0": (lambda b, k: (half(b, 0) * (nibble(b, 2, k) - 8),), (0,)),
    "q4_1": (lambda b, k: (half(b, 0) * nibble(b, 4, k), half(b, 2)), (0, 2)),
    "q5_0": (lambda b, k: (half(b, 0) * (nibble(b, 6, k) + fifth(b, 2, k) - 16),), (0,)),
    "q5_1": (lambda b, k: (half(b, 0) * (nibble(b, 8, k) + fifth(b, 4, k)), half(b, 2)), (0, 2)),
    "q4_K": (q4_k, (0, 2)),
    "q5_K": (q5_k, (0, 2)),
    "q6_K": (q6_k, (208,)),
    "mxfp4": (mxfp4, ()),
    "nvfp4": (nvfp4, ()),
    "iq4_nl": (lambda b, k: (half(b, 0) * LEVELS[nibble(b, 2, k)],), (0,)),
    "iq4_xs": (iq4_xs, (0,)),
}


def nearest(terms):
    """The bits of the float nearest to a sum of rational numbers, a zero as +0."""
    if terms is None:
        return NAN
    value = sum(terms)
    double = float(value)
    assert Fraction(double) == value  # so it is rounded once
    with np.errstate(over="ignore"):
        return int(np.float32(double).view(np.uint32))


def values_of(name, block):
    decode, _ = FORMATS[name]
    return [nearest(decode(block, k)) for k in range(sizes(name)[0])]


def kind_of(name):
    return GGMLQuantizationType[name.upper()]


def sizes(name):
    return GGML_QUANT_SIZES[kind_of(name)]


def halves(rng, count):
    """Scales: of 16 blocks 11 ordinary, 2 any finite, 2 subnormal, 1 zero; of both signs."""
    ordinary = rng.integers(5, 21, count) << 10 | rng.integers(0, 1024, count)
    choice = [0] * 11 + [1] * 2 + [2] * 2 + [3]
    kinds = rng.permutation(np.resize(choice, count))
    finite, subnormal = rng.integers(0, 0x7c00, count), rng.integers(1, 1024, count)
    low = np.choose(kinds, [ordinary, finite, subnormal, 0])
    return (low | rng.integers(0, 2, count) << 15).astype("<u2")


def random_blocks(rng, name):
    """Random bytes with their scales; exponents at both ends, which chance would miss."""
    blocks = rng.integers(0, 256, (BLOCKS, sizes(name)[1]), np.uint8)
    for at in FORMATS[name][1]:
        blocks[:, at:at + 2] = halves(rng, BLOCKS).view(np.uint8).reshape(BLOCKS, 2)
    if name == "mxfp4":
        blocks[:8, 0] = [0, 1, 2, 127, 252, 253, 254, 255]
    if name == "nvfp4":
        blocks[0, :4], blocks[1, :4] = [0, 1, 0x7e, 0x7f], [0x80, 0x81, 0xfe, 0xff]
    return blocks


def by_package(name, blocks):
    with np.errstate(all="ignore"):
        return gguf.dequantize(blocks, kind_of(name)).view(np.uint32)


def compare(name, blocks, exact):
    """What the package has of its own; and, of sums, the sign of a zero, which is IEEE's."""
    package = by_package(name, blocks)
    zeros = nans = twice = 0
    minima = len(FORMATS[name][1]) == 2
    for b, row in enumerate(exact):
        for k, (is_, should) in enumerate(zip(package[b].tolist(), row)):
            if is_ == should:
                continue
            if should == 0 and is_ == 0x80000000:
                if minima:
                    row[k] = is_
                else:
                    zeros += 1
            elif should == NAN and name == "mxfp4":
                nans += 1
            else:
                assert abs(is_ - should) == 1, f"{name}: value {k} of {b}: {is_:08x}, {should:08x}"
                twice += 1
    count = len(exact) * len(exact[0])
    return (f"of {count} values the package gives {zeros} zeros a sign, {nans} NaN a number, "
            f"rounds {twice} twice")


def fnv(values):
    state = 0xcbf29ce484222325
    for byte in np.array(values, "<u4").tobytes():
        state = (state ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return state


def quoted(block):
    text = bytes(block).hex()
    return "\n ".join(f'"{text[i:i + 96]}"' for i in range(0, len(text), 96))


def listed(values):
    rows = [", ".join(f"0x{v:08x}" for v in values[i:i + 8]) for i in range(0, len(values), 8)]
    return "VALUES(\n " + ",\n ".join(rows) + ")"


def write(folder, name, about, lines):
    head = f"/* Made by tests/data/blocks.py with {VERSION}:\n * {about}. */"
    (folder / f"{name}.inc").write_text("\n".join([head] + lines) + "\n")


def write_blocks(folder, name):
    rng = np.random.default_rng(30)
    blocks = random_blocks(rng, name)
    exact = [values_of(name, block.tolist()) for block in blocks]
    about = compare(name, blocks, exact)
    lines = []
    for i, (block, values) in enumerate(zip(blocks, exact)):
        shown = listed(values) if len(values) < 256 or i < WHOLE else "NULL"
        lines.append(f"{{{quoted(block)},\n 0x{fnv(values):016x},\n {shown}}},")
    write(folder, name, about, lines)


def float_blocks(rng):
    """Of one size, of many, zeros, ties between two q; two of the same size, of other signs."""
    with np.errstate(all="ignore"):
        w = rng.standard_normal((BLOCKS, 32)) * np.ldexp(1.0, rng.integers(-20, 10, (BLOCKS, 1)))
        w[32:48] *= np.ldexp(1.0, rng.integers(-20, 1, (16, 32)))
        w[48:52] *= 2.0 ** -100
    w[52] = 0
    w[53], w[53, 7] = np.arange(-16, 16) + 0.5, -127  # q8_0: d = 1
    w[54], w[54, 9] = np.arange(32) / 2 - 7.5, -8  # q4_0: d = 1
    w[55], w[55, [3, 20]] = rng.standard_normal(32), [5, -5]
    w[56], w[56, [3, 20]] = rng.standard_normal(32), [-5, 5]
    w[57] = rng.integers(-127, 128, 32) * 0.5
    w[58], w[58, 31] = 0, -3e-30  # whose f16 scale is 0
    w[59] *= 65504 / np.abs(w[59]).max()
    return w.astype(np.float32)


def write_encoded(folder, name):
    floats = float_blocks(np.random.default_rng(31))
    with np.errstate(all="ignore"):
        made = gguf.quantize(floats, kind_of(name))
    assert made.shape == (BLOCKS, sizes(name)[1])
    lines = [f"{{{quoted(block)},\n 0,\n {listed(row)}}}," for block, row in
             zip(made, floats.view(np.uint32).tolist())]
    write(folder, f"{name}_encoded", "blocks that the package makes of floats", lines)


def main():
    own = pathlib.Path(__file__).parent / "blocks"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else own
    folder.mkdir(exist_ok=True)
    for name in FORMATS:
        write_blocks(folder, name)
    for name in ("q8_0", "q4_0"):
        write_encoded(folder, name)


main()
