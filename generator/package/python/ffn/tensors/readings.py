"""The ways in which the tensors of a dict can be read as the weights of a layer."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from . import forms, names, paths
from .wanted import Held, Shape, Tensor


@dataclass
class Reading:
    prefix: str  # in front of all its names; ends in a dot, or is empty
    keys: list[str]  # the name of each tensor of the layer
    missing: int  # matrices that the dict does not have, biases aside
    either_way: bool = False  # whether matrices may be [in][out]
    beside: Sequence[names.Neighbour] = ()  # what those who use its names have beside
    gate: str | None = None  # the module of a gate, of a layer without one
    word: str | None = None  # in front of the numbers of its modules
    is_any: bool = False  # its names say nothing
    of: str | None = None  # who calls them so


@dataclass
class Readable:
    """What a reader asks of a dict: its names; those that a form such as LoRA stands for in place
    of what is there; and what the caller leaves out."""
    keys: list[str]  # that may be names of matrices
    has: set[str]
    shapes: Mapping[str, Shape | None]
    is_left: Callable[[str], bool]
    stand_ins: dict[str, tuple[str, forms.Form]] = field(default_factory=dict)


def readable(held: Held, is_left: Callable[[str], bool]) -> Readable:
    """A dict as a reader sees it."""
    there, found = set(held.keys), Readable([], set(), held.shapes, is_left)
    for key in held.keys:
        part = forms.part_of(key, there)
        if not part:
            found.keys.append(key)
            continue
        stands = forms.stands_for(part)
        known = part.module + stands if stands else None
        if known and known not in there and known not in found.stand_ins:
            found.stand_ins[known] = key, part.form
            found.keys.append(known)
    found.keys.sort()
    found.has = there.union(found.keys)
    return found


def _prefixes(keys: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """Every prefix under which there is at least one of the names."""
    found = [key[:len(key) - len(name)] for key in keys for name in wanted if key.endswith(name)]
    return paths.unique(prefix for prefix in found if prefix == "" or prefix.endswith("."))


def _reading(file: Readable, tensors: Sequence[Tensor], prefix: str,
             name_of: Callable[[Tensor], str]) -> Reading:
    keys = [prefix + (t.name if t.part == "parameter" else name_of(t)) for t in tensors]
    missing = sum(t.part == "weight" and key not in file.has for t, key in zip(tensors, keys))
    return Reading(prefix, keys, missing)


def _by_role(file: Readable, tensors: Sequence[Tensor]) -> Iterable[Reading]:
    """By the roles of matrices: gate, up, down."""
    roles = [t.matrix or "" for t in tensors if t.part == "weight"]
    for named in names.of_roles(roles):
        for prefix in _prefixes(file.keys, [named.weight[role] for role in roles]):
            r = _reading(file, tensors, prefix, lambda t, n=named:  # type: ignore[misc]
                         (n.weight if t.part == "weight" else n.bias)[t.matrix or ""])
            r.either_way, r.beside, r.of = named.either_way, named.beside, named.of
            r.gate = prefix + named.gate if named.gate else None
            yield r


def _by_output(file: Readable, tensors: Sequence[Tensor]) -> Iterable[Reading]:
    """By the names of outputs."""
    for form in names.OF_OUTPUTS:
        def name_of(t: Tensor, form: str = form) -> str:
            return f"{form.format(name=t.output)}.{t.part}"
        for prefix in _prefixes(file.keys, [name_of(t) for t in tensors if t.part == "weight"]):
            r = _reading(file, tensors, prefix, name_of)
            r.beside = names.BESIDE_OUTPUTS
            yield r


def _numbers(file: Readable, word: str) -> dict[str, list[tuple[int, str, str]]]:
    """The numbers of matrices, ascending, by what stands in front of them; with their texts, and
    names. The matrix of a norm or of an activation is numbered, too."""
    groups: dict[str, list[tuple[int, str, str]]] = {}
    for key in file.keys:
        found = re.fullmatch(rf"(.*?){word}([0-9]+)\.weight", key, re.DOTALL)
        if not found or not (found[1] == "" or found[1].endswith(".")) or len(found[2]) > 9:
            continue
        shape = file.shapes.get(key)
        if shape is None or len(shape) == 2:
            groups.setdefault(found[1], []).append((int(found[2]), found[2], key))
    return {prefix: sorted(group) for prefix, group in groups.items()}


def _by_number(file: Readable, tensors: Sequence[Tensor], word: str) -> Iterable[Reading]:
    """By number: the n-th matrix has the n-th of the numbers that there are."""
    last = max(t.stage for t in tensors)
    for prefix, group in _numbers(file, word).items():
        numbers = [text for _, text, key in group if not file.is_left(key)]
        # Too few: that the layer's own are left out is said where all of it is known.
        numbers = numbers if len(numbers) > last else [text for _, text, _ in group]
        at = [*numbers, *["?"] * (last + 1)]
        r = _reading(file, tensors, prefix, lambda t, at=at:  # type: ignore[misc]
                     f"{word}{at[t.stage]}.{t.part}")
        r.word, r.beside = word, names.beside_numbers(word)
        yield r


def _any(file: Readable, tensors: Sequence[Tensor]) -> Iterable[Reading]:
    """Of a layer of one matrix: any NAME.weight that is no row of numbers, as a norm's is."""
    shapes = file.shapes
    keys = [key for key in file.keys if shapes.get(key) is None or len(shapes[key] or ()) > 1]
    for prefix in _prefixes(keys, ["weight"]):
        r = _reading(file, tensors, prefix, lambda t: t.part)
        r.is_any, r.either_way = True, names.may_be_in_out(prefix + "weight")
        yield r


def _own(file: Readable, tensors: Sequence[Tensor]) -> Iterable[Reading]:
    """w0, b0, w1, b1: ffngen's own files."""
    for prefix in _prefixes(file.keys, ["w0"]):
        r = _reading(file, tensors, prefix,
                     lambda t: ("b" if t.part == "bias" else "w") + str(t.stage))
        r.beside = names.BESIDE_OWN
        yield r


def of(file: Readable, tensors: Sequence[Tensor]) -> list[Reading]:
    """All readings in which there is one matrix at least."""
    matrices = [t for t in tensors if t.part == "weight"]
    if matrices[0].output:
        return list(_by_output(file, tensors))
    if matrices[0].matrix is not None:
        found = list(_by_role(file, tensors))
        is_plain = len(matrices) == 2 and matrices[0].matrix == "up"
        return [*found, *_by_number(file, tensors, "")] if is_plain else found
    found = list(_any(file, tensors)) if len(matrices) == 1 else \
        [r for word in names.NUMBERED for r in _by_number(file, tensors, word)]
    return [*found, *_own(file, tensors)]
