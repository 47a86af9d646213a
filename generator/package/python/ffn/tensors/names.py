"""What files call the matrices of a layer, and what stands beside them there: names.json, which the
generator reads, too (generator/tensors/names.lua says what is what in it)."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent


def _table() -> Mapping[str, Any]:
    """It came with the package, or lies in the tree that the package lies in."""
    own = HERE / "names.json"
    path = own if own.exists() else HERE.parents[3] / "tensors" / "names.json"
    data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


TABLE = _table()
NUMBERED: Sequence[str] = TABLE["numbered"]
OF_OUTPUTS: Sequence[str] = TABLE["of_outputs"]
ANYWHERE = frozenset(n["name"] for n in TABLE["anywhere"])
Neighbour = Mapping[str, Any]


class Named(NamedTuple):
    """Names of a layer whose matrices have roles."""
    weight: Mapping[str, str]  # by role
    bias: Mapping[str, str]
    either_way: bool = False
    gate: str | None = None  # the module of a gate, of a layer without one
    of: str | None = None  # who calls them so
    beside: Sequence[Neighbour] = ()


def may_be_in_out(key: str) -> bool:
    """Whether a matrix of this name may well be [in][out]: Conv1D's, and a kernel of Keras."""
    parts = re.split("[./]", key)
    module = parts[-2] if len(parts) > 1 else None
    return re.match(r"kernel(?![A-Za-z0-9_])", parts[-1]) is not None or (
        parts[-1] == "weight" and module in TABLE["conv1d"])


def beside(convention: Mapping[str, Any]) -> Sequence[Neighbour]:
    found: Sequence[Neighbour] = TABLE["beside"][convention["beside"]] if "beside" in convention \
        else ()
    return found


BESIDE_OWN: Sequence[Neighbour] = TABLE["beside"]["own"]
BESIDE_OUTPUTS: Sequence[Neighbour] = TABLE["beside"]["outputs"]


def beside_numbers(word: str) -> Sequence[Neighbour]:
    """What stands beside the matrices of a chain whose names have a number behind a word, as far as
    they are the two of a convention: fc1 and fc2."""
    for convention in TABLE["conventions"]:
        if convention["up"] == word + "1" and convention["down"] == word + "2":
            return beside(convention)
    return ()


def _speaks_of(convention: Mapping[str, Any], roles: Sequence[str]) -> bool:
    """Whether a convention speaks of a layer of such matrices. A layer without a down projection
    has the names that say what they are: w1 and w2 would be anything."""
    if "down" not in roles:
        return "plain" in convention
    if "gate" in roles:
        return "gate" in convention
    return "gate" not in convention or "plain" in convention


def of_roles(roles: Sequence[str]) -> list[Named]:
    """Names of a layer whose matrices have roles: each convention's, and w_up beside b_up."""
    found = []
    for convention in TABLE["conventions"]:
        if _speaks_of(convention, roles):
            gate = convention.get("gate") or convention.get("gated_by")
            found.append(Named(
                {role: convention[role] + ".weight" for role in roles},
                {role: convention[role] + ".bias" for role in roles},
                convention.get("either_way", False), None if "gate" in roles else gate,
                convention["of"], beside(convention)))
    return [*found, Named({role: "w_" + role for role in roles},
                          {role: "b_" + role for role in roles}, beside=BESIDE_OWN)]
