"""Whole models: a folder that ffngen import wrote, with a packed file as ffn-pack writes it."""
import json
import pickle
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import ffn
import numpy as np
from support import ROOT, normal, weights_for
from test_file import packed_file

D_MODEL, D_FF = 6, 10
CONFIG = {"model_type": "llama", "hidden_act": "silu", "mlp_bias": False, "num_hidden_layers": 2,
          "hidden_size": D_MODEL, "intermediate_size": D_FF}
KERNEL = f"ffn_swiglu_d{D_MODEL}_f{D_FF}_f32"


def write_model(folder):
    """A model of two layers, as safetensors has it."""
    header, data = {}, b""
    for layer in range(2):
        block = f"model.layers.{layer}."
        for name, shape in ((f"{block}post_attention_layernorm.weight", [D_MODEL]),
                            (f"{block}mlp.gate_proj.weight", [D_FF, D_MODEL]),
                            (f"{block}mlp.up_proj.weight", [D_FF, D_MODEL]),
                            (f"{block}mlp.down_proj.weight", [D_MODEL, D_FF])):
            numbers = normal(*shape, seed=len(header)).tobytes()
            header[name] = {"dtype": "F32", "shape": shape,
                            "data_offsets": [len(data), len(data) + len(numbers)]}
            data += numbers
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    (folder / "config.json").write_text(json.dumps(CONFIG))


class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.made)
        write_model(cls.made)
        subprocess.run([ROOT / "ffngen", "import", cls.made, "--out", cls.made / "my",
                        "--spec-only"], check=True, capture_output=True)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.my = self.folder / "my"
        shutil.copytree(self.made / "my", self.my)
        layer, = ffn.load(self.my / "model.lua").values()
        first = weights_for(layer)
        self.layers = [layer.pack(first),
                       layer.pack({name: 2 * matrix for name, matrix in first.items()})]
        self.tables = [(row["name"], "f32", row["count"], row["width"], bytes(4 * row["width"]))
                       for row in self.plan()["rows"]]
        self.write(self.names)

    names = ("model.layers.0.mlp", "model.layers.1.mlp")

    def plan(self):
        return json.loads((self.my / "PLAN.json").read_bytes())

    def write(self, names, kernel=KERNEL, formats="f32 f32", tables=None, plan=...):
        (self.my / "model.ffn").write_bytes(packed_file(
            [(name, kernel, formats, layer.packed.tobytes())
             for name, layer in zip(names, self.layers)],
            self.tables if tables is None else tables,
            plan=self.plan()["xxh64"] if plan is ... else plan))

    def wrong(self, kind, message, path=None):
        with self.assertRaisesRegex(kind, message):
            ffn.Model(self.my if path is None else path)

    def test_products(self):
        model, x = ffn.Model(self.my, threads=2), normal(4, D_MODEL)
        self.assertEqual(tuple(model), self.names)
        for i, name in enumerate(self.names):
            for layer in (model[name], model.at(i), pickle.loads(pickle.dumps(model))[name]):
                np.testing.assert_array_equal(layer(x), self.layers[i](x))
                self.assertFalse(layer.packed.flags.writeable)
        self.assertEqual([row["name"] for row in model.host["products"]], list(self.names))
        self.assertEqual((len(model), model.library.threads), (2, 2))
        self.assertEqual(sorted(model.file.tables), sorted(name for name, *_ in self.tables))
        for call in (lambda: model["model.layers.2.mlp"], lambda: model.at(2),
                     lambda: model.at(0, 1), lambda: model.at(0, "qkv"), lambda: model.at(0, "x")):
            with self.assertRaisesRegex(KeyError, "no packed product"):
                call()

    def test_some_layers(self):
        self.write(self.names[:1])
        self.assertEqual(list(ffn.Model(self.my)), [self.names[0]])

    def test_another_plan(self):
        said = r"model.ffn: another plan than .*PLAN.json packed it: pack it anew by ffn-pack "
        number = self.plan()["xxh64"]
        for words in ({"names": self.names, "plan": None},
                      {"names": self.names, "plan": number[1:] + number[:1]},
                      {"names": ("model.layers.0.mlp", "other")}, {"names": self.names[::-1]},
                      {"names": self.names, "kernel": KERNEL.replace("f10", "f11")},
                      {"names": self.names, "formats": "f32 bf16"},
                      {"names": self.names, "tables": [("a", "f32", 1, 3, bytes(12))]}):
            with self.subTest(words):
                self.write(**words)
                self.wrong(ValueError, said)
        self.write(self.names)
        ffn.Model(self.my)
        plan = self.plan()
        plan["layers"][1]["part"] = 1
        (self.my / "PLAN.json").write_text(json.dumps(plan))
        self.wrong(ValueError, said)

    def test_mistakes(self):
        self.wrong(FileNotFoundError, r"PLAN.json: there is no such file: name a folder",
                   self.folder)
        self.wrong(TypeError, "^path: expected a path, given int$", 3)
        (self.my / "model.ffn").unlink()
        self.wrong(FileNotFoundError, r"model.ffn: there is no such file: make it by ffn-pack ")
        for text in ("", "[]", "{}", '{"layers": [3]}', '{"layers": 3}', "[" * 100000,
                     '{"layers": [{"kernel": 1}], "kernels": []}'):
            (self.my / "PLAN.json").write_text(text)
            self.wrong(ValueError, "PLAN.json: it is no ")


if __name__ == "__main__":
    unittest.main()
