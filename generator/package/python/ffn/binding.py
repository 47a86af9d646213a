"""What binding.c has, by ctypes, which lets other Python threads run during a call."""
from __future__ import annotations

import ctypes
import os
import threading
import weakref
from ctypes import POINTER, c_char_p, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p

from .opening import opened

VERSION = 11  # PYFFN_VERSION of binding.c, whose three records follow


class LayerRecord(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kernel", c_void_p), ("layer", c_char_p), ("isa", c_char_p),
                ("packed", c_void_p), ("inputs", c_size_t), ("outputs", c_size_t),
                ("packed_bytes", c_size_t), ("max_tokens", c_size_t), ("parameters", c_int),
                ("packs", c_int), ("adds", c_int)]


class MatrixRecord(ctypes.Structure):
    _fields_ = [("role", c_char_p), ("stage", c_size_t), ("rows", c_size_t),
                ("columns", c_size_t), ("bias", c_int), ("source", c_int), ("alone", c_int),
                ("format", c_char_p), ("arithmetic", c_char_p), ("block_inputs", c_size_t),
                ("block_bytes", c_size_t), ("scale_bytes", c_size_t), ("zero_bytes", c_size_t),
                ("scales", c_size_t), ("operand_scale", c_int)]


class LinearRecord(ctypes.Structure):
    _fields_ = [("weight", c_void_p), ("bias", c_void_p), ("scales", c_void_p),
                ("zeros", c_void_p), ("scale_rows", c_size_t), ("source", c_int),
                ("operand_scale", c_void_p)]


_ROWS = [c_void_p, c_size_t]  # where they begin, and how many floats apart
_FUNCTIONS = {
    "version": (c_int, []),
    "layer_at": (c_int, [c_size_t, POINTER(LayerRecord)]),
    "matrix_at": (c_int, [c_void_p, c_size_t, POINTER(MatrixRecord)]),
    "pack": (None, [c_void_p, c_void_p, POINTER(LinearRecord), c_void_p]),
    "unpack": (None, [c_void_p, c_void_p, POINTER(LinearRecord), c_void_p]),
    "packed_fits": (c_int, [c_void_p, c_void_p]),
    "reference": (c_int, [c_void_p, c_void_p, c_void_p, *_ROWS, c_size_t, POINTER(LinearRecord),
                          c_void_p]),
    "work_bytes": (c_size_t, [c_void_p, c_size_t, c_size_t]),
    "has_threads": (c_int, []),
    "pool_create": (c_void_p, [c_size_t]),
    "pool_destroy": (None, [c_void_p]),
    "training_of": (c_void_p, [c_void_p]),
    "output_at": (c_char_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
    "run": (None, [c_void_p, *_ROWS, POINTER(c_float), *_ROWS, c_size_t, c_void_p, c_void_p,
                   c_size_t, c_void_p]),
}


# Of a library that has layers of several outputs.
_OUTPUTS = {
    "run_to": (None, [c_void_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_float), *_ROWS,
                      c_size_t, c_void_p, c_void_p, c_size_t, c_void_p]),
}

# Of a library whose layers are trained.
_TRAINING = {
    "train_bytes": (None, [c_void_p, c_size_t, c_size_t, POINTER(c_size_t)]),
    "pack_train": (None, [c_void_p, c_void_p, c_void_p, POINTER(LinearRecord), c_void_p]),
    "run_train": (None, [c_void_p, *_ROWS, *_ROWS, c_size_t, *[c_void_p] * 5]),
    "grad": (None, [c_void_p, *_ROWS, POINTER(c_void_p), c_void_p, c_int, *_ROWS, *_ROWS,
                    c_size_t, *[c_void_p] * 5]),
}

# Of a library that has mixtures of experts: their records are in mixture.py.
_MIXTURES = {
    "moe_at": (c_int, [c_size_t, c_void_p]),
    "moe_work_bytes": (c_size_t, [c_void_p, c_void_p, c_size_t, c_size_t]),
    "moe_run": (c_int, [c_void_p, c_void_p, *_ROWS, *_ROWS, c_size_t, c_void_p, c_size_t,
                        c_void_p]),
    "moe_route": (None, [c_void_p, c_void_p, c_void_p, *_ROWS, c_size_t, c_void_p, c_void_p]),
}

# Of a folder that was vendored with --file.
_FILES = {
    "file_bytes": (c_size_t, []),
    "file_open": (c_int, [c_void_p, c_char_p]),
    "file_close": (None, [c_void_p]),
    "file_plan": (c_char_p, [c_void_p]),
    "file_layers": (c_size_t, [c_void_p]),
    "file_entry": (None, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_uint32)]),
    "file_packed": (c_int, [c_void_p, c_size_t, c_void_p, POINTER(c_void_p)]),
    "file_check": (c_int, [c_void_p, c_size_t]),
    "file_tables": (c_size_t, [c_void_p]),
    "file_table": (None, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_uint64)]),
    "file_rows": (None, [c_void_p, c_size_t, c_void_p, c_size_t, c_void_p]),
    "file_check_rows": (c_int, [c_void_p, c_size_t]),
    "file_text": (c_char_p, [c_int]),
}


class Functions:
    """binding.c's functions, without their prefix."""

    def __init__(self, path: str) -> None:
        library = opened(path)
        try:
            version = library.pyffn_version()
        except AttributeError:
            raise ValueError(f"{path}: not made by ffn.build()") from None
        if version != VERSION:
            raise ValueError(f"{path}: the library is of another version: call ffn.build() again")
        several = _OUTPUTS if hasattr(library, "pyffn_run_to") else {}
        training = _TRAINING if hasattr(library, "pyffn_grad") else {}
        self.has_files = hasattr(library, "pyffn_file_open")
        files = _FILES if self.has_files else {}
        self.has_mixtures = hasattr(library, "pyffn_moe_run")
        mixtures = _MIXTURES if self.has_mixtures else {}
        for name, (result, arguments) in {**_FUNCTIONS, **several, **training, **files,
                                          **mixtures}.items():
            function = getattr(library, "pyffn_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


class Pool:
    """A library's threads. A process that forks off has none of its parent's: it makes its own,
    when it first needs them."""

    _all: weakref.WeakSet[Pool] = weakref.WeakSet()

    def __init__(self, functions: Functions, threads: int) -> None:
        self.threads = threads
        self._functions = functions
        self._forget()
        Pool._all.add(self)
        self.address()

    def _forget(self) -> None:
        self._lock, self._address = threading.Lock(), None
        self._end = None

    def address(self) -> int | None:
        """For pyffn_run(); None is the calling thread alone."""
        if self.threads == 1:
            return None
        with self._lock:
            if self._address is None:
                self._address = self._functions.pool_create(self.threads)
                if self._address is None:
                    raise MemoryError(f"the system gives no {self.threads} threads")
                self._end = weakref.finalize(self, _end_of_pool, self._functions, self._address,
                                             os.getpid())
                self._end.atexit = False  # a daemon thread may still compute then
            return self._address


def _end_of_pool(functions: Functions, address: int, process: int) -> None:
    if os.getpid() == process:
        functions.pool_destroy(address)


def _after_fork() -> None:
    for pool in list(Pool._all):
        pool._forget()


os.register_at_fork(after_in_child=_after_fork)
