"""Which tensors of a dict are the weights of a layer: as the caller says, or the one reading that
there is. What could be meant twice is asked back."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from . import forms, neighbours, paths, readings
from .judged_reading import Scope
from .readings import Readable, Reading
from .wanted_tensors import Held, Options, Shape, Tensor


class Chosen(NamedTuple):
    """Where a tensor of the layer is."""
    key: str
    is_other_way: bool  # [in][out]


def _rename(tensors: Sequence[Tensor]) -> str:
    """What helps where names are not known."""
    return "give others by the layer's names, " + ", ".join(f"{t.name} {t.shape}" for t in tensors)


def _leaving(held: Held, tensors: Sequence[Tensor], keys: Sequence[str],
             leave: Sequence[str]) -> None:
    """Refuses to leave out what the layer takes."""
    for name in leave:
        for tensor, key in zip(tensors, keys):
            if paths.is_of(key, name):
                held.refuse(f"leave: {paths.quoted(name)} is the layer's own: " + (
                    tensor.name if key == name else f"{paths.quoted(key)} in it is {tensor.name}"))


def _left(held: Held, leave: Sequence[str]) -> Callable[[str], bool]:
    """Whether a tensor is left out. Every name must be one of the dict's."""
    for name in leave:
        if not any(paths.is_of(key, name) for key in held.keys):
            held.refuse(f"leave: it has no {paths.quoted(name)}, neither a tensor nor a module")
    return lambda key: any(paths.is_of(key, name) for name in leave)


def _refuse_form(held: Held, key: str, form: forms.Form, name: str) -> NoReturn:
    """What stands in place of a plain tensor is named, with what makes a plain one of it."""
    held.refuse(f"{paths.quoted(key)} is not a plain tensor for {name}, but a part of "
                f"{form['of']}: {form['mend']}")


def _near_prefix(candidates: Sequence[Reading], prefix: str) -> str | None:
    """The prefix of a reading that begins with what the caller says, or the other way round, the
    nearest first; None where there is none, or where several are as near."""
    said = prefix.rstrip(".") + "."
    near = [(abs(len(r.prefix) - len(said)), r.prefix[:-1]) for r in candidates if r.missing == 0
            and (r.prefix.startswith(said) or r.prefix != "" and said.startswith(r.prefix))]
    best = {name for distance, name in near if distance == min(near)[0]}
    return best.pop() if len(best) == 1 else None


def _nothing(held: Held, file: Readable, tensors: Sequence[Tensor], prefix: str | None,
             elsewhere: Sequence[Reading]) -> NoReturn:
    """No name is a known one, or none behind the prefix."""
    name = tensors[0].name
    if prefix is None:
        has = paths.some(held.keys) if held.keys else "none at all"
        held.refuse(f"there is no tensor for {name}: it has {has}; {_rename(tensors)}")
    behind = [key for key in held.keys if paths.is_of(key, prefix.rstrip("."))]
    for key in behind:
        part = forms.part_of(key, file.has)
        if part:
            _refuse_form(held, key, part.form, name)
    meant = _near_prefix(elsewhere, prefix)
    if meant is not None:
        held.refuse(f"there is no tensor for {name} behind the prefix {paths.quoted(prefix)}: is "
                    f'it prefix="{paths.shown(meant)}"?')
    has = paths.some(behind) if behind else "nothing there"
    if not behind and held.keys:
        has += ", but " + paths.some(held.keys)
    held.refuse(f"there is no tensor for {name} behind the prefix {paths.quoted(prefix)}: it has "
                f"{has}; {_rename(tensors)}")


def _check_forms(held: Held, r: Reading, file: Readable, tensors: Sequence[Tensor]) -> None:
    """Refuses a reading that finds a tensor in a form such as LoRA's."""
    for tensor, key in zip(tensors, r.keys):
        if key in file.stand_ins:
            _refuse_form(held, *file.stand_ins[key], tensor.name)


def _lacking(held: Held, candidates: Sequence[Reading], file: Readable,
             tensors: Sequence[Tensor]) -> NoReturn:
    """The reading with the fewest gaps, and what it lacks."""
    best = min(candidates, key=lambda r: r.missing)
    _check_forms(held, best, file, tensors)
    there = paths.some([key for key in best.keys if key in file.has])
    tensor, key = next((t, k) for t, k in zip(tensors, best.keys) if k not in file.has)
    held.refuse(f"there is no tensor for {tensor.name}: {paths.quoted(key)} is missing, and "
                f"{there} is there; {_rename(tensors)}")


def _fits(r: Reading, file: Readable, tensors: Sequence[Tensor], order: str) -> bool:
    """Whether the matrices have the shapes of a layer, if they are read so."""
    for tensor, key in zip(tensors, r.keys):
        shape: Shape | None = file.shapes.get(key)
        wanted = tensor.shape[::-1] if order == "in-out" else tensor.shape
        if tensor.part == "weight" and shape is not None and shape != wanted:
            return False
    return True


def _by_shapes(whole: list[Reading], file: Readable, tensors: Sequence[Tensor],
               order: str | None) -> list[Reading]:
    """Of readings of the same tensors in other roles, those that fit: in the order that is said,
    else in the other one, that a message speaks of it."""
    sets = {frozenset(key for t, key in zip(tensors, r.keys) if t.part == "weight") for r in whole}
    if len(sets) > 1:
        return whole
    for way in ("in-out", "out-in") if order == "in-out" else ("out-in", "in-out"):
        fitting = [r for r in whole if _fits(r, file, tensors, way)]
        if fitting:
            return fitting
    return whole[:1]


def _ask(held: Held, whole: Sequence[Reading], tensors: Sequence[Tensor]) -> NoReturn:
    """Asks which of several readings is meant."""
    one, two = whole[:2]
    at = next((i for i, (a, b) in enumerate(zip(one.keys, two.keys)) if a != b), len(tensors) - 1)
    is_one_place = len({r.prefix for r in whole}) == 1
    roles = f", as in {one.of}, or as in {two.of}" if is_one_place and one.of and two.of else ""
    held.refuse(f"{tensors[at].name} could be any of "
                f"{paths.some(paths.unique(r.keys[at] for r in whole))}{roles}: " + (
                    _rename(tensors) if is_one_place else
                    f'choose by prefix="{paths.shown(whole[-1].prefix)}"'))


def _one_reading(held: Held, file: Readable, tensors: Sequence[Tensor],
                 options: Options) -> Reading:
    """The one reading that finds every matrix; where some are left out, among those without
    them."""
    every, prefix = readings.of(file, tensors), options.prefix
    candidates = [r for r in every if prefix is None or r.prefix in (prefix, prefix + ".")]
    if not candidates:
        _nothing(held, file, tensors, prefix, every)
    whole = [r for r in candidates if r.missing == 0]
    if not whole:
        _lacking(held, candidates, file, tensors)
    kept = [r for r in whole if not any(t.part == "weight" and file.is_left(key)
                                        for t, key in zip(tensors, r.keys))]
    whole = kept or whole
    if len(whole) > 1:
        whole = _by_shapes(whole, file, tensors, options.order)
    if len(whole) > 1:
        _ask(held, whole, tensors)
    return whole[0]


def _complete(held: Held, r: Reading, file: Readable, tensors: Sequence[Tensor]) -> None:
    """Finds what is missing of a reading all of whose matrices are there."""
    _check_forms(held, r, file, tensors)
    for i, tensor in enumerate(tensors):
        if r.keys[i] not in file.has:
            other = tensor.name if tensor.part == "parameter" else \
                re.sub("operand_scale$", "input_scale", r.keys[i])  # as compressed-tensors has it
            if tensor.part not in ("parameter", "operand_scale") or other not in file.has:
                more = "; is it a layer with bias = false?" if tensor.part == "bias" else ""
                held.refuse(f"there is no tensor for {tensor.name}: {paths.quoted(r.keys[i])} is "
                            f"missing{more}")
            r.keys[i] = other


def _shapes_tell(held: Held, r: Reading, tensors: Sequence[Tensor]) -> bool:
    """Whether the matrices are [in][out], where the names leave it open: the shapes tell, those of
    one matrix for all of them."""
    matrices = [(t, key) for t, key in zip(tensors, r.keys) if t.part == "weight"]
    for tensor, key in matrices:
        if tensor.shape[0] != tensor.shape[1]:
            return held.shapes[key] == tensor.shape[::-1]
    held.refuse(f"{paths.quoted(r.keys[0])} {'is' if len(matrices) == 1 else 'and all others are'} "
                'square: say order="in-out" (GPT-2\'s Conv1D) or order="out-in" (torch.nn.Linear)')


def of(held: Held, tensors: Sequence[Tensor], options: Options) -> list[Chosen]:
    is_left = _left(held, options.leave)
    file = readings.readable(held, is_left)
    r = _one_reading(held, file, tensors, options)
    _complete(held, r, file, tensors)
    # What stands beside a reading is judged behind its prefix. A single matrix whose name says
    # nothing is all that there is, unless the caller says where it is.
    is_whole = r.is_any and options.prefix is None
    scope = Scope("" if is_whole else r.prefix, r.beside, r.gate, r.word,
                  r.prefix if is_whole and r.prefix else None)
    _leaving(held, tensors, r.keys, options.leave)
    neighbours.check(held, tensors, r.keys, scope, is_left)
    is_other_way = options.order == "in-out" if options.order else \
        r.either_way and _shapes_tell(held, r, tensors)
    return [Chosen(key, is_other_way and t.part == "weight") for t, key in zip(tensors, r.keys)]
