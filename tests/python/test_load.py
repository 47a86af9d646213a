"""Where layers come from: specs, their text, vendored folders, libraries; the cache; mistakes."""
import os
import shutil
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import ffn
import numpy as np
from support import ROOT, normal, weights_for

SPEC = "linear 'tiny' { d_model = 3, d_out = 2, build = { { isa = { 'c' } } } }\n"


class Load(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        self.folder = Path(folder)
        self.cache = self.folder / "cache"
        patched = mock.patch.dict(os.environ, {"FFN_CACHE": str(self.cache)})
        patched.start()
        self.addCleanup(patched.stop)

    def computes(self, library):
        layer = library["tiny"]
        weights, x = weights_for(layer), normal(4, 3)
        exact = x.astype(float) @ weights["0.weight"].astype(float).T
        self.assertTrue(np.allclose(layer.pack(weights)(x), exact, atol=1e-5))

    def wrong(self, kind, message, *args, **kwargs):
        with self.assertRaisesRegex(kind, message):
            ffn.load(*args, **kwargs)

    def test_text_path_and_cache(self):
        spec = self.folder / "my.lua"
        spec.write_text(SPEC)
        self.computes(ffn.load(SPEC))
        made = list(self.cache.iterdir())
        self.assertEqual(len(made), 1)
        stamp = made[0].stat().st_mtime_ns
        self.computes(ffn.load(str(spec)))  # the same kernels, so the same library
        self.computes(ffn.load(spec, threads=2))
        self.assertEqual((list(self.cache.iterdir()), made[0].stat().st_mtime_ns), (made, stamp))
        self.computes(ffn.load(SPEC + "linear 'b' { d_model = 1, d_out = 1, build = "
                                      "{ { isa = { 'c' } } } }"))
        self.assertEqual(len(list(self.cache.iterdir())), 2)

    def test_few_tokens(self):
        limited = SPEC.replace("tiny", "one").replace("d_out", "max_tokens = 1, d_out")
        library = ffn.load(SPEC + limited)
        one, tiny = library["one"], library["tiny"]
        self.assertEqual((one.max_tokens, tiny.max_tokens), (1, None))
        x, tiny = normal(2, 3), tiny.pack(weights_for(tiny))
        one = one.use_packed(tiny.packed)
        self.assertTrue(np.array_equal(one(x[:1]), tiny(x)[:1]))
        with self.assertRaisesRegex(ValueError, "^x: 2 rows, and one takes at most 1: its"):
            one(x)

    def test_two_at_once(self):
        found = []
        loads = [threading.Thread(target=lambda: found.append(ffn.load(SPEC))) for _ in range(2)]
        for load in loads:
            load.start()
        for load in loads:
            load.join()
        for library in found:
            self.computes(library)
        self.assertEqual((len(found), len(list(self.cache.iterdir()))), (2, 1))

    def test_library_without_compiler_or_ffngen(self):
        library = self.folder / "tiny.so"
        ffn.build(SPEC, library)
        with mock.patch.dict(os.environ, {"PATH": "", "CC": "no-such-compiler"}):
            self.computes(ffn.load(library))
            self.wrong(ffn.BuildError, "is it installed", SPEC)

    def test_vendored_folders(self):
        spec = self.folder / "my.lua"
        spec.write_text(SPEC)
        for i, options in enumerate((["--prefix", "my", "--threads", "pthreads"],
                                     ["--prefix", "my", "--single-file"],
                                     ["--no-dispatch", "--isa", "c", "--freestanding"])):
            with self.subTest(options):
                out = self.folder / f"vendored{i}"
                subprocess.run([ROOT / "ffngen", "vendor", spec, "--out", out, *options],
                               check=True, capture_output=True)
                self.computes(ffn.load(out))
                if "--threads" in options:
                    self.computes(ffn.load(out, threads=2))
                else:
                    self.wrong(ValueError, "^threads: expected 1, for a folder vendored without", out, threads=2)

    def test_folder_without_reference(self):
        spec, out = self.folder / "my.lua", self.folder / "lean"
        spec.write_text(SPEC)
        subprocess.run([ROOT / "ffngen", "vendor", spec, "--out", out, "--isa", "c",
                        "--no-selfcheck"], check=True, capture_output=True)
        self.wrong(ffn.BuildError, "vendored with --no-selfcheck, .*: vendor it without", out)

    def test_mistakes(self):
        self.wrong(ffn.BuildError, r'^ffngen: spec.lua:2: ffn "a": .*"d_modle".*d_model',
                   "\nffn 'a' { variant = 'relu', d_modle = 3 }")
        self.wrong(FileNotFoundError, "^nope.lua: no such spec, vendored folder or library$",
                   "nope.lua")
        self.wrong(FileNotFoundError, "^nope.so: no such library$", "nope.so")
        self.wrong(FileNotFoundError, "this package was not installed", None)
        self.wrong(ffn.BuildError, "no header of layers", self.folder)
        for bad in (3, b"my.lua", ["my.lua"]):
            self.wrong(TypeError, f"^source: expected the path .*given {type(bad).__name__}$", bad)
        with self.assertRaisesRegex(TypeError, "^library: expected a path, given int$"):
            ffn.build(SPEC, 3)
        with self.assertRaisesRegex(KeyError, "no layer 'huge': there are tiny"):
            ffn.load(SPEC)["huge"]
        self.assertNotIn("huge", ffn.load(SPEC))

    def test_libraries_of_others(self):
        source, library = self.folder / "other.c", self.folder / "other.so"
        for text, message in (("int pyffn;", "other.so: not made by ffn.build"),
                              ("int pyffn_version(void) { return 0; }", "of another version")):
            source.write_text(text)
            library.unlink(missing_ok=True)
            subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
            renamed = library.rename(self.folder / f"{len(text)}.so")
            self.wrong(ValueError, message.replace("other.so", renamed.name), renamed)

    def test_compiled_without(self):
        with_all = ffn.load(SPEC)["tiny"]
        with_all = with_all.pack(weights_for(with_all))
        x, y = normal(4, 3), normal(4, 2)
        with mock.patch.dict(os.environ, {"CC": "cc -DFFN_NO_ADD -DFFN_NO_PACK"}):
            tiny = ffn.load(SPEC)["tiny"]
        without = r"^tiny was compiled without {0}\(\): build it without FFN_NO_{1}"
        with self.assertRaisesRegex(RuntimeError, without.format("pack", "PACK")):
            tiny.pack(weights_for(tiny))
        tiny = tiny.use_packed(with_all.packed)
        self.assertTrue(np.array_equal(tiny(x), with_all(x)))
        for call in (tiny.unpack, lambda: tiny.reference(x)):
            with self.assertRaisesRegex(RuntimeError, without.format("pack", "PACK")):
                call()
        with self.assertRaisesRegex(RuntimeError, without.format("add", "ADD")):
            tiny.add(x, y)

    def test_a_compiler_that_fails(self):
        with mock.patch.dict(os.environ, {"CC": "cc -no-such-option"}):
            self.wrong(ffn.BuildError, "no-such-option", SPEC)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_a_cache_that_cannot_be(self):
        self.cache.write_text("a file")
        self.wrong(ffn.BuildError, f"^{self.cache}: .*: set FFN_CACHE", SPEC)


if __name__ == "__main__":
    unittest.main()
