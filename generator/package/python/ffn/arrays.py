"""What a kernel reads and writes: float32 rows, used where they lie."""
from __future__ import annotations

import ctypes
import mmap
import os
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import torch_tracking

ALIGNMENT = 64  # FFN_ALIGNMENT


HUGE = 2 << 20  # a huge page of Linux, from which weights are read up to 1.3 times as fast


class _Shared:
    """A huge page that small memory is cut from; it lives as long as any array that is a part."""
    lock = threading.Lock()
    page = np.empty(0, np.uint8)
    used = 0


def _after_fork() -> None:
    """A thread that held the lock is not in this process; what it cut off is nobody's."""
    _Shared.lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _huge(size: int) -> np.ndarray:
    """Memory at the begin of a huge page; in huge pages where the system gives them."""
    whole = -(-size // HUGE) * HUGE
    mapping = mmap.mmap(-1, whole + HUGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory = np.frombuffer(mapping, np.uint8)
    skipped = -memory.ctypes.data % HUGE
    try:
        mapping.madvise(mmap.MADV_HUGEPAGE, skipped, whole)
    except OSError:
        pass  # a kernel without them
    return memory[skipped:skipped + size]


def aligned(size: int) -> np.ndarray:
    """Memory for packed weights or work: uint8 [size]."""
    if hasattr(mmap, "MADV_HUGEPAGE") and size >= HUGE // 2:
        return _huge(size)
    if hasattr(mmap, "MADV_HUGEPAGE") and size >= HUGE // 64:
        with _Shared.lock:
            if _Shared.used + size > _Shared.page.size:
                _Shared.page, _Shared.used = _huge(HUGE), 0
            part = _Shared.page[_Shared.used:_Shared.used + size]
            _Shared.used += -(-size // ALIGNMENT) * ALIGNMENT
        return part
    memory = np.empty(size + ALIGNMENT, np.uint8)
    skipped = -memory.ctypes.data % ALIGNMENT
    return memory[skipped:skipped + size]


def spare_or_new(spare: list[np.ndarray], need: int) -> np.ndarray:
    """Work memory for a call: of a call that is over, where that is as large, or new. The caller
    appends the memory to `spare` when its call is over."""
    try:
        work = spare.pop()
    except IndexError:
        return aligned(need)
    return work if work.size >= need else aligned(need)


def aligned_copy(packed: np.ndarray) -> np.ndarray:
    """Of packed weights."""
    memory = aligned(packed.size)
    memory[:] = packed
    return memory


def at(address: int, size: int) -> np.ndarray:
    """Constants of a library, which nobody closes: uint8 [size], read-only."""
    memory = (ctypes.c_uint8 * size).from_address(address)
    return np.frombuffer(memoryview(memory).toreadonly(), np.uint8)


def array_of(name: str, value: Any) -> np.ndarray:
    """value as NumPy sees it: itself, or the memory of a torch tensor on the CPU."""
    unmasked(name, value)
    torch_tracking.refuse(name, value)
    try:
        return np.asarray(value.numpy() if hasattr(value, "data_ptr") else value)
    except (RuntimeError, TypeError, ValueError) as error:  # rows of other lengths; a tensor's own
        raise TypeError(f"{name}: expected float32, given what NumPy does not take: {error}"
                        ) from None


def float32(name: str, value: Any) -> np.ndarray:
    """A float32 array of any shape, where it lies."""
    array = array_of(name, value)
    if array.dtype != np.float32:
        raise TypeError(f"{name}: expected float32, given {array.dtype.name} ({array.dtype.str})")
    return array


def unmasked(name: str, value: Any) -> None:
    """A kernel knows no masks: it would compute with what lies behind them."""
    lists = (list, tuple)
    if isinstance(value, np.ma.MaskedArray) or isinstance(value, lists) and any(
            isinstance(row, np.ma.MaskedArray) for row in value):
        raise TypeError(f"{name}: expected an array without a mask, given a masked one: "
                        f"{name}.filled(0) puts zeros there")


def rows(name: str, array: np.ndarray, columns: int,
         overlap: bool = False) -> tuple[np.ndarray, int]:
    """array [..., columns] as [tokens, columns], without a copy, and its row stride in floats.
    overlap: rows that are only read may share floats, as windows of a signal do."""
    if array.ndim == 0 or array.shape[-1] != columns:
        raise ValueError(f"{name}: expected shape (..., {columns}), given {array.shape}")
    flat = array if array.ndim == 2 else array.reshape(-1, columns)
    stride = columns * 4
    if flat.size > 0:
        aligned_floats(name, array)
        across = flat.strides[1] if columns > 1 else 4
        stride = flat.strides[0] if len(flat) > 1 else stride
        least = 0 if overlap else columns * 4
        if across != 4 or stride < least or stride % 4 != 0 or not np.may_share_memory(flat, array):
            raise ValueError(f"{name}: expected rows of contiguous floats at one distance, given "
                             f"strides {array.strides} for shape {array.shape}; "
                             f"{_remedy(name, 'numpy.ascontiguousarray')} such rows")
    return flat, stride // 4


def aligned_floats(name: str, array: np.ndarray) -> None:
    """ascontiguousarray() gives an array that is contiguous back as it is, so a copy helps."""
    if not array.flags.aligned:
        raise ValueError(f"{name}: expected floats at multiples of 4 bytes, given address "
                         f"{array.ctypes.data:#x} and strides {array.strides}; "
                         f"{_remedy(name, 'numpy.array')} them there")


def _remedy(name: str, copy: str) -> str:
    """A copy of what is written would be lost."""
    return "numpy.empty() makes" if name.startswith("out") else f"{copy}({name}) has"


def output(name: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """What the caller will look at, so that a copy would be lost."""
    if not isinstance(value, np.ndarray) and not hasattr(value, "data_ptr"):
        raise TypeError(f"{name}: expected an array, given {type(value).__name__}")
    array = float32(name, value)
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, given {array.shape}")
    if not array.flags.writeable:
        raise ValueError(f"{name}: expected a writable array, given a read-only one")
    return array


def apart(name: str, written: np.ndarray, others: Mapping[str, np.ndarray]) -> None:
    """A kernel writes while it reads, and in any order: what it writes must share no float with
    anything else. Rows of one array may interleave."""
    for other, array in others.items():
        if np.shares_memory(written, array):  # looks at single floats where the bounds overlap
            raise ValueError(f"{name}: expected memory of its own, given memory of {other}")
