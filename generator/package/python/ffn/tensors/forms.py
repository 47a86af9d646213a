"""What a module may hold in place of a plain matrix, or beside it. Each makes another matrix of it:
what stands there under a known name is not what the model computes with."""
from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from . import paths
from .names import TABLE

Form = Mapping[str, Any]


class Part(NamedTuple):
    """A tensor that is a part of a form."""
    module: str  # of the matrix, with its dot
    name: str  # in it
    form: Form


def _by(what: str) -> dict[str, list[Form]]:
    found: dict[str, list[Form]] = {}
    for form in TABLE["forms"]:
        for name in form.get(what, ()):
            found.setdefault(name, []).append(form)
    return found


_OF_MODULE, _OF_TENSOR = _by("modules"), _by("tensors")


def part_of(key: str, has: Collection[str]) -> Part | None:
    """The form that a tensor is a part of, or None."""
    for found in re.finditer("[^.]+", key):
        if found[0] in _OF_MODULE:
            return Part(key[:found.start()], key[found.start():], _OF_MODULE[found[0]][0])
    at = key.rfind(".") + 1
    module = key[:at]
    if not module or at == len(key):
        return None
    for form in _OF_TENSOR.get(key[at:], ()):
        if "told_by" not in form or module + form["told_by"] in has:
            # bitsandbytes writes weight.absmax and weight.quant_state.bitsandbytes__nf4, quanto
            # weight._data.
            module = re.sub(r"(^|(?<=\.))weight\..*\Z", "", module, count=1, flags=re.DOTALL)
            return Part(module, key[len(module):], form)
    return None


def stands_for(part: Part) -> str | None:
    """What a tensor of a form stands for in its module: weight, bias, or None."""
    for name in part.form["stands"]:
        found = re.fullmatch(_pattern(name), part.name, re.DOTALL)
        if found:
            return "bias" if found.groups() and found[1] == "bias" else "weight"
    return None


def _pattern(name: str) -> str:
    return re.escape(name).replace(r"\{part\}", "([A-Za-z0-9]+)").replace(r"\*", ".*")


def folded(key: str, has: Collection[str]) -> str:
    """The module of a matrix, with its dot."""
    part = part_of(key, has)
    return part.module if part else paths.module_of(key)
