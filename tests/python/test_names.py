"""Names of weights: the package takes what `ffngen vendor --weights` takes, and refuses what that
refuses, by one table."""
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from ffn import weights
from ffn.tensors.names import TABLE
from ffn.tensors.wanted_tensors import Options, Tensor
from support import ROOT, lessons, normal, weights_for

TREE = ("generator/tensors", "generator/files", "generator/common", "generator/package/python/ffn",
        "tests/python/judged_weights.lua")


WORDS = [scheme["word"] for scheme in TABLE["schemes"] if "word" in scheme]


def layer_of(*matrices, bias=False):
    """(role or None, outputs, inputs) of each matrix; stages follow from the roles."""
    tensors = []
    for i, (role, outputs, inputs) in enumerate(matrices):
        stage = i if role is None else int(role == "down")
        name = str(i) if role is None else role
        tensors.append(Tensor(name + ".weight", role, stage, "weight", (outputs, inputs)))
        if bias:
            tensors.append(Tensor(name + ".bias", role, stage, "bias", (outputs,)))
    return tensors


LAYERS = {
    "gated": layer_of(("gate", 4, 3), ("up", 4, 3), ("down", 3, 4)),
    "square": layer_of(("gate", 4, 4), ("up", 4, 4), ("down", 4, 4)),
    "odd": layer_of(("gate", 4, 3), ("up", 4, 3), ("down", 2, 4), bias=True),
    "plain": layer_of(("up", 4, 3), ("down", 3, 4), bias=True),
    "bare": layer_of(("up", 4, 3), ("down", 3, 4)),
    "even": layer_of(("up", 4, 4), ("down", 4, 4), bias=True),
    "half": layer_of(("gate", 4, 3), ("up", 4, 3)),
    "self": layer_of(("gate", 3, 3)),
    "chain": layer_of((None, 4, 3), (None, 3, 4), bias=True),
    "deep": layer_of((None, 4, 3), (None, 5, 4), (None, 3, 5)),
    "line": layer_of((None, 4, 3), bias=True),
    "box": layer_of((None, 4, 4)),
    "split": [Tensor(f"{name}.weight", None, i, "weight", (outputs, 3), name)
              for i, (name, outputs) in enumerate((("k", 2), ("q", 4), ("v", 2)))],
    "beta": [*layer_of(("up", 4, 3), ("down", 3, 4)), Tensor("beta", None, 0, "parameter", (1,))],
}


def schemes(tensors):
    """What the tensors of a layer may be called: a name of each."""
    roles = [t.matrix for t in tensors if t.part == "weight"]
    found = []
    if tensors[0].output:
        return [[scheme["weight"].format(output=t.output) for t in tensors]
                for scheme in TABLE["schemes"] if "outputs" in scheme["for"]]
    if roles[0]:
        for c in TABLE["conventions"]:
            if all(role in c for role in roles):
                found.append([f"{c[t.matrix]}.{t.part}" if t.matrix else t.name for t in tensors])
        found.append([f"{t.part[0]}_{t.matrix}" if t.matrix else t.name for t in tensors])
    if not roles[0] or roles == ["up", "down"]:
        for word, numbers in itertools.product(WORDS, ((0, 2, 4), (1, 2, 3),
                                                       (9, 10, 11))):
            found.append([t.name if t.part == "parameter" else f"{word}{numbers[t.stage]}.{t.part}"
                          for t in tensors])
        found.append([f"{t.part[0]}{t.stage}" for t in tensors])
    if len(roles) == 1:
        found += [[name + t.part for t in tensors] for name in ("", "lin.", "c_fc.", "h.kernel.")]
    return found


def strangers(rng, own, prefix):
    """Names that may stand beside those of a layer, and that tell of what is known of some."""
    forms = [name for form in TABLE["forms"] for what in ("modules", "tensors")
             for name in form.get(what, ())]
    beside = [n["name"] for some in TABLE["beside"].values() for n in some]
    words = [*beside, "norm", "bn", "act", "1", "3", "skip", "norms.0", "norms.1", "ln_1", "attn",
             "gate", "w3", "gate_proj", "q_proj", "acts.0", "fc3", "lins.1", "0", "blocks.2.fc1"]
    ends = ["weight", "bias", "running_mean", "num_batches_tracked", "inv_freq", "", *forms]
    module = rng.choice([prefix, prefix, prefix, prefix.rpartition(".")[0].rpartition(".")[0], "",
                         rng.choice(own).rpartition(".")[0]])
    parts = [module.rstrip("."), rng.choice([*words, ""]), rng.choice(ends)]
    return ".".join(part for part in parts if part) or "x"


def neighbours(rng, prefix):
    """Some of what a block has beside a layer, and of what a net has around one."""
    if rng.random() < 0.5:
        for n in rng.choice(list(TABLE["beside"].values())):
            if rng.random() < 0.5:
                yield (prefix + n["name"] + rng.choice([".weight", ".weight", ".bias", ""]),
                       rng.choice([(3,), (3,), (4,), (5,), (3, 3)]))
                if rng.random() < 0.1:
                    yield prefix + n["name"] + ".running_mean", (3,)
        return
    outer = re.sub(r"[^.]+\.([0-9]+\.)*$", "", prefix)
    modules = ["acts.0", "norms.0", "norms.1", "skip", "bn", "act", "attn.q_proj"]
    for module in rng.sample(modules, 3):
        yield f"{outer}{module}.weight", rng.choice([(1,), (3,), (4,), (3, 3), (5, 3)])
        if rng.random() < 0.3:
            yield f"{outer}{module}.bias", rng.choice([(3,), (4,)])


def case_of(rng):
    """A layer, and a dict that may hold it."""
    layer = rng.choice(list(LAYERS))
    tensors = LAYERS[layer]
    prefix = rng.choice(["", "", "a.", "model.layers.10.mlp.", "net.0.", "m.lins.0."])
    own = [prefix + name for name in rng.choice(schemes(tensors))]
    is_other_way = rng.random() < 0.1
    held = {name: t.shape[::-1] if is_other_way else t.shape for name, t in zip(own, tensors)}
    sizes = [(), (1,), (3,), (4,), (3, 4), (4, 3), (1, 4), (3, 3), (1, 1), (0,), (2, 2, 2), (3, 1)]
    for _ in range(rng.choice([0, 0, 1, 1, 1, 2, 6])):
        held.setdefault(strangers(rng, own, prefix), rng.choice(sizes))
    if rng.random() < 0.3:
        for key, shape in neighbours(rng, prefix):
            held.setdefault(key, shape)
    if rng.random() < 0.05:  # another such layer
        held.update({"other." + name: shape for name, shape in list(held.items())})
    if rng.random() < 0.05:
        held.pop(rng.choice(own), None)
    if rng.random() < 0.1:  # in place of a matrix
        name = rng.choice(own)
        held.pop(name, None)
        form = rng.choice(TABLE["forms"])
        for stands in form["stands"]:
            held[name.rpartition("weight")[0] + stands.replace("{part}", "weight")
                 .replace("*", rng.choice(["", "0", ".x"]))] = (4, 3)
    held = held or {"x": (4, 3)}
    keys = list(held)
    said = Options(rng.choice([*[None] * 9, prefix, prefix[:-1], "net", "b."]),
                   rng.choice([*[None] * 9, "in-out" if is_other_way else "out-in", "in-out"]),
                   rng.choice([*[()] * 8, (rng.choice(keys),),
                               (rng.choice(keys).rpartition(".")[0] or "x",)]))
    # A number in front of all modules may be a parameter that the spec fixes; who has no spec asks.
    if any("." not in key and "/" not in key and shape in ((), (1,))
           for key, shape in held.items() if key not in own):
        return case_of(rng)
    return {"layer": layer, "held": [[key, list(shape)] for key, shape in held.items()],
            "tensors": [t._asdict() for t in tensors], **said._asdict()}


def plain_case(layer, texts, **said):
    """A case of names with their shapes: "0.weight 4 3"."""
    held = [(text.split()[0], [int(size) for size in text.split()[1:]]) for text in texts]
    return {"layer": layer, "held": held, "tensors": [t._asdict() for t in LAYERS[layer]],
            **Options()._replace(**said)._asdict()}


CHAIN = ["0.weight 4 3", "0.bias 4", "2.weight 3 4", "2.bias 3"]
UP_DOWN = ["m.fc1.weight 4 3", "m.fc2.weight 3 4"]
RARE = [  # which chance hardly makes
    plain_case("chain", [*CHAIN, "1.weight 4"]),
    plain_case("chain", [*CHAIN, "3.weight 3"]),
    plain_case("chain", ["n.1.weight 4 3", "n.1.bias 4", "n.2.weight 3 4", "n.2.bias 3",
                         "n.0.x 3"]),
    plain_case("bare", [*UP_DOWN, "m.fc2.bias 3"]),
    plain_case("beta", [*UP_DOWN, "m.beta 1"]),
    plain_case("beta", [*UP_DOWN, "beta 1"]),
    plain_case("beta", UP_DOWN),
    plain_case("chain", ["n." + text for text in CHAIN] + ["norms.0.weight 3"]),
    plain_case("chain", ["net.lins." + text for text in CHAIN] + ["net.acts.0.weight 3"]),
    plain_case("square", ["w1.weight 4 4", "w2.weight 4 4", "w3.weight 4 4"]),
    plain_case("gated", ["w1.weight 4 3", "w2.weight 3 4", "w3.weight 4 3"]),
    plain_case("gated", ["w1.weight 4 3", "w2.weight 4 3", "w3.weight 3 4"]),
    plain_case("gated", ["w1.weight 5 3", "w2.weight 5 3", "w3.weight 3 5"]),
    plain_case("bare", [*UP_DOWN, "m.self_attn.q.weight 3 3", "m.final_layer_norm.weight 3",
                        "m.final_layer_norm.running_mean 3"]),
    plain_case("bare", [*UP_DOWN, "m.self_attn.q.weight 3 3", "m.final_layer_norm.weight 5"]),
    plain_case("bare", ["m.up_proj.weight 4 3", "m.down_proj.weight 3 4",
                        "m.gate_proj.weight 4 3"]),
    plain_case("box", ["c_fc.weight 4 4"]),
    plain_case("box", ["c_fc.weight 4 4"], order="in-out"),
]


def numbers_of(held):
    """0, 1, 2 and so on, as judged_weights.lua has them."""
    at, found = 0, {}
    for key, shape in held:
        count = int(np.prod(shape, dtype=int))
        found[key] = np.arange(at, at + count, dtype=np.float32).reshape(shape)
        at += count
    return found


def judged(cases, root=ROOT):
    """What ffngen makes of them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.json"
        path.write_text(json.dumps({"cases": cases}))
        done = subprocess.run(["lua5.4", Path(root) / "tests/python/judged_weights.lua", path],
                              capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["answers"]


def taken(case):
    """What the package makes of one: numbers in the order of the layer, or what it says."""
    said = Options(case["prefix"], case["order"], case["leave"])
    tensors = [Tensor(**{**t, "shape": tuple(t["shape"])}) for t in case["tensors"]]
    try:
        found = weights.taken("w", tensors, numbers_of(case["held"]), said)
    except ValueError as error:
        return {"refused": str(error)}
    return {"taken": [np.ravel(found[t.name]).tolist() for t in tensors]}


def core(message):
    """A refusal without its remedy, which speaks of options there and of arguments here."""
    if re.search("has the shape|expected shape", message):
        return re.match(r'(?:w: )?"?([^" (:]*)', message)[1]
    if re.match("--weights-leave|w: leave", message):
        return "leave"
    return re.split("; is it another|: is it (?:--weights-)?prefix|: choose by |: say |"
                    "; name others|; ffngen vendor|[;:] give other", message)[0]


class Names(unittest.TestCase):
    def test_ffngen_and_the_package_judge_alike(self):
        rng = random.Random(7)
        cases = RARE + [case_of(rng) for _ in range(3000)]
        outcomes = {"taken": 0, "refused": 0}
        for case, expected in zip(cases, judged(cases)):
            found = taken(case)
            self.assertEqual(found.keys(), expected.keys(), (case, found, expected))
            outcomes[next(iter(found))] += 1
            if "taken" in found:
                self.assertEqual(found, expected, case)
            else:
                self.assertEqual(core(found["refused"]), core(expected["refused"]), case)
        self.assertGreater(min(outcomes.values()), 300, outcomes)

    def test_every_rule_is_met(self):
        rng = random.Random(7)
        cases = RARE + [case_of(rng) for _ in range(3000)]
        said = {"ffngen": [a.get("refused", "") for a in judged(cases)],
                "the package": [taken(case).get("refused", "") for case in cases]}
        elsewhere = {"parameter", "fixed", "absent"}  # which only one of the two can tell
        never = []
        for rule in [*TABLE["behind"], *TABLE["around"]]:
            words = re.sub(r"\\{[a-z_]+\\}", ".+", re.escape(rule.get("why", "")))
            for who, messages in said.items():
                if words and words != ".+" and elsewhere.isdisjoint(rule["if"]):
                    pattern = re.compile(f"does not use: {words}[:;]")
                    if not any(map(pattern.search, messages)):
                        never.append((who, rule["why"]))
        self.assertEqual(never, [])

    def test_a_scheme_is_added_once(self):
        case = {"prefix": None, "order": None, "leave": [],
                "tensors": [t._asdict() for t in LAYERS["plain"]],
                "held": [["m.expand.weight", [4, 3]], ["m.expand.bias", [4]],
                         ["m.shrink.weight", [3, 4]], ["m.shrink.bias", [3]]]}
        self.assertIn("no tensor for up.weight", taken(case)["refused"])
        self.assertIn("no tensor for up.weight", judged([case])[0]["refused"])
        with tempfile.TemporaryDirectory() as folder:
            for name in TREE:
                to = Path(folder) / name
                to.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, to)
            table = Path(folder) / "generator/tensors/names.json"
            added = '"conventions": [\n{ "up": "expand", "down": "shrink", "of": "nobody" },'
            table.write_text(table.read_text().replace('"conventions": [', added, 1))
            code = ("import json, sys; sys.path[:0] = sys.argv[1:3]; import test_names as t; "
                    "print(json.dumps(t.taken(json.loads(sys.argv[3]))))")
            done = subprocess.run(
                [sys.executable, "-c", code, Path(folder) / "generator/package/python",
                 ROOT / "tests/python", json.dumps(case)], capture_output=True, text=True,
                check=True, env={**os.environ, "PYTHONPATH": ""})
            ends = (0, 12, 16, 28, 31)
            expected = [np.arange(*r).tolist() for r in zip(map(float, ends), ends[1:])]
            self.assertEqual(json.loads(done.stdout), {"taken": expected})
            self.assertEqual(judged([case], folder)[0], {"taken": expected})

    def test_layers_are_packed_by_any_names(self):
        layers = lessons()
        chain = [f"{i}.{part}" for i in (0, 2, 4) for part in ("weight", "bias")]
        for name, keys in (("linear_10_5", ["weight", "bias"]), ("mlp_10_64_32_1", chain),
                           ("mlp_10_64_32_1", ["net." + key for key in chain]),
                           ("notebook_swiglu", [f"model.layers.3.mlp.{m}_proj.weight"
                                                for m in ("gate", "up", "down")]),
                           ("notebook_swiglu", ["w1.weight", "w3.weight", "w2.weight"])):
            layer = layers[name]
            own, x = weights_for(layer), normal(2, layer.inputs)
            self.assertEqual(len(own), len(keys))
            given = dict(reversed(list(zip(keys, own.values()))))
            np.testing.assert_array_equal(layer.pack(given)(x), layer.pack(own)(x))

    def test_order(self):
        layer = lessons()["notebook_swiglu"]
        own, x = weights_for(layer), normal(2, layer.inputs)
        turned = {name: array.T for name, array in own.items()}
        y = layer.pack(own)(x)
        np.testing.assert_array_equal(layer.pack(turned, order="in-out")(x), y)
        with self.assertRaisesRegex(ValueError, r"^gate.weight: expected shape .*: is it order="
                                                '"in-out"?'):
            layer.pack(turned)
        both = {**{"a." + name: array for name, array in own.items()},
                **{"b." + name: array for name, array in turned.items()}}
        np.testing.assert_array_equal(layer.pack(both, prefix="a")(x), y)
        with self.assertRaisesRegex(ValueError, 'gate.weight could be any of "a.gate.weight", '
                                                '"b.gate.weight": choose by prefix="b."$'):
            layer.pack(both)

    def test_what_is_left_over(self):
        layer = lessons()["linear_10_5"]
        own, x = weights_for(layer), normal(2, 10)
        linear = {"weight": own["0.weight"], "bias": own["0.bias"]}
        norm = {"norm.weight": normal(10)}
        with self.assertRaisesRegex(ValueError, '^weights of linear_10_5: it has "norm.weight", '
                                                'which .* does not use: .*leave=."norm".'):
            layer.pack({**linear, **norm})
        y = layer.pack(own)(x)
        for leave in ("norm", ["norm"], ("norm.weight",)):
            np.testing.assert_array_equal(layer.pack({**linear, **norm}, leave=leave)(x), y)
        with self.assertRaisesRegex(ValueError, '"weight" is the layer\'s own: 0.weight'):
            layer.pack(linear, leave="weight")
        with self.assertRaisesRegex(ValueError, ": 0 is an adapter such as LoRA: merge it"):
            layer.pack({**{"0." + name: array for name, array in linear.items()},
                        "0.lora_A.weight": normal(2, 10)})
        gated = lessons()["notebook_swiglu"]
        with self.assertRaisesRegex(ValueError, '"temperature", .*: it may be the activation\'s; '):
            gated.pack({**{"mlp." + name: array for name, array in weights_for(gated).items()},
                        "temperature": np.float32(2)})

    def test_arguments(self):
        layer, good = lessons()["linear_10_5"], weights_for(lessons()["linear_10_5"])
        for kind, message, said in (
                (TypeError, "^prefix: expected what stands in front of names", {"prefix": 3}),
                (ValueError, "^order: expected 'out-in' or 'in-out'", {"order": "rows"}),
                (TypeError, "^leave: expected names", {"leave": [3]}),
                (TypeError, "^leave: expected names", {"leave": 3}),
                (ValueError, 'leave: it has no "x"', {"leave": "x"}),
                (ValueError, 'behind the prefix "x"', {"prefix": "x"})):
            with self.assertRaisesRegex(kind, message):
                layer.pack(good, **said)
        with self.assertRaisesRegex(TypeError, "^weights of linear_10_5: expected names, given 3"):
            layer.pack({**good, 3: 1})


if __name__ == "__main__":
    unittest.main()
