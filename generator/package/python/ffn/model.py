"""A model that was imported and packed: its products by their names, and what its host needs."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .building import source_of
from .file import PARTS, File
from .layer import Layer
from .library import opened
from .mixture import Mixture


class Model(Mapping[str, Layer]):
    """Products of a folder that `ffngen import` wrote, and ffn-pack packed: `ffn.Model("my/")`.

    Keys are the names of products in the model: model["model.layers.0.mlp"]. Their weights are
    mapped. at() finds a product by its place, mixture() the experts of a layer with their router.

    path: of the folder. file: model.ffn, an ffn.File, with the tables of the model. library: the
    kernels of model.lua, for this CPU. host: what host.json says.

    A model.ffn that was packed by another plan is a ValueError. Products that were not packed
    (ffn-pack --layers) are not there.
    """

    def __init__(self, path: str | os.PathLike[str], *, threads: int = 1) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path: expected a path, given {type(path).__name__}")
        self.path = os.path.abspath(os.fsdecode(path))
        folder = Path(self.path)
        plan, packed = folder / "PLAN.json", folder / "model.ffn"
        number, planned, tables = _planned(plan)
        if not packed.exists():
            raise FileNotFoundError(f"{packed}: there is no such file: make it by ffn-pack {plan}")
        self.host: dict[str, Any] = _read(folder / "host.json")
        self.library = opened(source_of(folder / "model.lua"), threads)
        self.file = file = File(packed, self.library)
        entries = list(zip(file.places, zip(file.names, file._kernels, map(tuple, file.formats))))
        held = {name: (table.count, table.width) for name, table in file.tables.items()}
        # A plan may have been edited under its number, which ffn-pack would refuse.
        if (file.plan != number or held != tables
                or any(planned.get(place) != entry for place, entry in entries)):
            raise ValueError(f"{packed}: another plan than {plan} packed it: pack it anew by "
                             f"ffn-pack {plan}")
        self._numbers = {name: i for i, name in enumerate(file.names)}
        self._places = {place: i for i, place in enumerate(file.places)}

    def __getitem__(self, name: str) -> Layer:
        if name not in self._numbers:
            raise KeyError(f"{self.path}: no packed product {name!r}")
        return self.file[self._numbers[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"<ffn.Model {self.path}: {len(self)} products>"

    def at(self, layer: int, part: int | str = 0) -> Layer:
        """The product of a layer of the model. part: 0 for its feed-forward layer, the number of
        an expert, or a word of ffn.PARTS, such as "qkv"."""
        number = PARTS.get(part) if isinstance(part, str) else part
        if (layer, number) not in self._places:
            raise KeyError(f"{self.path}: no packed product of layer {layer!r}, part {part!r}")
        return self.file[self._places[layer, number]]

    def mixture(self, layer: int) -> Mixture:
        """The mixture of experts of a layer of the model, by the rule that model.lua says."""
        for said in self.host.get("mixtures", ()):
            if said["layer"] == layer:
                rows = said["correction"]
                return self.file.mixture(
                    layer, self.library[said["moe"]],
                    correction=None if rows is None else self.file.rows(rows).reshape(-1))
        raise KeyError(f"{self.path}: no mixture of experts of layer {layer!r}")


def _read(path: Path) -> dict[str, Any]:
    """An object of JSON that ffngen import wrote."""
    try:
        said = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file: name a folder that `ffngen "
                                "import` wrote") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: it is no JSON as ffngen import writes it: {error}") from None
    if not isinstance(said, dict):
        raise ValueError(f"{path}: it is no object, as ffngen import writes it")
    return said


Planned = dict[tuple[int, int], tuple[str, str, tuple[str, ...]]]


def _planned(path: Path) -> tuple[str, Planned, dict[str, tuple[int, int]]]:
    """A plan's number, and what it packs: by the place of each entry its name, its kernel and its
    formats; and the sizes of each table."""
    said = _read(path)
    try:
        planned: Planned = {}
        for layer in said["layers"]:
            kernel = said["kernels"][layer["kernel"]]
            formats = tuple(stage["format"] for stage in kernel["stages"])
            planned[layer["index"], layer.get("part", 0)] = (layer["name"], kernel["packed"],
                                                             formats)
        tables = {row["name"]: (row["count"], row["width"]) for row in said["rows"]}
        return said["xxh64"], planned, tables
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: it is no plan as ffngen import writes it: {error!r}") from None
