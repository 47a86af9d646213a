"""Names of tensors as ways through modules, and in messages. Between the parts of a name stand
dots; slashes in those of Keras and JAX."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def shown(text: str, most: int = 60) -> str:
    """Someone else's name, fit for one line of a message."""
    cut = text if len(text) <= most else text[:most]
    told = "".join(c if c.isprintable() else repr(c)[1:-1] for c in cut)
    return told if cut == text else told + "..."


def quoted(name: str) -> str:
    return f'"{shown(name, 80)}"'


def some(keys: Sequence[str]) -> str:
    """Some of many names."""
    told = [quoted(key) for key in keys[:6]]
    return ", ".join(told + ([f"and {len(keys) - 6} more"] if len(keys) > 6 else []))


def is_of(key: str, name: str) -> bool:
    """Whether a tensor is what a name says, or behind it: a module's name is for all in it."""
    return key == name or key.startswith((name + ".", name + "/"))


def last(key: str) -> str:
    """The last part of a name."""
    return re.split("[./]", key)[-1]


def module_of(key: str) -> str:
    """What a name has in front of its last part: with its dot, or nothing."""
    return key[:len(key) - len(last(key))]


def modules(key: str) -> list[str]:
    """The modules of a name, from the outermost on."""
    return [key[:at.start()] for at in re.finditer("[./]", key)]


def around(prefix: str) -> tuple[str, str]:
    """What holds the module of a prefix, which ends in a dot or is empty; of an item of a list,
    what holds the list. And the module, or the list."""
    while True:
        inside, found = prefix, re.search(r"([^./]*)[./]\Z", prefix)
        outer = re.match(r"(.*[./])[^./]+[./]\Z", prefix, re.DOTALL)
        prefix = outer[1] if outer else ""
        if not found or not re.fullmatch("[0-9]+", found[1]):
            return prefix, inside


def unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
