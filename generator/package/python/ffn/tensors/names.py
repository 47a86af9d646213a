"""What files call the matrices of a layer, and what stands beside them there: names.json, which the
generator reads, too (generator/tensors/names.lua says what is what in it)."""
from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def _table() -> Mapping[str, Any]:
    """It came with the package, or lies in the tree that the package lies in."""
    own = HERE / "names.json"
    path = own if own.exists() else HERE.parents[3] / "tensors" / "names.json"
    data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


TABLE = _table()
ANYWHERE = frozenset(n["name"] for n in TABLE["anywhere"])
Neighbour = Mapping[str, Any]
Scheme = Mapping[str, Any]  # or a convention


def may_be_in_out(key: str) -> bool:
    """Whether a matrix of this name may well be [in][out]: Conv1D's, and a kernel of Keras."""
    parts = re.split("[./]", key)
    module = parts[-2] if len(parts) > 1 else None
    return re.match(r"kernel(?![A-Za-z0-9_])", parts[-1]) is not None or (
        parts[-1] == "weight" and module in TABLE["conv1d"])


def beside(named: Mapping[str, Any]) -> Sequence[Neighbour]:
    """What stands beside the matrices of a convention, or of a scheme."""
    found: Sequence[Neighbour] = TABLE["beside"][named["beside"]] if "beside" in named else ()
    return found


def beside_numbers(word: str) -> Sequence[Neighbour]:
    """What stands beside the matrices of a chain whose names have a number behind a word, as far as
    they are the two of a convention: fc1 and fc2."""
    for convention in TABLE["conventions"]:
        if convention["up"] == word + "1" and convention["down"] == word + "2":
            return beside(convention)
    return ()


def conventions_of(roles: Collection[str | None]) -> list[Mapping[str, Any]]:
    """The conventions that speak of a layer of such matrices. One without a down projection has
    the names that say what they are: w1 and w2 would be anything."""
    if "down" not in roles:
        return [c for c in TABLE["conventions"] if "plain" in c]
    if "gate" in roles:
        return [c for c in TABLE["conventions"] if "gate" in c]
    return [c for c in TABLE["conventions"] if "gate" not in c or "plain" in c]
