"""What stands around the module of a layer and may yet be between its matrices: some keep matrices
in one module and norms, activations or a way around them beside it. Judged is what has no matrix of
its own: what has one is another part of the model."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from . import paths, rules
from .judged_reading import Judged
from .names import TABLE
from .rules import Find
from .wanted_tensors import Shape, count


@dataclass
class _Around:
    prefix: str  # what all of it has in front
    has_attention: bool = False
    matrices: dict[str, list[str]] = field(default_factory=dict)  # of a unit
    unit_of: dict[str, str] = field(default_factory=dict)  # by name of a tensor, in their order


def _is_attention(key: str) -> bool:
    return any(word in key.lower() for word in TABLE["attention"])


def _length(key: str, shape: Shape) -> int | None:
    """How long a tensor is that has one dimension of more than 1; None of a matrix. A weight of
    two dimensions is a matrix, be it of one row."""
    if len(shape) <= 1 or count(shape) == 0:
        return count(shape)
    wide = sum(size != 1 for size in shape)
    return count(shape) if wide <= 1 and paths.last(key) != "weight" else None


def _around(j: Judged, is_left: Callable[[str], bool]) -> _Around:
    """All that is around the module of a layer, in units that have nothing of it."""
    prefix, inside = paths.around(j.scope.prefix)
    a = _Around(prefix)
    for key in j.held.keys:
        if key.startswith(prefix):
            a.has_attention = a.has_attention or _is_attention(key[len(prefix):])
            if not (key.startswith(inside) or key in j.own or is_left(key) or j.is_harmless(key)):
                a.unit_of[key] = j.unit_of(key, prefix)
    for key, unit in a.unit_of.items():
        shape = j.held.shapes[key]
        if shape is not None and not _length(key, shape):
            a.matrices.setdefault(unit, []).append(key)
    return a


def _facts(j: Judged, a: _Around) -> Find:
    """The facts that the rules of what is around the module ask for."""
    shapes, w, prefix = j.held.shapes, j.widths, j.scope.prefix

    def listed(key: str) -> bool:
        """Whether a tensor is in a list that has numbers of the layer's own."""
        found = re.match(r"[./]([0-9]+)(?=[./]|\Z)", key[len(a.unit_of[key]):])
        return found is not None and prefix + found[1] in j.modules and prefix != ""

    def owner(key: str) -> Shape:
        return (key.endswith("bias") and shapes.get(key[:-4] + "weight")) or ()
    return {
        "key": lambda key, f: paths.quoted(key), "attention": lambda key, f: a.has_attention,
        "absent": lambda key, f: "no array" if shapes[key] is None else None,
        "near": lambda key, f: f["listed"]
        or key in (a.unit_of[key], f"{a.unit_of[key]}.{paths.last(key)}"),
        "listed": lambda key, f: listed(key),
        "length": lambda key, f: _length(key, shapes[key] or ()),
        "matrix": lambda key, f: f["length"] is None,
        # A matrix alone that goes from what the layer takes to what it gives.
        "shortcut": lambda key, f: f["matrix"] and not a.has_attention
        and a.matrices.get(a.unit_of[key]) == [a.unit_of[key] + ".weight"] == [key]
        and shapes[key] in ((w.outputs, w.inputs), (w.inputs, w.outputs)),
        "of_matrix": lambda key, f: a.unit_of[key] in a.matrices or len(owner(key)) > 1,
        "through": lambda key, f: f["length"] in (w.inputs, w.outputs),
        "norm": lambda key, f: a.has_attention and f["through"] and not j.is_batch_norm(key),
        "hidden": lambda key, f: f["length"] in w.hidden and f["length"] > 1 and f["length"],
        "single": lambda key, f: f["length"] == 1
        and re.search(r"[./]weight\Z|[./][0-9]+\Z", key[len(a.prefix):]),
    }


def strangers(j: Judged, is_left: Callable[[str], bool]
              ) -> tuple[Sequence[str], Sequence[str], str | None]:
    """What stands around the module of a layer and may be a part of it: names, their units, and why
    of the first."""
    if j.scope.prefix == "" or not j.widths.is_deep:
        return [], [], None
    a = _around(j, is_left)
    find = _facts(j, a)
    found = [(key, why) for key in a.unit_of
             if (why := rules.said(TABLE["around"], find, key)[0])]
    return [key for key, _ in found], [a.unit_of[key] for key, _ in found], \
        found[0][1] if found else None
