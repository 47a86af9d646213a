"""The ways in which the tensors of a dict can be read as the weights of a layer."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from . import forms, names, paths
from .wanted_tensors import Held, Shape, Tensor


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
             named: Sequence[str]) -> Reading:
    """A layer's names behind a prefix."""
    keys = [prefix + name for name in named]
    missing = sum(t.part == "weight" and key not in file.has for t, key in zip(tensors, keys))
    return Reading(prefix, keys, missing)


def _by_name(file: Readable, tensors: Sequence[Tensor], scheme: names.Scheme,
             convention: names.Scheme | None = None) -> Iterable[Reading]:
    """By names that say which tensor is which; the convention whose modules these are."""
    named = [t.name if t.part == "parameter" else scheme[t.part].format(
        module=convention and convention[t.matrix or ""], **t._asdict()) for t in tensors]
    keys = [key for key in file.keys if "is_any" not in scheme or file.shapes.get(key) is None
            or len(file.shapes[key] or ()) > 1]  # no row of numbers, as a norm's is
    whose = convention or scheme
    gate = convention and (convention.get("gate") or convention.get("gated_by"))
    has_gate = any(t.matrix == "gate" for t in tensors)
    own = [name for name, t in zip(named, tensors) if t.part == "weight"]
    for prefix in _prefixes(keys, [scheme["told_by"]] if "told_by" in scheme else own):
        r = _reading(file, tensors, prefix, named)
        r.either_way, r.of = whose.get("either_way", False), whose.get("of")
        r.beside, r.gate = names.beside(whose), prefix + gate if gate and not has_gate else None
        if "is_any" in scheme:
            r.is_any, r.either_way = True, names.may_be_in_out(prefix + "weight")
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
        r = _reading(file, tensors, prefix, [t.name if t.part == "parameter" else
                                             f"{word}{at[t.stage]}.{t.part}" for t in tensors])
        r.word, r.beside = word, names.beside_numbers(word)
        yield r


def _is_of(matrices: Sequence[Tensor]) -> set[str]:
    """What a layer is to the schemes: the words that they are for."""
    if matrices[0].output:
        return {"outputs"}
    if matrices[0].matrix is None:
        return {"chain", "one" if len(matrices) == 1 else "several"}
    return {"roles", "plain"} if [t.matrix for t in matrices] == ["up", "down"] else {"roles"}


def of(file: Readable, tensors: Sequence[Tensor]) -> list[Reading]:
    """All readings in which there is one matrix at least."""
    matrices, found = [t for t in tensors if t.part == "weight"], []
    words, roles = _is_of(matrices), {t.matrix for t in matrices}
    for scheme in (s for s in names.TABLE["schemes"] if not words.isdisjoint(s["for"])):
        if "word" in scheme:
            found += _by_number(file, tensors, scheme["word"])
        elif "{module}" in scheme["weight"]:
            for convention in names.conventions_of(roles):
                found += _by_name(file, tensors, scheme, convention)
        else:
            found += _by_name(file, tensors, scheme)
    return found
