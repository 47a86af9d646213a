"""What stands in a dict beside the tensors of a layer: it has what the layer takes and nothing
else, or the difference is named. Judged is all that is behind the prefix which the layer's tensors
share, and around that what has no matrix of its own; what lies elsewhere is another part of the
model."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from . import around, forms, paths
from .judged import Judged, Scope, judged
from .names import Neighbour
from .wanted import Held, Tensor, shape_text

# What helps where more is computed than the layer does.
OTHER = "describe the layer that it is"
ANOTHER = OTHER + ", or fold it in first, as a BatchNorm can be"

_Said = tuple[str, "str | None"]  # why, and what mends it: then it is a part of what is computed


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


def _no_norm(j: Judged, key: str) -> _Said | None:
    """Why a tensor that a scheme knows as a norm is none of those in front of the layer or behind
    it."""
    shape, w = j.held.shapes[key], j.widths
    mend = ANOTHER if shape is None or shape and shape[0] in w.hidden else None
    if j.is_batch_norm(key):
        return f"{paths.quoted(key)} is a BatchNorm's: no norm around the layer is one", mend
    if not _has_attention(j):
        return f"{paths.quoted(key)} is a norm of a block, and its attention is not here", mend
    if shape is not None and not (len(shape) == 1 and shape[0] in (w.inputs, w.outputs)):
        return (f"{paths.quoted(key)} is {shape_text(shape)}, and the layer takes {w.inputs} and "
                f"gives {w.outputs}: no norm around it"), mend
    return None


def _place(j: Judged, key: str) -> _Said | None:
    """Where a numbered module stands among those of the layer; what stands between changes it."""
    if j.scope.word is None:
        return None

    def numbered(name: str) -> tuple[int, str] | None:
        found = re.match(f"{j.scope.word}([0-9]+)", name[len(j.scope.prefix):])
        return (int(found[1]), found[0]) if found else None
    own = [numbered(k) for k, t in zip(j.keys, j.tensors) if t.part == "weight"]
    this = numbered(key)
    if this is None:
        return None
    before = [n for n in own if n and n[0] < this[0]]
    after = [n for n in own if n and n[0] > this[0]]
    name = paths.quoted(this[1])
    if before and after:
        return f'{name} stands between "{before[-1][1]}" and "{after[0][1]}"', ANOTHER
    if before:
        return f'{name} stands behind "{before[-1][1]}"', None
    return (f'{name} stands before "{after[0][1]}"', None) if after else None


def _in_owner(j: Judged, key: str) -> _Said | None:
    """What is wrong with a tensor in the module of a matrix."""
    for module in sorted(j.owners):
        if key.startswith(module):
            matrix, part = j.owners[module], forms.part_of(key, j.has)
            if part:
                return f"{matrix} is {part.form['of']}", part.form["mend"]
            if key == module + "bias":
                return f"{matrix} has a bias here, and the spec says bias = false", OTHER
            return f"it stands in the module of {matrix}", None
    return None


def _problem(j: Judged, key: str) -> _Said | None:
    """Why a tensor behind the prefix has no place in the layer; None where it is known to be none
    of it. What is a part of the layer's computation has a remedy, and is not left out."""
    if j.is_harmless(key):
        return None
    owned = _in_owner(j, key)
    if owned:
        return owned
    n = _neighbour(j, key)
    if n is not None:
        return (n["why"], ANOTHER) if "is_inside" in n else \
            _no_norm(j, key) if "is_norm" in n else None
    if j.scope.gate and paths.is_of(key, j.scope.gate):
        return "the layer has no gate", OTHER
    if j.scope.module:
        return f'it is not in "{j.scope.module[:-1]}"', None
    place, shape = _place(j, key), j.held.shapes[key]
    if place:
        return place
    if shape is not None and len(shape) == 1 and shape[0] in j.widths.hidden:
        return f"{paths.quoted(key)} has a number for each of {shape[0]} hidden ones", ANOTHER
    return f"nothing is known of {paths.quoted(key)}", None


def _is_parameter(j: Judged, key: str) -> bool:
    """A number in front of all modules, as that of an activation: who has no spec cannot tell
    whether the layer fixes it."""
    shape = j.held.shapes[key]
    return j.scope.prefix != "" and not paths.modules(key) and shape in ((), (1,)) \
        and not j.is_harmless(key)


def _strangers(j: Judged, is_left: Callable[[str], bool]) -> tuple[list[str], _Said]:
    """What is found behind the prefix: names, why the first of them has no place, and what mends
    that. Where some have a remedy, it is these alone."""
    found: list[tuple[str, _Said]] = []
    for key in j.held.keys:
        if key in j.own or is_left(key):
            continue
        said = _problem(j, key) if key.startswith(j.scope.prefix) else \
            ("it may be the activation's", None) if _is_parameter(j, key) else None
        if said:
            found.append((key, said))
    sure = [item for item in found if item[1][1]]
    found = sure or found
    return [key for key, _ in found], found[0][1] if found else ("", None)


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
        found, units, around_why = around.strangers(j, is_left)
        why = around_why or why
    if found:
        held.refuse(f"it has {paths.some(found)}, for which the layer has no place: {why}"
                    + (f": {mend}" if mend else f"; {_leaving(j, units)}"))
