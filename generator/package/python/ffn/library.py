"""A shared library of kernels: layers by their names."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from ctypes import byref

from . import scalars
from .binding import Functions, LayerRecord, Pool
from .kernel import Kernel
from .layer import Layer


class Library(Mapping[str, Layer]):
    """Layers by the names that they have in their spec.

    threads: how many compute one call, the caller's among them. They are shared by all layers.
    Calls may come from any number of Python threads at once: one of them has the pool then, the
    others compute alone.
    """

    def __init__(self, path: str, threads: int = 1) -> None:
        threads = scalars.integer("threads", threads, 1, 1024)
        functions = Functions(path)
        if threads > 1 and not functions.has_threads():
            raise ValueError("threads: expected 1, for a folder vendored without --threads pthreads")
        pool = Pool(functions, threads)
        self.path, self.threads = path, threads
        self._layers: dict[str, Layer | None] = {}
        record = LayerRecord()
        while functions.layer_at(len(self._layers), byref(record)):
            name = record.name.decode()
            self._layers[name] = (Layer(Kernel(name, record, functions, pool)) if record.kernel
                                  else None)

    def __getitem__(self, name: str) -> Layer:
        if name not in self._layers:
            raise KeyError(f"no layer {name!r}: there are {', '.join(self)}")
        layer = self._layers[name]
        if layer is None:
            raise RuntimeError(f"{name} has no kernel for this CPU in {self.path}")
        return layer

    def __iter__(self) -> Iterator[str]:
        return iter(self._layers)

    def __len__(self) -> int:
        return len(self._layers)

    def __repr__(self) -> str:
        return f"<ffn.Library {', '.join(self)}>"
