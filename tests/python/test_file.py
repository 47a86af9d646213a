"""Packed files, written here by what runtime/ffn_file.h says of them."""
import copy
import gc
import os
import pickle
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import ffn
import numpy as np
from support import normal, weights_for

SPEC = """
local build = { { isa = { 'c' } } }
ffn 'one' { variant = 'swiglu', d_model = 6, d_ff = 10, build = build }
linear 'two' { d_model = 6, d_out = 6, bias = true, weights = 'bf16', build = build }
"""
LIMITED = """
local build = { { isa = { 'c' } } }
local function of(name, most)
  ffn(name) { variant = 'swiglu', d_model = 6, d_ff = 10, build = build, max_tokens = most }
end
"""
AT_EXIT = """
import atexit, gc, sys
layers = []
def last():  # behind whatever else ends, as it was there first
    print(*(layer(x).sum() for layer in layers), flush=True)
atexit.register(last)
import threading
import ffn, numpy as np
x = np.ones((4, 6), np.float32)
file = ffn.File(sys.argv[1], ffn.load(sys.argv[2]))
layers += [file[0], file[1], file[0].use_packed(file[0].packed)]
def always():
    while True:
        layers[0](x)
threading.Thread(target=always, daemon=True).start()
print(*(layer(x).sum() for layer in layers), flush=True)
del file
gc.collect()
"""
OTHER = "linear 'three' { d_model = 3, d_out = 2, build = { { isa = { 'c' } } } }"

FIRST, SECOND, THIRD = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
FOURTH, FIFTH = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MASK = (1 << 64) - 1


def turn(x, bits):
    x &= MASK
    return (x << bits | x >> (64 - bits)) & MASK


def xxh64(data):
    """XXH64 with seed 0, as its specification has it."""
    def one(lane, word):
        return turn(lane + word * SECOND, 31) * FIRST & MASK

    at, value = 0, FIFTH
    if len(data) >= 32:
        lanes = [FIRST + SECOND, SECOND, 0, -FIRST]
        while at + 32 <= len(data):
            words = struct.unpack_from("<4Q", data, at)
            lanes = [one(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        value = sum(turn(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18)))
        for lane in lanes:
            value = (value ^ one(0, lane)) * FIRST + FOURTH & MASK
    value = value + len(data) & MASK
    while at + 8 <= len(data):
        value = turn(value ^ one(0, struct.unpack_from("<Q", data, at)[0]), 27) * FIRST + FOURTH
        at += 8
    if at + 4 <= len(data):
        value = turn((value & MASK) ^ struct.unpack_from("<I", data, at)[0] * FIRST, 23)
        value = value * SECOND + THIRD
        at += 4
    for byte in data[at:]:
        value = turn((value & MASK) ^ byte * FIFTH, 11) * FIRST
    value &= MASK
    value = (value ^ value >> 33) * SECOND & MASK
    value = (value ^ value >> 29) * THIRD & MASK
    return value ^ value >> 32


def packed_file(layers, tables=(), version=None, plan=None):
    """(name, ffn_kernel.packed, formats, packed bytes) of each layer, and (name, encoding, count,
    width, bytes) of each table, as a file."""
    words, table, places = b"", [], []
    begin = 64 + 96 * len(layers) + 64 * len(tables)
    for name, kernel, formats, *_ in layers:
        texts = [text.encode() + b"\0" for text in (name, kernel, formats)]
        places.append([begin + len(words) + len(b"".join(texts[:i])) for i in range(3)])
        words += b"".join(texts)
    word_at = [begin + len(words)]
    for name, encoding, *_ in tables:
        words += name.encode() + b"\0" + encoding.encode() + b"\0"
        word_at.append(begin + len(words))
    words += b"" if plan is None else b"plan " + plan.encode() + b"\0"
    head, body = begin + len(words), b""
    for i, (_, kernel, formats, packed, *place) in enumerate(layers):
        size = {letter: int(number) for letter, number in re.findall(r"_([dfo])(\d+)(?=_)", kernel)}
        several = re.search(r"_to((_[a-z]+\d+)+)_", kernel)
        if several:
            size["o"] = sum(map(int, re.findall(r"\d+", several[1])))
        at = -(-(head + len(body)) // 16384) * 16384
        body += bytes(at - head - len(body)) + packed
        table.append(struct.pack("<7Q6I2Q", at, len(packed), xxh64(packed[64:] + packed[:64]),
                                 *struct.unpack_from("<Q", packed, 8), size["d"], size.get("f", 0),
                                 size.get("o", size["d"]), *(place or (i, 0)), *places[i], len(formats.split()),
                                 0, 0))
    for at_word, (name, _, count, width, data) in zip(word_at, tables):
        at = -(-(head + len(body)) // 64) * 64
        body += bytes(at - head - len(body)) + data
        table.append(struct.pack("<5Q2I2Q", at, len(data), xxh64(data), count, width, at_word,
                                 at_word + len(name) + 1, 0, 0))
    front = b"FFNMODEL" + struct.pack("<4I4Q", 0x01020304, version or 2, 1, len(layers),
                                      head + len(body), head, len(tables), 0)
    rest = b"".join(table) + words
    return front + struct.pack("<Q", xxh64(front + rest)) + rest + body


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = ffn.load(SPEC)
        self.layers = [layer.pack(weights_for(layer)) for layer in self.library.values()]
        self.path = self.folder / "model.ffn"
        self.names = ["ffn_swiglu_d6_f10_f32", "linear_bias_d6_o6_bf16"]
        self.bytes = packed_file([
            (f"layers.{i}", name, formats, layer.packed.tobytes())
            for i, (layer, name, formats) in enumerate(
                zip(self.layers, self.names, ("f32 f32", "bf16")))])
        self.path.write_bytes(self.bytes)

    def refused(self, text, data=None, library=None):
        self.path.write_bytes(self.bytes if data is None else data)
        with self.assertRaisesRegex(ValueError, f"model.ffn.*: .*{text}"):
            list(ffn.File(self.path, library or self.library))

    def test_layers(self):
        file = ffn.File(self.path, self.library)
        self.assertEqual((len(file), file.names), (2, ["layers.0", "layers.1"]))
        self.assertEqual(file.places, [(0, 0), (1, 0)])
        self.assertEqual(file.formats, [["f32", "f32"], ["bf16"]])
        file.check()
        x = normal(4, 6)
        for layer, own in zip(file, self.layers):
            np.testing.assert_array_equal(layer(x), own(x))
            self.assertFalse(layer.packed.flags.writeable)
        self.assertEqual(file[-1].name, "two")
        self.assertEqual([layer.name for layer in file[:]], ["one", "two"])
        with self.assertRaises(IndexError):
            file[2]

    def test_version_1(self):
        """What was written before there were tables."""
        self.path.write_bytes(packed_file([("layers.0", self.names[0], "f32 f32",
                                            self.layers[0].packed.tobytes())], version=1))
        file = ffn.File(self.path, self.library)
        self.assertEqual((file.names, file.tables), (["layers.0"], {}))
        file.check()

    def test_plan(self):
        """The last word, where it is one of a plan."""
        layers = [("layers.0", self.names[0], "f32 f32", self.layers[0].packed.tobytes())]
        number = "0123456789abcdef"
        for plan, told in ((number, number), (None, ""), (number[:-1], ""), (number + "0", ""),
                           (number[:9] + "\0" + number[10:], ""), ("", "")):
            for tables in ((), self.tables()[0]):
                self.path.write_bytes(packed_file(layers, tables, plan=plan))
                self.assertEqual(ffn.File(self.path, self.library).plan, told, plan)
        # A name that looks so is no such word: that of an encoding follows.
        self.path.write_bytes(packed_file(layers, [(f"plan {number}", "f32", 1, 1, bytes(4))]))
        self.assertEqual(ffn.File(self.path, self.library).plan, "")

    def tables(self):
        """Rows of floats, of halves and of blocks: d of 0.5, and numbers from -8 on."""
        floats, halves = normal(1, 6), normal(5, 6).astype(np.float16)
        blocks = b"".join(struct.pack("<e", 0.5) + bytes(16 * [low | 15 - low << 4])
                          for low in range(6))
        return [("embedding", "q4_0", 3, 64, blocks), ("norm", "f32", 1, 6, floats.tobytes()),
                ("positions", "f16", 5, 6, halves.tobytes())], floats, halves

    def test_rows(self):
        tables, floats, halves = self.tables()
        self.path.write_bytes(packed_file([("layers.0", self.names[0], "f32 f32",
                                            self.layers[0].packed.tobytes())], tables))
        file = ffn.File(self.path, self.library)
        self.assertEqual(file.tables, {"embedding": (3, 64, "q4_0"), "norm": (1, 6, "f32"),
                                       "positions": (5, 6, "f16")})
        self.assertEqual(file.tables["embedding"].encoding, "q4_0")
        file.check()
        np.testing.assert_array_equal(file.rows("norm"), floats)
        np.testing.assert_array_equal(file.rows("norm", 0), floats[0])
        wide = halves.astype(np.float32)
        for which in (3, -1, [4, 0, 4], np.array([[1, 2], [-5, 3]]), np.uint8(2)):
            rows = file.rows("positions", which)
            self.assertEqual(rows.dtype, np.float32)
            np.testing.assert_array_equal(rows, wide[which])
        self.assertEqual(file.rows("positions", []).shape, (0, 6))
        expected = [[0.5 * (q - 8) for block in (2 * row, 2 * row + 1)
                     for q in [block] * 16 + [15 - block] * 16] for row in range(3)]
        np.testing.assert_array_equal(file.rows("embedding"), expected)
        again = pickle.loads(pickle.dumps(file))
        np.testing.assert_array_equal(again.rows("embedding", 2), expected[2])
        for which in (5, -6, [0, 5]):
            with self.assertRaisesRegex(IndexError, "model.ffn, positions: it has 5 rows"):
                file.rows("positions", which)
        with self.assertRaisesRegex(TypeError, "which: expected integers"):
            file.rows("positions", 1.0)
        with self.assertRaisesRegex(KeyError, "it has no rows 'other'"):
            file.rows("other")

    def test_rows_refused(self):
        tables = self.tables()[0]
        layers = [("layers.0", self.names[0], "f32 f32", self.layers[0].packed.tobytes())]
        data = packed_file(layers, tables)
        self.path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        with self.assertRaisesRegex(ValueError, "model.ffn, positions: it is corrupted"):
            ffn.File(self.path, self.library).check()
        self.refused("it is corrupted", packed_file(layers, tables[::-1]))
        self.refused("it is corrupted", packed_file(layers, tables, version=1))

    def test_parts(self):
        """ffn.PARTS are those of ffn_file.h."""
        header = Path(__file__).parents[2] / "runtime/ffn_file.h"
        parts = re.findall(r"#define FFN_PART_(\w+) (0x\w+)u ", header.read_text())
        self.assertEqual({name.lower(): int(value, 16) for name, value in parts}, ffn.PARTS)

    def test_outlives_the_file(self):
        layer, x = ffn.File(self.path, self.library)[0], normal(4, 6)
        gc.collect()
        self.path.unlink()
        np.testing.assert_array_equal(layer(x), self.layers[0](x))
        again = layer.use_packed(layer.packed)
        del layer
        gc.collect()
        np.testing.assert_array_equal(again(x), self.layers[0](x))

    def test_copies(self):
        file, x = ffn.File(self.path, self.library), normal(4, 6)
        for made in (copy.copy(file), copy.deepcopy(file)):
            self.assertIs(made, file)
        layers = [copy.copy(file[0]), copy.deepcopy(file[0])]
        again = pickle.loads(pickle.dumps(file))
        self.assertIsNot(again, file)
        self.assertEqual((again.names, again.path), (file.names, file.path))
        layers += [again[0], pickle.loads(pickle.dumps(file[0]))]
        data = pickle.dumps(file)
        del file, again, made
        gc.collect()
        for layer in layers:
            np.testing.assert_array_equal(layer(x), self.layers[0](x))
        self.path.unlink()
        with self.assertRaisesRegex(FileNotFoundError, "model.ffn"):
            pickle.loads(data)
        self.path.write_bytes(packed_file([("other", self.names[0], "f32 f32",
                                            self.layers[0].packed.tobytes())]))
        with self.assertRaisesRegex(ValueError, "model.ffn: this is not the file that was pickled"):
            pickle.loads(data)

    def test_calls_at_exit(self):
        """By a thread that does not end, and by a function that runs behind all finalisers."""
        ffn.build(SPEC, self.folder / "my.so")
        done = subprocess.run([sys.executable, "-c", AT_EXIT, self.path, self.folder / "my.so"],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(Path(ffn.__file__).parents[1])})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        first, last = done.stdout.splitlines()
        self.assertEqual(first, last)

    def test_a_kernel_for_any_number_of_tokens(self):
        for limits, told in (((1, 8, None), ("c", None)), ((1, 8), ("b", 8))):
            lines = [f"of('{name}', {most or 'nil'})" for name, most in zip("abc", limits)]
            library = ffn.load(LIMITED + "\n".join(lines))
            layer = ffn.File(self.path, library)[0]
            self.assertEqual((layer.name, layer.max_tokens), told)
            x = normal(layer.max_tokens or 9, 6)
            np.testing.assert_array_equal(layer(x), self.layers[0](x))

    def test_what_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        for path in (self.folder / "pipe", self.folder, os.devnull):
            with self.assertRaisesRegex(ValueError, f"^{path}: it is not a regular file"):
                ffn.File(path, self.library)
        for path in (None, 3, ["model.ffn"]):
            with self.assertRaisesRegex(TypeError, "^path: expected a path, given"):
                ffn.File(path, self.library)

    def test_refused(self):
        self.refused("it is cut short", self.bytes[:-1])
        self.refused("it is corrupted", self.bytes[:70] + b"x" + self.bytes[71:])
        self.refused("it is no file of packed weights", b"something else, as long as a header is....")
        self.refused("of the other byte order", self.bytes[:8] + b"\1\2\3\4" + self.bytes[12:])
        self.refused("has no kernel of ffn_swiglu_d6_f10_f32", library=ffn.load(OTHER))
        with self.assertRaises(FileNotFoundError):
            ffn.File(self.folder / "nowhere", self.library)
        with self.assertRaisesRegex(TypeError, "expected an ffn.Library, given dict"):
            ffn.File(self.path, {})

    def test_check(self):
        self.path.write_bytes(self.bytes[:-1] + bytes([self.bytes[-1] ^ 1]))
        file = ffn.File(self.path, self.library)
        with self.assertRaisesRegex(ValueError, "model.ffn, layers.1: it is corrupted"):
            file.check()


if __name__ == "__main__":
    unittest.main()
