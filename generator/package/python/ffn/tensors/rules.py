"""The rules of names.json by which a tensor beside a layer is judged (generator/tensors/rules.lua
says what they are)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .names import TABLE

Find = Mapping[str, Callable[[str, "Facts"], Any]]
Said = tuple["str | None", "str | None"]  # why a tensor has no place, and what mends it


class Facts(dict[str, Any]):
    """What is known of a tensor, by the name of a fact; found when a rule asks for it."""

    def __init__(self, find: Find, key: str) -> None:
        super().__init__(TABLE["remedies"])
        self.find, self.name = find, key

    def __missing__(self, fact: str) -> Any:
        self[fact] = self.find[fact](self.name, self) if fact in self.find else None
        return self[fact]


def said(rules: Sequence[Mapping[str, Any]], find: Find, key: str) -> Said:
    """By the first rule all of whose facts hold."""
    facts = Facts(find, key)
    for rule in rules:
        if all(bool(facts[name.lstrip("!")]) != name.startswith("!") for name in rule["if"]):
            why = rule["why"].format_map(facts) if "why" in rule else None
            return why, facts[rule["mend"]] if "mend" in rule else None
    return None, None
