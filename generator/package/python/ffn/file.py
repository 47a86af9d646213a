"""A model's packed weights in one file, as ffn-pack writes it: mapped, never read as a whole."""
from __future__ import annotations

import ctypes
import math
import os
import stat
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .layer import Layer
from .library import Library
from .mixture import Mixture

OTHER_KERNEL = -1  # of pyffn_file_packed()
HEADER = 64  # bytes of ffn_file_header

# Parts of a model's layer that are no feed-forward layer, and no experts: FFN_PART_ of ffn_file.h.
PARTS = {"qkv": 0x80000000, "o": 0x80000001, "cross_q": 0x80000002, "cross_kv": 0x80000003,
         "cross_o": 0x80000004, "head": 0x80000005, "shared": 0x80000006, "router": 0x80000007,
         "other": 0x80000100}


class Table(NamedTuple):
    """Rows of a file, such as an embedding; a norm is one row. encoding: as the model has them."""
    count: int
    width: int
    encoding: str


class File(Sequence[Layer]):
    """Layers with their weights from a packed file: `ffn.File("model.ffn", ffn.load("model.lua"))`.

    path: of the file. library: where their kernels are, made of the spec that the plan came with,
    or of a folder that was vendored with --file.
    names, formats: of each layer, as in the model and as they are stored. places: (layer, part) of
    the model; ffn.PARTS has the parts that are products of attention and the head.
    plan: the hash of the plan that the file was packed by, `xxh64` of its PLAN.json; "": not told.
    tables: a Table of each name of norms, embeddings and the like, whose numbers rows() gives.

    file[i] is a Layer whose weights lie in the mapping, which lasts as long as any such layer. The
    head of the file is checked when it is opened, the weights by check().

    Nothing of it changes, so that its copies are itself. It may be pickled: where it is loaded, the
    file at `path` is mapped, which has to be the same.
    """

    def __init__(self, path: str | os.PathLike[str], library: Library) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"path: expected a path, given {type(path).__name__}")
        self.path = os.path.abspath(os.fsdecode(path))
        if not isinstance(library, Library):
            raise TypeError(f"library: expected an ffn.Library, given {type(library).__name__}")
        self._functions = functions = library._functions
        if not functions.has_files:
            raise ValueError(f"{library.path}: made from a folder that was vendored without --file")
        self._head = _head_of(self.path)
        self._library = library
        there = [layer for layer in library._layers.values() if layer]
        # Of one packed layer's those for any number of tokens first, else for most.
        self._by_tokens = sorted(there, key=lambda layer: -(layer.max_tokens or math.inf))
        self._memory = ctypes.create_string_buffer(functions.file_bytes())
        self._refuse(functions.file_open(self._memory, os.fsencode(self.path)), "")
        self._end = weakref.finalize(self, functions.file_close, self._memory)
        self._end.atexit = False  # a thread, or a function at exit, may still compute then
        self.plan: str = functions.file_plan(self._memory).decode()
        self.names: list[str] = []
        self.formats: list[list[str]] = []
        self.places: list[tuple[int, int]] = []
        self._kernels: list[str] = []
        words, numbers = (ctypes.c_char_p * 3)(), (ctypes.c_uint32 * 2)()
        for entry in range(functions.file_layers(self._memory)):
            functions.file_entry(self._memory, entry, words, numbers)
            name, kernel, formats = (word.decode(errors="replace") for word in words)
            self.names.append(name)
            self._kernels.append(kernel)
            self.formats.append(formats.split())
            self.places.append((numbers[0], numbers[1]))
        self.tables: dict[str, Table] = {}
        self._table_numbers: dict[str, int] = {}
        sizes = (ctypes.c_uint64 * 2)()
        for number in range(functions.file_tables(self._memory)):
            functions.file_table(self._memory, number, words, sizes)
            name, encoding = (word.decode(errors="replace") for word in words[:2])
            self.tables[name] = Table(sizes[0], sizes[1], encoding)
            self._table_numbers[name] = number

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        entry = range(len(self))[index]
        packed = ctypes.c_void_p()
        for layer in self._by_tokens:
            kernel = layer._kernel
            status = self._functions.file_packed(self._memory, entry, kernel.address,
                                                 ctypes.byref(packed))
            if status != OTHER_KERNEL:
                self._refuse(status, f", {self.names[entry]}")
                return layer.use_packed(self._mapped(packed.value, kernel.packed_bytes))
        raise ValueError(f"{self.path}, {self.names[entry]}: {self._library.path} has no kernel of "
                         f"{self._kernels[entry]} for this CPU")

    def __iter__(self) -> Iterator[Layer]:
        return (self[i] for i in range(len(self)))

    def __copy__(self) -> File:
        return self  # two that close one mapping would leave layers of the other without memory

    def __deepcopy__(self, memo: Any) -> File:
        return self

    def __reduce__(self) -> Any:
        return _reopened, (self.path, self._library, self._head)

    def __repr__(self) -> str:
        return f"<ffn.File {self.path}: {len(self)} layers>"

    def mixture(self, layer: int, mixture: Mixture, *, correction: Any = None,
                expert_scale: Any = None) -> Mixture:
        """A mixture of experts with the weights of a layer of the model: its experts are the parts
        0 and so on, those that the file lacks are None; router and shared expert are the parts
        PARTS["router"] and PARTS["shared"]."""
        if not isinstance(mixture, Mixture):
            raise TypeError(f"mixture: expected an ffn.Mixture, given {type(mixture).__name__}")
        entries = {place: i for i, place in enumerate(self.places)}

        def part(own: Layer, number: int) -> Any:
            """Its packed weights in the mapping."""
            entry = entries.get((layer, number))
            if entry is None:
                return None
            packed = ctypes.c_void_p()
            self._refuse(self._functions.file_packed(self._memory, entry, own._kernel.address,
                                                     ctypes.byref(packed)),
                         f", {self.names[entry]}, as a part of {mixture.name}")
            return own.use_packed(self._mapped(packed.value, own._kernel.packed_bytes))

        router = part(mixture.router, PARTS["router"])
        shared = mixture.shared and part(mixture.shared, PARTS["shared"])
        if router is None or mixture.shared and shared is None:
            raise ValueError(f"{self.path}: layer {layer} has no "
                             f"{'router' if router is None else 'shared expert'}")
        return mixture.pack([part(mixture.expert, e) for e in range(mixture.experts)], router,
                            shared, correction=correction, expert_scale=expert_scale)

    def check(self) -> None:
        """Reads all weights, and raises a ValueError where they are not those that were packed."""
        for entry, name in enumerate(self.names):
            self._refuse(self._functions.file_check(self._memory, entry), f", {name}")
        for name, number in self._table_numbers.items():
            self._refuse(self._functions.file_check_rows(self._memory, number), f", {name}")

    def rows(self, name: str, which: Any = None) -> np.ndarray:
        """Rows of a table as float32: all of them, [count, width]; those of an integer, [width], or
        of integers of any shape, [..., width], such as the embeddings of tokens."""
        if name not in self.tables:
            raise KeyError(f"{self.path}: it has no rows {name!r}")
        count, width, _ = self.tables[name]
        wanted = np.arange(count) if which is None else np.asarray(which)
        if wanted.size and wanted.dtype.kind not in "iu":
            raise TypeError(f"which: expected integers, given {wanted.dtype}")
        if wanted.size and not (-count <= wanted.min() and wanted.max() < count):
            raise IndexError(f"{self.path}, {name}: it has {count} rows")
        numbers = np.where(wanted < 0, wanted + count, wanted).astype(np.uint64).reshape(-1)
        out = np.empty((numbers.size, width), np.float32)
        self._functions.file_rows(self._memory, self._table_numbers[name], numbers.ctypes.data,
                                  numbers.size, out.ctypes.data)
        return out.reshape(*wanted.shape, width)

    def _mapped(self, address: Any, size: int) -> np.ndarray:
        """Bytes of the file, which keep it open."""
        memory = (ctypes.c_uint8 * size).from_address(address)
        memory._file = self  # type: ignore[attr-defined]
        return np.frombuffer(memoryview(memory).toreadonly(), np.uint8)

    def _refuse(self, status: int, where: str) -> None:
        if status == OTHER_KERNEL:
            raise ValueError(f"{self.path}{where}: the weights are those of another layer")
        if status:
            text = self._functions.file_text(status).decode()
            raise ValueError(f"{self.path}{where}: {text}")


def _head_of(path: str) -> bytes:
    """The header, whose checksums are of all that is in the file; what the system says of a path
    that is none, in its words. A pipe that nobody writes to is not waited for."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError(f"{path}: it is not a regular file, as ffn-pack writes")
        return os.read(handle, HEADER)
    finally:
        os.close(handle)


def _reopened(path: str, library: Library, head: bytes) -> File:
    """A file that was pickled."""
    file = File(path, library)
    if file._head != head:
        raise ValueError(f"{path}: this is not the file that was pickled")
    return file
