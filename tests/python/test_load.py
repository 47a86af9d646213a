"""Where layers come from: specs, their text, vendored folders, libraries; the cache; mistakes."""
import fcntl
import hashlib
import os
import pickle
import shutil
import stat
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

    def libraries(self):
        return sorted(self.cache.glob("*.so"))

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
        made = self.libraries()
        self.assertEqual(len(made), 1)
        stamp = made[0].stat().st_mtime_ns
        self.computes(ffn.load(str(spec)))  # the same kernels, so the same library
        self.computes(ffn.load(spec, threads=2))
        self.assertEqual((self.libraries(), made[0].stat().st_mtime_ns), (made, stamp))
        self.computes(ffn.load(SPEC + "linear 'b' { d_model = 1, d_out = 1, build = "
                                      "{ { isa = { 'c' } } } }"))
        self.assertEqual(len(self.libraries()), 2)

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
        self.assertEqual((len(found), len(self.libraries())), (2, 1))

    def test_library_takes_the_place_of_libraries_alone(self):
        library = self.folder / "tiny.so"
        ffn.build(SPEC, library)
        made = library.read_bytes()
        own = {"model.safetensors": b"\x10" + bytes(40), "empty": b"", "note": b"my own",
               "other.so": made[:64]}  # begins as every library does
        for name, text in own.items():
            (self.folder / name).write_bytes(text)
            self.wrong_build("did not make this file: move", self.folder / name)
            self.assertEqual((self.folder / name).read_bytes(), text)
        (self.folder / "link").symlink_to("tiny.so")
        (self.folder / "lost").symlink_to("nowhere")
        os.mkfifo(self.folder / "pipe")
        for name, message in (("link", "symbolic link"), ("lost", "symbolic link"),
                              ("pipe", "not a regular file"), (".", "not a regular file")):
            self.wrong_build(message, self.folder / name)
        # What a dead run left goes; what somebody holds, and other files, stay.
        for name in (".ffn-new-dead", ".ffn-new-held", ".new-other"):
            (self.folder / name).write_bytes(b"")
        with open(self.folder / ".ffn-new-held", "wb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            ffn.build(SPEC, library)
            self.assertEqual(sorted(p.name for p in self.folder.glob(".*new-*")),
                             [".ffn-new-held", ".new-other"])
        self.assertEqual(library.read_bytes(), made)
        self.assertEqual(os.readlink(self.folder / "link"), "tiny.so")

    def wrong_build(self, message, library):
        with self.assertRaisesRegex(ffn.BuildError, message):
            ffn.build(SPEC, library)

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

    def test_vendored_folders_with_weights(self):
        spec, weights = self.folder / "my.lua", self.folder / "my.bin"
        spec.write_text(SPEC)
        given, x = {"0.weight": normal(2, 3)}, normal(4, 3)
        given["0.weight"].tofile(weights)
        for i, options in enumerate((["--threads", "pthreads"],
                                     ["--prefix", "my", "--single-file"],
                                     ["--no-dispatch", "--isa", "c", "--freestanding"])):
            with self.subTest(options):
                out = self.folder / f"vendored{i}"
                subprocess.run([ROOT / "ffngen", "vendor", spec, "--out", out, "--weights", weights,
                                *options], check=True, capture_output=True)
                tiny = ffn.load(out)["tiny"]
                packed = tiny.pack(given)
                np.testing.assert_array_equal(tiny(x), packed(x))
                np.testing.assert_array_equal(tiny.unpack()["0.weight"], given["0.weight"])
                np.testing.assert_array_equal(tiny.packed, packed.packed)
                with self.assertRaises(ValueError):
                    tiny.packed.flags.writeable = True
                np.testing.assert_array_equal(pickle.loads(pickle.dumps(tiny))(x), tiny(x))
        other = tiny.pack({"0.weight": 2 * given["0.weight"]})
        np.testing.assert_array_equal(other(x), 2 * tiny(x))

    def test_what_a_source_is(self):
        """By what is there, and by its form where nothing is."""
        odd = self.folder / "a{b} 'c'"
        odd.mkdir()
        for name in ("s.lua", "net.so.lua", "no suffix", "-s{.lua"):
            (odd / name).write_text(SPEC)
            for path in (odd / name, str(odd / name)):
                self.computes(ffn.load(path))
        for name in ("net.so", "libnet.so.1.2", "a library"):
            library = odd / name
            shutil.copy(self.libraries()[0], library)
            self.computes(ffn.load(str(library)))
        self.wrong(FileNotFoundError, "^a{b}/s.lua: there is no such spec, vendored folder "
                   "or library$", "a{b}/s.lua")
        self.wrong(FileNotFoundError, "^net.so.lua: there is no such spec", "net.so.lua")
        self.wrong(FileNotFoundError, "^{'}: there is no such spec", Path("{'}"))
        self.wrong(FileNotFoundError, "^a{b}/libnet.so.1: there is no such library$",
                   "a{b}/libnet.so.1")
        self.computes(ffn.load(SPEC.strip() + " -- made net.so"))
        self.wrong(ValueError, "^source: expected the path .*, given str ''$", "")
        with self.assertRaisesRegex(ValueError, "a library: a library, where a spec or a vendored"):
            ffn.build(library, self.folder / "my.so")

    def test_mistakes(self):
        self.wrong(ffn.BuildError, r'^ffngen: spec.lua:2: ffn "a": .*"d_modle".*d_model',
                   "\nffn 'a' { variant = 'relu', d_modle = 3 }")
        self.wrong(FileNotFoundError, "^nope.lua: there is no such spec, vendored folder or "
                   "library$", "nope.lua")
        self.wrong(FileNotFoundError, "^nope.so: there is no such library$", "nope.so")
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

    def test_damaged_libraries(self):
        good, bad = self.folder / "good.so", self.folder / "bad.so"
        ffn.build(SPEC, good)
        data = good.read_bytes()
        damaged = (rf"^{bad}: the library is damaged, or not for this system \(.+\): make the "
                   r"library again with ffn.build\(\)$")
        for cut in (0, 3, 63, 64, 500, 1000, len(data) // 4, len(data) // 2, len(data) - 1):
            bad.write_bytes(data[:cut])
            self.wrong(ValueError, damaged, bad)
        for other in (SPEC.encode(), b"\x7fELF" + bytes(len(data)), bytes(64) + data[64:]):
            bad.write_bytes(other)
            self.wrong(ValueError, damaged, bad)
        bad.unlink()
        os.mkfifo(bad)  # nobody writes to it
        self.wrong(FileNotFoundError, "there is no such library", bad)
        self.computes(ffn.load(good))

    def test_a_library_that_is_built_anew(self):
        library = self.folder / "my.so"
        ffn.build(SPEC, library)
        old = ffn.load(library)
        ffn.build(SPEC.replace("d_out = 2", "d_out = 5"), library)
        self.assertEqual(ffn.load(library)["tiny"].outputs, 5)
        self.computes(old)

    def test_a_damaged_cache(self):
        ffn.load(SPEC)
        made, = self.libraries()
        good = made.read_bytes()
        changed = bytearray(good)
        changed[len(good) // 2] ^= 1
        for bad in (b"", good[:1000], bytes(changed)):
            made.unlink()  # a library that was loaded is in use
            made.write_bytes(bad)
            self.computes(ffn.load(SPEC))
            self.assertEqual([path.read_bytes() for path in self.libraries()], [good])
            stamp = made.stat().st_mtime_ns
            ffn.load(SPEC)
            self.assertEqual(made.stat().st_mtime_ns, stamp)

    def test_a_cached_library_of_another_system(self):
        """As a home that several machines share may have it: it is made anew, once."""
        ffn.load(SPEC)
        made, = self.libraries()
        key, other = made.name.split("-")[0], b"of another system"
        made.unlink()
        foreign = self.cache / f"{key}-{hashlib.sha256(other).hexdigest()[:32]}.so"
        foreign.write_bytes(other)
        self.computes(ffn.load(SPEC))
        self.assertEqual(self.libraries(), [made])
        with mock.patch.object(ffn.binding, "opened", side_effect=ffn.opening.Unloadable("no")), \
                mock.patch.object(ffn.building, "compiled", wraps=ffn.building.compiled) as makes:
            self.wrong(ValueError, "^no$", SPEC)
            self.assertEqual(makes.call_count, 1)

    def test_files_survive_a_power_cut(self):
        """What a library holds is on the disk before it has its name, and its name before build()
        is over."""
        steps = []

        def synced(handle):
            steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")

        def renamed(old, new):
            steps.append("name")
            os.rename(old, new)

        with mock.patch("os.fsync", synced), mock.patch("os.replace", renamed):
            ffn.build(SPEC, self.folder / "my.so")
            ffn.load(SPEC)
        self.assertEqual(steps, 3 * ["file", "name", "folder"])  # an entry of the index, too

    def test_a_cache_that_is_read_only(self):
        ffn.load(SPEC)
        with mock.patch("tempfile.mkstemp", side_effect=OSError(30, "Read-only file system")):
            self.computes(ffn.load(SPEC))
            other = SPEC.replace("tiny", "other")
            self.wrong(ffn.BuildError, r"\.so: Read-only file system: nothing was written$", other)

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
