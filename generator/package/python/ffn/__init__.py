"""Feed-forward layers by ffngen's kernels: NumPy arrays and torch tensors in and out, no copies.

    layers = ffn.load("my.lua")
    layer = layers["my_layer"].pack({"gate.weight": g, "up.weight": u, "down.weight": d})
    y = layer(x)
"""
from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from .building import BuildError, build, cached, is_text
from .layer import Layer
from .library import Library
from .trainer import Trainer

__all__ = ["BuildError", "Layer", "Library", "Trainer", "build", "load"]

_BUILT_IN = Path(__file__).resolve().parent / "kernels.so"


def load(source: str | os.PathLike[str] | None = None, *, threads: int = 1) -> Library:
    """The layers of a source, by name:

    - a spec: the path of its file, or its text. ffngen and a C compiler (CC, or cc) are run once,
      then the library comes from a cache (FFN_CACHE, or ~/.cache/ffngen);
    - a folder that `ffngen vendor` wrote: likewise;
    - a library that build() made: a path that ends in .so;
    - None: the layers that this package was installed with.

    threads: how many compute one call. Results have the same bits for any number.
    """
    if source is None:
        if not _BUILT_IN.exists():
            raise FileNotFoundError("this package was not installed, so it holds no layers: name a "
                                    "spec, or install it by pip")
        return Library(str(_BUILT_IN), threads)
    if not is_text(source) and ".so" in Path(source).suffixes:
        if not os.path.isfile(source):
            raise FileNotFoundError(f"{os.fspath(source)}: no such library")
        return Library(os.path.abspath(source), threads)
    return Library(str(cached(source)), threads)


def __getattr__(name: str) -> Any:
    """ffn.torch, for those who have torch, is there without an import of its own."""
    if name == "torch":
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
