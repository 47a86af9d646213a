"""The index of the cache: loads that start no program, and what makes them compile anew."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import ffn
from ffn import building, index, machine
from ffn.building import Source

SPEC = "linear 'tiny' { d_model = 3, d_out = 2 }\n"
AVX2 = ("avx", "avx2", "f16c", "fma")


class Index(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.cache = self.folder / "cache"
        patched = mock.patch.dict(os.environ, {"FFN_CACHE": str(self.cache)})
        patched.start()
        self.addCleanup(patched.stop)

    def names(self, pattern):
        return sorted(path.name for path in self.cache.glob(pattern))

    @contextlib.contextmanager
    def nothing_is_made(self):
        with mock.patch("subprocess.run", side_effect=AssertionError("a process")):
            yield

    def test_no_process(self):
        spec = self.folder / "my.lua"
        spec.write_text(SPEC)
        ffn.load(SPEC)
        with self.nothing_is_made():
            ffn.load(SPEC)
            ffn.load(spec, threads=2)
        self.assertEqual((len(self.names("*.so")), len(self.names("*.index"))), (1, 1))

    def test_each_input(self):
        """Each changed alone gives another name; what does not matter gives the same."""
        tree, bin_folder = self.folder / "tree", self.folder / "bin"
        files = [tree / "generator" / "main.lua", tree / "runtime" / "pack" / "x.c",
                 tree / "templates" / "t", self.folder / "package" / "binding.c"]
        for file in [*files, bin_folder / "cc", bin_folder / "other"]:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("a")
            file.chmod(0o755)
            os.utime(file, ns=(10**18, 10**18))
        spec = self.folder / "my.lua"
        spec.write_text(SPEC)
        names = set()

        def name(source=Source("text", SPEC), **changed):
            uname = SimpleNamespace(sysname="Linux", machine=changed.get("machine", "x86_64"))
            with mock.patch.object(building, "tree", lambda: changed.get("tree", tree)), \
                    mock.patch.object(building, "HERE", files[3].parent), \
                    mock.patch.object(building, "FLAGS", changed.get("FLAGS", ["-O2"])), \
                    mock.patch.object(building, "VENDOR_OPTIONS", changed.get("options", [])), \
                    mock.patch.object(machine, "flags", lambda: changed.get("flags", AVX2)), \
                    mock.patch.object(os, "uname", lambda: uname), \
                    mock.patch.dict(os.environ, {"PATH": str(bin_folder),
                                                 "CC": changed.get("CC", "cc -g")}):
                return index.name_of(source)

        def is_new(made):
            self.assertRegex(made, r"^[0-9a-f]{64}\.index$")
            self.assertNotIn(made, names)
            names.add(made)

        is_new(name())
        self.assertIn(name(), names)
        self.assertIn(name(Source("spec", str(spec))), names)
        (tree / "generator" / "__pycache__").mkdir()
        (tree / "generator" / "__pycache__" / "x.pyc").write_text("b")
        (tree / "README.md").write_text("b")
        self.assertIn(name(), names)
        is_new(name(Source("text", SPEC + " ")))
        is_new(name(Source("text", SPEC, "all")))
        for changed in ({"machine": "i686"}, {"flags": AVX2[:3]}, {"FLAGS": ["-O3"]},
                        {"options": ["--file"]}, {"CC": "cc -O1"}, {"CC": "other -g"},
                        {"CC": "cc other"}):
            is_new(name(**changed))
        for file in [*files, bin_folder / "cc"]:
            with self.subTest(file):
                os.utime(file, ns=(10**18, 10**18 + 1))
                is_new(name())
                file.write_text("ab")
                os.utime(file, ns=(10**18, 10**18 + 1))
                is_new(name())
        (tree / "runtime" / "more.c").write_text("")
        is_new(name())
        other = self.folder / "other tree"
        shutil.copytree(tree, other)
        is_new(name(tree=other))
        # The files of an installation are those of its list, and the package's are looked at still.
        listed = tree / "manifest"
        for text in ("file 1 2 share/ffngen/generator/main.lua\n", "file 3 2 x\n"):
            listed.write_text(text)
            is_new(name())
        files[0].write_text("abc")
        (tree / "runtime" / "more still.c").write_text("")
        os.utime(listed, ns=(10**18, 10**18))
        self.assertIn(name(), names)
        os.utime(files[3], ns=(10**18, 10**18 + 2))
        is_new(name())
        listed.unlink()
        listed.mkdir()
        self.assertIsNone(name())
        for none in (Source("folder", str(tree)), Source("spec", str(self.folder / "none"))):
            self.assertIsNone(name(none))
        self.assertIsNone(name(tree=None))

    def test_where_ffngen_is(self):
        """Its files are found behind the launcher in PATH, as an installation has them."""
        tree = self.folder / "share" / "ffngen"
        for folder in (tree / "generator", self.folder / "bin", self.folder / "links"):
            folder.mkdir(parents=True)
        (self.folder / "bin" / "ffngen").write_text("")
        (self.folder / "bin" / "ffngen").chmod(0o755)
        (self.folder / "links" / "ffngen").symlink_to(self.folder / "bin" / "ffngen")
        with mock.patch.object(building, "TREE", self.folder / "none"):
            for path in ("bin", "links"):
                with mock.patch.dict(os.environ, {"PATH": str(self.folder / path)}):
                    self.assertIsNone(building.tree())
            (tree / "generator" / "main.lua").write_text("")
            for path, found in (("bin", tree), ("links", tree), ("none", None)):
                with mock.patch.dict(os.environ, {"PATH": str(self.folder / path)}):
                    self.assertEqual(building.tree(), found and found.resolve())

    def test_a_damaged_index(self):
        ffn.load(SPEC)
        ffn.load(SPEC.replace("d_out = 2", "d_out = 5"))
        entries = {path: path.read_bytes() for path in self.cache.glob("*.index")}
        (path, good), (_, other) = entries.items()
        outputs = ffn.load(SPEC)["tiny"].outputs
        for bad in (b"", good[:40], good[:-1], b"\xff" + good[1:], other, good + good,
                    good.replace(b".so", b".sp"), b"../../" + good):
            path.write_bytes(bad)
            self.assertEqual(ffn.load(SPEC)["tiny"].outputs, outputs)
            ffn.load(SPEC.replace("d_out = 2", "d_out = 5"))
            self.assertEqual(path.read_bytes(), good)
        path.unlink()
        path.mkdir()  # cannot be written over
        self.assertEqual(ffn.load(SPEC.replace("d_out = 2", "d_out = 5"))["tiny"].outputs, 5)
        self.assertEqual(ffn.load(SPEC)["tiny"].outputs, 2)

    def test_a_library_that_is_gone(self):
        ffn.load(SPEC)
        library, = self.cache.glob("*.so")
        good = library.read_bytes()
        library.unlink()
        ffn.load(SPEC)
        self.assertEqual(library.read_bytes(), good)

    def test_two_processes_at_once(self):
        code = f"import ffn; print(ffn.load({SPEC!r})['tiny'].outputs)"
        both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
                for _ in range(2)]
        self.assertEqual([one.communicate()[0] for one in both], [b"2\n", b"2\n"])
        self.assertEqual((len(self.names("*.so")), len(self.names("*.index"))), (1, 1))
        self.assertEqual(self.names(".ffn-new-*"), [])
        with self.nothing_is_made():
            ffn.load(SPEC)

    def test_what_changes_while_it_is_made(self):
        spec = self.folder / "my.lua"
        spec.write_text(SPEC)
        made = building.compiled

        def compiled(*arguments):
            spec.write_text(SPEC.replace("d_out = 2", "d_out = 5"))
            return made(*arguments)

        with mock.patch.object(building, "compiled", compiled):
            ffn.load(spec)
        self.assertEqual(self.names("*.index"), [])
        self.assertEqual(ffn.load(spec)["tiny"].outputs, 5)

    def test_a_home_of_two_machines(self):
        """One takes AVX2, the other all that this CPU does: each has its own library."""
        here = machine.flags()
        if machine.instruction_sets(here)[-1] != "avx512":
            self.skipTest("needs AVX-512")
        for told, isa in ((AVX2, "avx2"), (here, "avx512")):
            with mock.patch.object(machine, "flags", return_value=told):
                self.assertEqual(ffn.load(SPEC)["tiny"].isa, isa)
        made = self.names("*")
        self.assertEqual((len(self.names("*.so")), len(self.names("*.index"))), (2, 2))
        with self.nothing_is_made():
            for told, isa in ((AVX2, "avx2"), (here, "avx512"), (AVX2, "avx2")):
                with mock.patch.object(machine, "flags", return_value=told):
                    self.assertEqual(ffn.load(SPEC)["tiny"].isa, isa)
        self.assertEqual(self.names("*"), made)

    def test_instruction_sets(self):
        wide = (*AVX2, "avx512f")
        vnni = (*wide, "avx512bw", "avx512vl", "avx512_vnni")
        dotprod, i8mm = "hw.optional.arm.feat_dotprod:", "hw.optional.arm.feat_i8mm:"
        for name, told, sets in (
                ("x86_64", AVX2, ("avx2",)), ("x86_64", wide, ("avx512",)),
                ("x86_64", vnni, ("avx512_vnni", "avx512")), ("x86_64", vnni[:-1], ("avx512",)),
                ("x86_64", (*AVX2, "avx_vnni"), ("avx_vnni", "avx2")),
                ("x86_64", ("sse2",), ("c",)), ("x86_64", AVX2[:3], ("c",)), ("x86_64", (), ()),
                ("aarch64", ("asimd",), ("neon",)), ("riscv64", ("v",), ()),
                ("aarch64", ("asimd", "asimddp"), ("neon_dotprod", "neon")),
                ("aarch64", ("asimddp", "i8mm"), ("neon_i8mm", "neon")),
                ("aarch64", ("asimd", "i8mm"), ("neon",)),
                ("arm64", (dotprod, "1", i8mm, "0"), ("neon_dotprod", "neon")),
                ("arm64", (dotprod, "1", i8mm, "1"), ("neon_i8mm", "neon"))):
            with mock.patch.object(os, "uname", lambda name=name: SimpleNamespace(machine=name)):
                self.assertEqual(machine.instruction_sets(told), sets)
        # What this CPU takes of all kernels is what is compiled for it.
        sets = machine.instruction_sets(machine.flags())
        tiny = ffn.load(SPEC, isa="all")["tiny"]
        self.assertEqual(tiny.isa, sets[-1] if sets else tiny.isa)
        self.assertEqual(ffn.load(SPEC)["tiny"].isa, tiny.isa)

    def test_what_is_compiled(self):
        ffn.load(SPEC)
        lean, = self.cache.glob("*.so")
        ffn.load(SPEC, isa="all")
        whole, = set(self.cache.glob("*.so")) - {lean}
        self.assertIn(b"linear_d3_o2_f32_c\0", whole.read_bytes())
        if machine.instruction_sets(machine.flags()) not in ((), ("c",)):
            self.assertNotIn(b"linear_d3_o2_f32_c\0", lean.read_bytes())
        ffn.build(SPEC, self.folder / "my.so")
        self.assertIn(b"linear_d3_o2_f32_c\0", (self.folder / "my.so").read_bytes())
        # Of layers that have no kernel for this CPU's instruction sets, and of wrong ones.
        portable = SPEC.replace("d_out", "build = { { isa = { 'c' } } }, d_out")
        two = portable.replace("tiny", "two").replace("= 3", "= 4")
        self.assertEqual(ffn.load(SPEC + two)["two"].isa, "c")
        with self.assertRaisesRegex(ffn.BuildError, "d_modle"):
            ffn.load("linear 'tiny' { d_modle = 3 }")
        with self.assertRaisesRegex(ValueError, "^isa: expected None or 'all', given 'avx2'$"):
            ffn.load(SPEC, isa="avx2")

    def test_a_library_without_a_kernel_for_this_cpu(self):
        """As where the system tells more, or other things, than the CPU does."""
        other = "avx2" if os.uname().machine == "aarch64" else "neon"
        with mock.patch.object(machine, "instruction_sets", return_value=(other,)):
            self.assertTrue(ffn.load(SPEC)["tiny"].isa)
            self.assertEqual(len(self.names("*.so")), 2)
            with self.nothing_is_made():
                self.assertTrue(ffn.load(SPEC)["tiny"].isa)


if __name__ == "__main__":
    unittest.main()
