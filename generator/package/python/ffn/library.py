"""A shared library of kernels: layers by their names, and how another process finds it again."""
from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Iterator, Mapping
from ctypes import byref
from pathlib import Path
from typing import Any

import numpy as np

from . import arrays, cache, scalars
from .binding import Functions, LayerRecord, Pool
from .building import Source
from .kernel import Kernel
from .layer import Layer
from .mixture import Mixture, MoeRecord
from .opening import Unloadable

_BUILT_IN = Path(__file__).resolve().parent / "kernels.so"


class Library(Mapping[str, Any]):
    """Layers by the names that they have in their spec, and mixtures of experts by theirs.

    threads: how many compute one call, the caller's among them. They are shared by all layers.
    Calls may come from any number of Python threads at once: one of them has the pool then, the
    others compute alone.

    It may be pickled, and so may its layers, with their weights: where they are loaded, the file
    at `path` is opened, or what it was made from is compiled anew.
    """

    def __init__(self, path: str | os.PathLike[str], threads: int = 1,
                 source: Source | None = None) -> None:
        self.path = os.path.abspath(os.fsdecode(path))
        self.threads = threads = scalars.integer("threads", threads, 1, 1024)
        self._functions = functions = Functions(self.path)
        if threads > 1 and not functions.has_threads():
            raise ValueError("threads: expected 1, for a folder vendored without --threads pthreads")
        pool = Pool(functions, threads)
        self._source = source or Source("library", self.path)
        again = functools.partial(_restored, self.path, threads, self._source)
        self._layers: dict[str, Layer | None] = {}
        record = LayerRecord()
        while functions.layer_at(len(self._layers), byref(record)):
            name = record.name.decode()
            layer = None
            if record.kernel:
                layer = Layer(Kernel(name, record, functions, pool), again)
                if record.packed:
                    layer = layer.use_packed(arrays.at(record.packed, record.packed_bytes))
            self._layers[name] = layer
        self._mixtures = self._found_mixtures(pool)

    def _found_mixtures(self, pool: Pool) -> dict[str, Mixture | None]:
        """None where a layer of a mixture has no kernel for this CPU."""
        found: dict[str, Mixture | None] = {}
        record = MoeRecord()
        while self._functions.has_mixtures and self._functions.moe_at(len(found), byref(record)):
            name = record.name.decode()
            again = functools.partial(_restored_mixture, self.path, self.threads, self._source)
            runs = all(layer for part, layer in self._layers.items()
                       if part in (f"{name}_expert", f"{name}_shared", f"{name}_router"))
            found[name] = Mixture(record, self._layers, self._functions, pool, again) if runs \
                else None
        return found

    def __getitem__(self, name: str) -> Any:
        if name in self._mixtures:
            return self._there(name, self._mixtures[name])
        if name not in self._layers:
            raise KeyError(f"no layer {name!r}: there are {', '.join(self)}")
        return self._there(name, self._layers[name])

    def _there(self, name: str, found: Any) -> Any:
        if found is None:
            raise RuntimeError(f"{name} has no kernel for this CPU in {self.path}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter([*self._layers, *self._mixtures])

    def __len__(self) -> int:
        return len(self._layers) + len(self._mixtures)

    def __repr__(self) -> str:
        return f"<ffn.Library {', '.join(self)}>"

    def _runs_here(self) -> bool:
        """Whether each layer has a kernel for this CPU."""
        return None not in self._layers.values()

    def __copy__(self) -> Library:
        return self  # nothing of it changes

    def __deepcopy__(self, memo: Any) -> Library:
        return self

    def __reduce__(self) -> Any:
        return _reopened, (self.path, self.threads, self._source)


def opened(source: Source, threads: int) -> Library:
    """The layers of a source."""
    if source.kind == "package":
        if not _BUILT_IN.exists():
            raise FileNotFoundError("this package was not installed, so it holds no layers: name a "
                                    "spec, or install it by pip")
        return Library(_BUILT_IN, threads, source)
    if source.kind == "library":
        if not os.path.isfile(source.text):
            raise FileNotFoundError(f"{source.text}: there is no such library")
        return Library(source.text, threads)
    library = _compiled(source, threads)
    if source.kind in ("spec", "text") and source.isa != "all" and not library._runs_here():
        # It has no kernel for this CPU, whatever the system says of it.
        return _compiled(source._replace(isa="all"), threads)
    return library


def _compiled(source: Source, threads: int) -> Library:
    """The layers of a library of the cache."""
    path = cache.cached(source)
    lasting = _lasting(source)
    try:
        return Library(path, threads, lasting)
    except Unloadable:  # by a compiler for another system, say
        return Library(cache.cached(source, anew=True), threads, lasting)


def _lasting(source: Source) -> Source:
    """A source for a process that stands elsewhere, maybe where the file of a spec is not."""
    if source.kind == "spec":
        text = Path(source.text).read_text(encoding="utf-8", errors="surrogateescape")
        return Source("text", text, source.isa)
    return Source(source.kind, os.path.abspath(source.text)) if source.kind == "folder" else source


# Layers that are restored one by one share a library and its threads.
_restored_ones: weakref.WeakValueDictionary[Any, Library] = weakref.WeakValueDictionary()


def _reopened(path: str, threads: int, source: Source) -> Library:
    key = (path, threads, source, os.path.exists(path) and os.stat(path).st_ino)
    library = _restored_ones.get(key)
    if library is None:
        here = source.kind in ("text", "folder") and cache.is_whole(path)
        library = Library(path, threads, source) if here else opened(source, threads)
        if here and not library._runs_here():  # it was made for another CPU
            library = opened(source, threads)
        _restored_ones[key] = library
    return library


def _restored(path: str, threads: int, source: Source, name: str, computes: str,
              packed: np.ndarray | None) -> Layer:
    """A layer that was pickled."""
    library = _reopened(path, threads, source)
    return library[name].restored(library, computes, packed)


def _restored_mixture(path: str, threads: int, source: Source, name: str, *weights: Any) -> Mixture:
    """A mixture that was pickled."""
    library = _reopened(path, threads, source)
    mixture = library[name].restored(*weights)
    mixture.__dict__["_library"] = library
    return mixture
