"""What stands in a dict beside the tensors of a layer: it has what the layer takes and nothing
else, or the difference is named. Judged is all that is behind the prefix which the layer's tensors
share, and around that what has no matrix of its own; what lies elsewhere is another part of the
model."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from . import forms, paths, rules, surroundings
from .judged_reading import Judged, Scope, judged
from .names import TABLE, Neighbour
from .rules import Find, Said
from .wanted_tensors import Held, Tensor, shape_text


def _neighbour(j: Judged, key: str) -> Neighbour | None:
    prefix = j.scope.prefix
    behind = key[len(prefix):]
    for n in j.scope.beside:
        name = n["name"]
        if behind.startswith(name) and prefix + behind[len(name):] in j.own if "is_of_own" in n \
                else paths.is_of(behind, name):
            return n
    return None


def _has_attention(j: Judged) -> bool:
    """Whether the attention of a block is there, whose norms its scheme knows."""
    near = (_neighbour(j, key) for key in j.held.keys
            if key.startswith(j.scope.prefix) and key not in j.own)
    return any(n is not None and "is_attention" in n for n in near)


def _place(j: Judged, key: str) -> tuple[str, str | None, str | None] | None:
    """Where a numbered module stands among those of the layer: its name, and those before and after
    it."""
    def numbered(name: str) -> tuple[int, str] | None:
        found = re.match(f"{j.scope.word}([0-9]+)", name[len(j.scope.prefix):])
        return (int(found[1]), found[0]) if found else None
    this = None if j.scope.word is None else numbered(key)
    if this is None:
        return None
    own = [numbered(k) for k, t in zip(j.keys, j.tensors) if t.part == "weight"]
    before = [n[1] for n in own if n and n[0] < this[0]]
    after = [n[1] for n in own if n and n[0] > this[0]]
    return paths.quoted(this[1]), before[-1] if before else None, after[0] if after else None


def _facts(j: Judged) -> Find:
    """The facts that the rules of what is behind the prefix ask for."""
    scope, shapes, w = j.scope, j.held.shapes, j.widths

    def goes_through(key: str) -> bool:
        shape = shapes[key]
        return shape is None or len(shape) == 1 and shape[0] in (w.inputs, w.outputs)
    return {
        "key": lambda key, f: paths.quoted(key),
        "near": lambda key, f: key.startswith(scope.prefix),
        # A number in front of all modules, as that of an activation: who has no spec cannot tell
        # whether the layer fixes it.
        "parameter": lambda key, f: scope.prefix != "" and not paths.modules(key)
        and shapes[key] in ((), (1,)) and not f["harmless"],
        "harmless": lambda key, f: j.is_harmless(key),
        "held_by": lambda key, f: next((m for m in sorted(j.owners) if key.startswith(m)), None),
        "owner": lambda key, f: j.owners.get(f["held_by"]),
        "bias": lambda key, f: key == f["held_by"] + "bias",
        "part": lambda key, f: forms.part_of(key, j.has),
        "form": lambda key, f: f["part"] and f["part"].form["of"],
        "mends_form": lambda key, f: f["part"].form["mend"],
        "neighbour": lambda key, f: _neighbour(j, key),
        "norm": lambda key, f: f["neighbour"] and "is_norm" in f["neighbour"],
        "inside": lambda key, f: f["neighbour"] and "is_inside" in f["neighbour"]
        and f["neighbour"]["why"],
        "attention": lambda key, f: _has_attention(j),
        "batch_norm": lambda key, f: j.is_batch_norm(key),
        "inputs": lambda key, f: w.inputs, "outputs": lambda key, f: w.outputs,
        "other_shape": lambda key, f: None if goes_through(key) else shape_text(shapes[key] or ()),
        "mends_norm": lambda key, f: f["another"] if shapes[key] is None
        or (shapes[key] or (0,))[0] in w.hidden else None,
        "gate": lambda key, f: scope.gate and paths.is_of(key, scope.gate),
        "module": lambda key, f: scope.module and scope.module[:-1],
        "place": lambda key, f: _place(j, key) or (None, None, None),
        "numbered": lambda key, f: f["place"][0],
        "before": lambda key, f: f["place"][1], "after": lambda key, f: f["place"][2],
        "hidden": lambda key, f: len(shapes[key] or ()) == 1 and (shapes[key] or (0,))[0]
        in w.hidden and (shapes[key] or (0,))[0],
    }


def _strangers(j: Judged, is_left: Callable[[str], bool]) -> tuple[list[str], Said]:
    """What is found behind the prefix: names, why the first of them has no place, and what mends
    that. Where some have a remedy, it is these alone."""
    find = _facts(j)
    said = ((key, rules.said(TABLE["behind"], find, key)) for key in j.held.keys
            if key not in j.own and not is_left(key))
    found = [(key, (why, mend)) for key, (why, mend) in said if why]
    found = [item for item in found if item[1][1]] or found
    return [key for key, _ in found], found[0][1] if found else (None, None)


def _leaving(j: Judged, units: Sequence[str]) -> str:
    """What helps where there is more that may well be none of the layer's."""
    units = paths.unique(units)
    told = ", ".join(f'"{paths.shown(unit)}"' for unit in units[:8])
    more = ", ..." if len(units) > 8 else ""
    prefix = f'; prefix="{paths.shown(j.scope.module[:-1])}", where it is all of the layer' \
        if j.scope.module else ""
    return f"is it another layer? leave=[{told}{more}] leaves out what does not change it{prefix}"


def check(held: Held, tensors: Sequence[Tensor], keys: Sequence[str], scope: Scope,
          is_left: Callable[[str], bool]) -> None:
    """Refuses a dict that has more than the layer takes."""
    j = judged(held, tensors, keys, scope)
    found: Sequence[str]
    found, (why, mend) = _strangers(j, is_left)
    units: Sequence[str] = [j.unit_of(key, scope.prefix) for key in found]
    if not found:
        found, units, why = surroundings.strangers(j, is_left)
    if found:
        held.refuse(f"it has {paths.some(found)}, which the layer does not use: {why}"
                    + (f": {mend}" if mend else f"; {_leaving(j, units)}"))
