"""Feed-forward layers by ffngen's kernels: NumPy arrays and torch tensors in and out, no copies.

    layers = ffn.load("my.lua")
    layer = layers["my_layer"].pack({"gate.weight": g, "up.weight": u, "down.weight": d})
    y = layer(x)
"""
from __future__ import annotations

import importlib
import os
from typing import Any

from .building import BuildError, Source, build, source_of
from .file import PARTS, File, Table
from .layer import Layer
from .library import Library, opened
from .mixture import Mixture
from .model import Model
from .trainer import Trainer
from .version import __version__

__all__ = ["PARTS", "BuildError", "File", "Layer", "Library", "Mixture", "Model", "Table",
           "Trainer", "__version__", "build", "load"]


def load(source: str | os.PathLike[str] | None = None, *, threads: int = 1,
         isa: str | None = None) -> Library:
    """The layers of a source, by name:

    - a spec: the path of its file, or its text. ffngen and a C compiler (CC, or cc) are run once,
      then the library comes from a cache (FFN_CACHE, or ~/.cache/ffngen);
    - a folder that `ffngen vendor` wrote: likewise;
    - a library that build() made;
    - None: the layers that this package was installed with.

    threads: how many compute one call. Results have the same bits for any number.
    isa: None compiles a spec for this CPU, "all" for all instruction sets. Results have the same
    bits for both.
    """
    if isa not in (None, "all"):
        raise ValueError(f"isa: expected None or 'all', given {isa!r}")
    made_from = Source("package", "") if source is None else source_of(source)
    return opened(made_from._replace(isa=isa or ""), threads)


def __getattr__(name: str) -> Any:
    """ffn.torch, for those who have torch, is there without an import of its own."""
    if name == "torch":
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
