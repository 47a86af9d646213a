"""Mixtures of experts: against routers and layers in NumPy; what is given in place of the router's
results; what is refused."""
import copy
import json
import pickle
import subprocess
import tempfile
import unittest
from pathlib import Path

import ffn
import numpy as np
from support import ROOT, at_odd_address, normal
from test_file import packed_file

try:
    import torch
except ImportError:
    torch = None

SPEC = """
local only = { { isa = { 'c' } } }
moe 'gated' { d_model = 24, experts = 6, top_k = 2, build = only,
  expert = { variant = 'swiglu', d_ff = 40 },
  router = { normalise = true }, shared = { d_ff = 16, gate = 'sigmoid' } }
moe 'grouped' { d_model = 24, experts = 8, top_k = 3, build = only,
  expert = { variant = 'relu', d_ff = 40, bias = true, weights = 'bf16' },
  router = { score = 'sigmoid', correction = 'score', expert_scale = true, bias = true,
    groups = { count = 4, take = 2 }, scale = 2.5, normalise = true } }
"""
F32 = np.float32


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def stacked(experts: int, expert: ffn.Layer, seed: int) -> dict:
    """Weights of all experts; those of bf16 as it holds them."""
    weights = {name: normal(experts, *shape, seed=seed + i) / F32(5)
               for i, (name, shape) in enumerate(expert.shapes.items())}
    if "bf16" in expert.formats.values():
        return {name: (array.view(np.uint32) & 0xffff0000).view(F32)
                for name, array in weights.items()}
    return weights


class Gated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = ffn.load(SPEC, threads=2)
        bare = cls.library["gated"]
        cls.w = stacked(6, bare.expert, 1)
        cls.router = {"logits.weight": normal(6, 24, seed=20) / F32(4),
                      "gate.weight": normal(1, 24, seed=21) / F32(4)}
        cls.shared = {k: v[0] for k, v in stacked(1, bare.shared, 30).items()}
        cls.mixture = bare.pack(cls.w, cls.router, cls.shared)
        cls.x = normal(5, 24, seed=40)

    @staticmethod
    def swiglu(w, x):
        gate = x @ w["gate.weight"].T.astype(float)
        return (gate * sigmoid(gate) * (x @ w["up.weight"].T.astype(float))) @ w["down.weight"].T

    def expected(self, x, numbers, weights, logits):
        y = sigmoid(logits[:, 6:]) * self.swiglu(self.shared, x)
        for t in range(len(x)):
            for n, weight in zip(numbers[t], weights[t]):
                if n >= 0:
                    y[t] += weight * self.swiglu({k: v[n] for k, v in self.w.items()}, x[t])
        return y

    def chosen(self, logits):
        numbers = np.sort(np.argsort(-logits[:, :6], axis=1)[:, :2], axis=1)
        scores = np.exp(np.take_along_axis(logits, numbers, 1))
        return numbers, scores / scores.sum(1, keepdims=True)

    def near(self, y, expected):
        np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-4)

    def test_names(self):
        self.assertEqual([n for n in self.library if n in ("gated", "grouped")],
                         ["gated", "grouped"])
        m = self.library["gated"]
        self.assertEqual((m.name, m.inputs, m.outputs, m.experts, m.top_k, m.logits),
                         ("gated", 24, 24, 6, 2, 7))
        self.assertFalse(m.has_weights)
        self.assertIn("no weights", repr(m))
        self.assertIn("6 of them in memory", repr(self.mixture))

    def test_router(self):
        logits = self.x.astype(float) @ np.concatenate(list(self.router.values())).T
        numbers, weights = self.chosen(logits)
        y = self.mixture(self.x)
        self.near(y, self.expected(self.x, numbers, weights, logits))
        told = self.mixture.route(self.mixture.router(self.x))
        np.testing.assert_array_equal(told[0], numbers)
        np.testing.assert_allclose(told[1], weights, rtol=1e-5)
        for t in range(5):
            np.testing.assert_array_equal(self.mixture(self.x[t]), y[t])
        one = ffn.load(SPEC)["gated"].pack(self.w, self.router, self.shared)
        np.testing.assert_array_equal(one(self.x), y)
        out = np.empty((5, 30), F32)[:, :24]
        self.assertIs(self.mixture(self.x, out), out)
        np.testing.assert_array_equal(out, y)

    def test_given(self):
        logits = normal(5, 7, seed=50)
        numbers, weights = self.chosen(logits.astype(float))
        self.near(self.mixture(self.x, logits=logits),
                  self.expected(self.x, numbers, weights, logits))
        own = np.array([[3, 0], [5, -1], [1, 2], [-1, -1], [0, 5]])
        by = normal(5, 2, seed=51)
        self.near(self.mixture(self.x, logits=logits, numbers=own, weights=by),
                  self.expected(self.x, own, by, logits))
        scores = np.where(own < 0, 0, np.exp(np.take_along_axis(logits, np.maximum(own, 0), 1)))
        scores /= np.maximum(scores.sum(1, keepdims=True), 1e-30)
        self.near(self.mixture(self.x, logits=logits, numbers=own)[:3],
                  self.expected(self.x, own, scores, logits)[:3])
        y = self.mixture(self.x)
        numbers, weights = self.mixture.route(self.mixture.router(self.x))
        np.testing.assert_array_equal(self.mixture(self.x, numbers=numbers[:, ::-1]), y)
        np.testing.assert_array_equal(
            self.mixture(self.x.reshape(5, 1, 24), numbers=numbers.astype(np.uint8)[:, None],
                         weights=weights[:, None])[:, 0], y)

    def test_forms(self):
        y = self.mixture(self.x)
        bare = self.library["gated"]
        dicts = [{k: v[e] for k, v in self.w.items()} for e in range(6)]
        layers = [bare.expert.pack(w) for w in dicts]
        arrays = [layer.packed for layer in layers]
        router, shared = bare.router.pack(self.router), bare.shared.pack(self.shared)
        for experts in (dicts, layers, arrays):
            made = bare.pack(experts, router, shared.packed)
            np.testing.assert_array_equal(made(self.x), y)

    def test_absent(self):
        numbers, _ = self.mixture.route(self.mixture.router(self.x))
        taken = sorted(set(numbers.ravel()))
        some = [layer if e in taken else None for e, layer in enumerate(self.mixture.expert_layers)]
        bare = self.library["gated"]
        made = bare.pack(some, self.router, self.shared)
        np.testing.assert_array_equal(made(self.x), self.mixture(self.x))
        some[taken[0]] = None
        token = int(np.argwhere(numbers == taken[0])[0, 0])
        with self.assertRaisesRegex(ValueError, f"token {token} takes expert {taken[0]}, which is "):
            bare.pack(some, self.router, self.shared)(self.x)

    def test_one_header(self):
        """A vendored folder whose one header has the mixture."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "my.lua").write_text(SPEC)
            subprocess.run([ROOT / "ffngen", "vendor", "my.lua", "--layer",
                            "gated_expert,gated_router,gated_shared", "--prefix", "my", "--out", "v",
                            "--header-only", "--isa", "c"], cwd=folder, check=True,
                           capture_output=True)
            library = ffn.load(folder / "v")
            self.assertEqual(list(library), ["gated_expert", "gated_shared", "gated_router",
                                             "gated"])
            mixture = library["gated"].pack(self.w, self.router, self.shared)
            np.testing.assert_array_equal(mixture(self.x), self.mixture(self.x))

    def test_copies(self):
        y = self.mixture(self.x)
        for made in (copy.copy(self.mixture), copy.deepcopy(self.mixture),
                     pickle.loads(pickle.dumps(self.mixture))):
            np.testing.assert_array_equal(made(self.x), y)
        bare = pickle.loads(pickle.dumps(self.library["gated"]))
        self.assertFalse(bare.has_weights)

    @unittest.skipIf(torch is None, "no torch")
    def test_torch(self):
        x = torch.from_numpy(self.x)
        y = self.mixture(x)
        self.assertIsInstance(y, torch.Tensor)
        np.testing.assert_array_equal(y.numpy(), self.mixture(self.x))
        logits = self.mixture.router(x)
        best = torch.topk(logits[:, :6], 2)
        weights = torch.softmax(best.values, 1)
        np.testing.assert_allclose(self.mixture(x, numbers=best.indices, weights=weights).numpy(),
                                   y.numpy(), atol=1e-5)

    def test_refused(self):
        bare, x = self.library["gated"], self.x
        few = {k: v[:5] for k, v in self.w.items()}
        wrong = {**self.w, "up.weight": self.w["up.weight"][:, :39]}
        numbers = np.zeros((5, 2), int)
        for error, text, call in [
            (ValueError, "gated has no weights yet", lambda: bare(x)),
            (ValueError, "gated has no weights yet", lambda: bare.route(x)),
            (ValueError, "shared: gated has a shared expert, given none",
             lambda: bare.pack(self.w, self.router)),
            (ValueError, r"experts: gate.weight: expected an array of shape \(6, ...\)",
             lambda: bare.pack(few, self.router, self.shared)),
            (ValueError, r"experts\[0\]: up.weight: expected shape \(40, 24\)",
             lambda: bare.pack(wrong, self.router, self.shared)),
            (ValueError, "experts: expected 6, given 1",
             lambda: bare.pack([None], self.router, self.shared)),
            (TypeError, "experts: expected a dict of arrays, or a sequence",
             lambda: bare.pack(3, self.router, self.shared)),
            (TypeError, r"experts\[0\]: packed: expected an array of uint8",
             lambda: bare.pack([3] * 6, self.router, self.shared)),
            (ValueError, r"experts\[1\]: packed: not made by pack|experts\[1\]: packed: expected sh",
             lambda: bare.pack([None, self.mixture.router] + [None] * 4, self.router, self.shared)),
            (ValueError, r"router: .*\(6, 24\)",
             lambda: bare.pack(self.w, {**self.router, "logits.weight": normal(7, 24)},
                               self.shared)),
            (ValueError, "correction: the spec of gated says that there is none",
             lambda: bare.pack(self.w, self.router, self.shared, correction=normal(6))),
            (ValueError, "weights: given without numbers", lambda: self.mixture(x, weights=x)),
            (ValueError, r"logits: expected shape \(5, 7\), given \(5, 6\)",
             lambda: self.mixture(x, logits=normal(5, 6))),
            (TypeError, "logits: expected float32", lambda: self.mixture(x, logits=numbers)),
            (TypeError, "numbers: expected integers", lambda: self.mixture(x, numbers=x)),
            (ValueError, r"numbers: expected shape \(5, 2\), given \(5, 3\)",
             lambda: self.mixture(x, numbers=np.zeros((5, 3), int))),
            (ValueError, r"numbers: \[0, 0\] in token 0", lambda: self.mixture(x, numbers=numbers)),
            (ValueError, r"numbers: \[0, 6\] in token 2: expected -1, or 0 to 5",
             lambda: self.mixture(x, numbers=[[0, 1], [1, 2], [0, 6], [1, 0], [1, 9]])),
            (ValueError, r"numbers: \[0, 4294967297\] in token 0",
             lambda: self.mixture(x[0], numbers=np.array([0, 2**32 + 1]))),
            (ValueError, r"weights: expected shape \(5, 2\)",
             lambda: self.mixture(x, numbers=numbers, weights=normal(5))),
            (ValueError, "out: expected memory of its own, given memory of x",
             lambda: self.mixture(x, x)),
            (ValueError, r"x: expected shape \(..., 24\)", lambda: self.mixture(x[:, :23])),
            (ValueError, "x: expected floats at multiples of 4",
             lambda: self.mixture(at_odd_address(x))),
        ]:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    def test_file(self):
        """The parts of layer 3 of a packed file, of which one expert is not there."""
        numbers, _ = self.mixture.route(self.mixture.router(self.x))
        absent = next(e for e in range(6) if e not in numbers)
        expert, shared = "ffn_swiglu_d24_f40_f32", "ffn_swiglu_d24_f16_f32"
        parts = [(expert, "f32 f32", layer, e)
                 for e, layer in enumerate(self.mixture.expert_layers) if e != absent]
        parts.append((shared, "f32 f32", self.mixture.shared, ffn.PARTS["shared"]))
        parts.append(("linear_d24_to_logits6_gate1_f32", "f32 f32", self.mixture.router, ffn.PARTS["router"]))

        def opened(parts):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "model.ffn"
                path.write_bytes(packed_file([
                    (f"part {part}", kernel, formats, layer.packed.tobytes(), 3, part)
                    for kernel, formats, layer, part in parts]))
                return ffn.File(path, self.library)

        file, bare = opened(parts), self.library["gated"]
        made = file.mixture(3, bare)
        np.testing.assert_array_equal(made(self.x), self.mixture(self.x))
        with self.assertRaisesRegex(ValueError, f"takes expert {absent}, which is None"):
            made(self.x[0], numbers=[absent, -1])
        for error, text, call in [
            (TypeError, "mixture: expected an ffn.Mixture, given Layer",
             lambda: file.mixture(3, bare.expert)),
            (ValueError, "layer 2 has no router", lambda: file.mixture(2, bare)),
            (ValueError, "layer 3 has no shared expert",
             lambda: opened([p for p in parts if p[0] != shared]).mixture(3, bare)),
            (ValueError, "part 0, as a part of gated: the weights are those of another layer",
             lambda: opened([(shared, "f32 f32", bare.shared.pack(self.shared), 0),
                             *parts[-2:]]).mixture(3, bare)),
        ]:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


class Grouped(unittest.TestCase):
    def test_rule(self):
        bare = ffn.load(SPEC)["grouped"]
        w, x = stacked(8, bare.expert, 60), normal(6, 24, seed=70)
        router = {"0.weight": normal(8, 24, seed=71) / F32(4), "0.bias": normal(8, seed=72)}
        correction, scale = normal(8, seed=73), normal(8, seed=74)
        mixture = bare.pack(w, router, correction=correction, expert_scale=scale)
        scores = sigmoid(x @ router["0.weight"].T.astype(float) + router["0.bias"])
        keys = scores + correction
        best = np.argsort(-keys.reshape(6, 4, 2).max(2), axis=1)[:, :2]
        is_in = np.zeros((6, 4), bool)
        np.put_along_axis(is_in, best, True, 1)
        keys[~np.repeat(is_in, 2, 1)] = -np.inf
        numbers = np.sort(np.argsort(-keys, axis=1)[:, :3], axis=1)
        weights = np.take_along_axis(scores, numbers, 1)
        weights = weights / weights.sum(1, keepdims=True) * scale[numbers] * 2.5
        told = mixture.route(mixture.router(x))
        np.testing.assert_array_equal(told[0], numbers)
        np.testing.assert_allclose(told[1], weights, rtol=1e-5)
        expected = np.zeros((6, 24))
        for t in range(6):
            for n, weight in zip(numbers[t], weights[t]):
                h = np.maximum(w["up.weight"][n].astype(float) @ x[t] + w["up.bias"][n], 0)
                expected[t] += weight * (w["down.weight"][n] @ h + w["down.bias"][n])
        np.testing.assert_allclose(mixture(x), expected, rtol=1e-4, atol=1e-4)
        nothing, by = mixture.route(np.full(8, np.nan, F32))
        self.assertEqual(nothing.tolist(), [-1] * 3)
        self.assertTrue(np.isnan(by).all())
        for text, changes in [("expert_scale: expected shape", {"expert_scale": scale[:7]}),
                              ("correction: the spec of grouped says that there is one",
                               {"correction": None})]:
            with self.assertRaisesRegex(ValueError, text):
                bare.pack(w, router, **{"correction": correction, "expert_scale": scale, **changes})
        with self.assertRaisesRegex(ValueError, "shared: grouped has no shared expert, given one"):
            bare.pack(w, router, router, correction=correction, expert_scale=scale)


class Models(unittest.TestCase):
    def test_imported(self):
        """A model that was imported with its routers: layer 1 of two."""
        with tempfile.TemporaryDirectory() as name:
            my = Path(name) / "my"
            subprocess.run([ROOT / "ffngen", "import", ROOT / "tests/data/import/hf/deepseek_v3",
                            "--also", "all", "--spec-only", "--out", my], check=True,
                           capture_output=True)
            plan, library = json.loads((my / "PLAN.json").read_bytes()), ffn.load(my / "model.lua")
            layers = {layer._kernel.computes: layer for layer in library._layers.values()}
            parts, entries = {}, []
            for seed, own in enumerate(plan["layers"]):
                kernel = plan["kernels"][own["kernel"]]
                layer, place = layers[kernel["packed"]], (own["index"], own.get("part", 0))
                parts[place] = layer.pack({n: normal(*shape, seed=80 + seed) / F32(3)
                                           for n, shape in layer.shapes.items()})
                formats = " ".join(stage["format"] for stage in kernel["stages"])
                entries.append((own["name"], kernel["packed"], formats,
                                parts[place].packed.tobytes(), *place))
            tables = [(row["name"], "f32", row["count"], row["width"],
                       normal(row["count"] * row["width"], seed=i).tobytes())
                      for i, row in enumerate(plan["rows"])]
            (my / "model.ffn").write_bytes(packed_file(entries, tables,
                                                           plan=plan["xxh64"]))
            model, x = ffn.Model(my), normal(5, 8, seed=90)
            bare, = library._mixtures.values()
            correction = model.file.rows("model.layers.1.mlp.gate.e_score_correction_bias")[0]
            expected = bare.pack([parts[1, e] for e in range(bare.experts)],
                                 parts[1, ffn.PARTS["router"]], parts[1, ffn.PARTS["shared"]],
                                 correction=correction)
            np.testing.assert_array_equal(model.mixture(1)(x), expected(x))
            with self.assertRaisesRegex(KeyError, "no mixture of experts of layer 0"):
                model.mixture(0)


if __name__ == "__main__":
    unittest.main()
