"""Layers that are copied, and that are pickled for another process."""
import copy
import gc
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import ffn
import numpy as np
from support import normal, weights_for

SPEC = """
local build = { { isa = { 'c' } } }
ffn 'beta' { variant = 'swiglu_beta', d_model = 6, d_ff = 10, backward = true, build = build }
linear 'tiny' { d_model = 3, d_out = 2, build = build }
"""
OTHER = SPEC.replace("swiglu_beta", "relu")
CHILD = """
import os, pickle, sys
layer, x = pickle.load(sys.stdin.buffer)
found = layer.threads if hasattr(layer, "threads") else layer(x)
pickle.dump(found, sys.stdout.buffer)
"""


class Copies(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        patched = mock.patch.dict(os.environ, {"FFN_CACHE": str(self.folder / "cache")})
        patched.start()
        self.addCleanup(patched.stop)
        self.x = normal(5, 6)

    def filled(self, source, **options):
        layer = ffn.load(source, **options)["beta"]
        return layer.pack(weights_for(layer))

    def elsewhere(self, layer, folder=None):
        """What another process makes of it, in another folder."""
        environment = {**os.environ, "PYTHONPATH": str(Path(ffn.__file__).parents[1])}
        done = subprocess.run([sys.executable, "-c", CHILD], input=pickle.dumps((layer, self.x)),
                              cwd=folder or self.folder, capture_output=True, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return pickle.loads(done.stdout)

    def test_copies(self):
        layer = self.filled(SPEC)
        memory = layer.packed.copy()
        for made in (copy.copy(layer), copy.deepcopy(layer)):
            np.testing.assert_array_equal(made(self.x), layer(self.x))
            np.testing.assert_array_equal(made.packed, memory)
        shallow, deep = copy.copy(layer), copy.deepcopy(layer)
        self.assertTrue(np.shares_memory(shallow.packed, layer.packed))
        self.assertFalse(np.shares_memory(deep.packed, layer.packed))
        # A trainer's layer learns on; a deep copy stays.
        trainer = layer.trainer(layer.unpack())
        learning, stays = trainer.layer, copy.deepcopy(trainer.layer)
        trainer.pack({**layer.unpack(), "beta": -2})
        np.testing.assert_array_equal(stays(self.x), layer(self.x))
        self.assertFalse((learning(self.x) == layer(self.x)).all())
        library = ffn.load(SPEC)
        self.assertIs(copy.deepcopy(library), library)
        for made in (copy.copy(library["tiny"]), copy.deepcopy(library["tiny"])):
            with self.assertRaisesRegex(ValueError, "^tiny has no weights yet"):
                made(self.x)

    def test_in_another_process(self):
        spec = self.folder / "my.lua"
        spec.write_text(SPEC)
        ffn.build(SPEC, self.folder / "my.so")
        for source, options in ((SPEC, {}), (spec, {"threads": 2}), (self.folder / "my.so", {})):
            with self.subTest(source):
                layer = self.filled(source, **options)
                np.testing.assert_array_equal(self.elsewhere(layer), layer(self.x))
        library = ffn.load(spec, threads=np.int64(3))
        self.assertEqual(self.elsewhere(library, folder="/"), 3)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(layer, protocol))
            np.testing.assert_array_equal(again(self.x), layer(self.x))
            np.testing.assert_array_equal(again.pack(again.unpack()).packed, layer.packed)
        self.assertEqual(list(pickle.loads(pickle.dumps(library))), ["beta", "tiny"])
        with self.assertRaisesRegex(ValueError, "^tiny has no weights yet"):
            pickle.loads(pickle.dumps(library["tiny"]))(self.x)

    def test_weights_of_a_file(self):
        layer, path = self.filled(SPEC), self.folder / "packed.npy"
        np.save(path, layer.packed)
        mapped = layer.use_packed(np.load(path, mmap_mode="r"))
        data = pickle.dumps(mapped)
        np.testing.assert_array_equal(pickle.loads(data)(self.x), layer(self.x))
        path.unlink()
        np.testing.assert_array_equal(pickle.loads(data)(self.x), layer(self.x))

    def test_libraries_that_are_gone(self):
        """A spec and a folder are compiled anew; a library of somebody's own is not found."""
        spec, folder = self.folder / "my.lua", self.folder / "vendored"
        spec.write_text(SPEC)
        ffn.building.ffngen_output("vendor", str(spec), "--out", str(folder))
        ffn.build(SPEC, self.folder / "my.so")
        layers = [self.filled(source) for source in (SPEC, spec, folder, self.folder / "my.so")]
        data = [pickle.dumps(layer) for layer in layers]
        expected = layers[0](self.x)
        del layers
        gc.collect()
        spec.unlink()
        (self.folder / "my.so").unlink()
        cached = list((self.folder / "cache").glob("*.so"))
        for path in cached:  # one is gone, one damaged; the files themselves are in use
            path.unlink()
        cached[0].write_bytes(b"damaged")
        for part in data[:3]:
            np.testing.assert_array_equal(pickle.loads(part)(self.x), expected)
        with self.assertRaisesRegex(FileNotFoundError, "my.so: there is no such library$"):
            pickle.loads(data[3])

    def test_another_library_in_its_place(self):
        path = self.folder / "my.so"
        ffn.build(SPEC, path)
        data = pickle.dumps(self.filled(path))
        ffn.build(OTHER, path)
        with self.assertRaisesRegex(ValueError, r"^beta: \w+swiglu_beta\w+ was pickled, and "
                                                r".*my.so has \w+relu\w+$"):
            pickle.loads(data)
        ffn.build(SPEC.replace("ffn 'beta'", "ffn 'gone'"), path)
        with self.assertRaisesRegex(KeyError, "no layer 'beta': there are gone, tiny"):
            pickle.loads(data)

    def test_layers_that_are_restored_share_threads(self):
        layer = self.filled(SPEC, threads=2)
        data = pickle.dumps(layer)
        one, two = pickle.loads(data), pickle.loads(data)
        self.assertIs(one._kernel.pool, two._kernel.pool)
        self.assertEqual(one._kernel.pool.threads, 2)


if __name__ == "__main__":
    unittest.main()
