"""What stands around the module of a layer and may yet be between its matrices: some keep matrices
in one module and norms, activations or a way around them beside it. Judged is what has no matrix of
its own: what has one is another part of the model."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from . import paths
from .judged import Judged
from .names import TABLE
from .wanted import Shape, count


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


def _is_beside_list(j: Judged, key: str, unit: str) -> bool:
    """Whether a tensor is in a list that has numbers of the layer's own."""
    found = re.match(r"[./]([0-9]+)(?=[./]|\Z)", key[len(unit):])
    prefix = j.scope.prefix
    return found is not None and prefix + found[1] in j.modules and prefix != ""


def _is_shortcut(j: Judged, a: _Around, key: str, shape: Shape) -> bool:
    """A matrix alone that goes from what the layer takes to what it gives."""
    unit, w = a.unit_of[key], j.widths
    if a.has_attention or len(a.matrices.get(unit, ())) != 1 or key != unit + ".weight":
        return False
    return shape in ((w.outputs, w.inputs), (w.inputs, w.outputs))


def _problem(j: Judged, a: _Around, key: str) -> str | None:
    """Why a tensor around the module of a layer may be a part of it, in words."""
    shape, unit, w = j.held.shapes[key], a.unit_of[key], j.widths
    if shape is None:
        is_near = key in (unit, f"{unit}.{paths.last(key)}") or _is_beside_list(j, key, unit)
        return f"{paths.quoted(key)} is no array, and may be between the matrices" \
            if is_near and not a.has_attention else None
    length = _length(key, shape)
    if not length:
        return f"{paths.quoted(key)} takes what the layer takes and gives as much" \
            if _is_shortcut(j, a, key, shape) else None
    owner = j.held.shapes.get(key[:-4] + "weight") if key.endswith("bias") else None
    if unit in a.matrices or owner is not None and len(owner) > 1:
        return None
    goes_through = length in (w.inputs, w.outputs)
    is_around = a.has_attention and not j.is_batch_norm(key) and goes_through
    if length in w.hidden and length > 1 and not is_around:
        return f"{paths.quoted(key)} has a number for each of {length} hidden ones"
    if length == 1 and re.search(r"[./]weight\Z|[./][0-9]+\Z", key[len(a.prefix):]):
        return f"{paths.quoted(key)} is one number, as an activation has between matrices"
    if not a.has_attention and goes_through and _is_beside_list(j, key, unit):
        return f"{paths.quoted(key)} is in a list beside that of the layer"
    return None


def strangers(j: Judged, is_left: Callable[[str], bool]
              ) -> tuple[Sequence[str], Sequence[str], str | None]:
    """What stands around the module of a layer and may be a part of it: names, their units, and why
    of the first."""
    if j.scope.prefix == "" or not j.widths.is_deep:
        return [], [], None
    a = _around(j, is_left)
    found = [(key, why) for key in a.unit_of if (why := _problem(j, a, key))]
    return [key for key, _ in found], [a.unit_of[key] for key, _ in found], \
        found[0][1] if found else None
