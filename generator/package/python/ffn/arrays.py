"""What a kernel reads and writes: float32 rows, used where they lie."""
from __future__ import annotations

from typing import Any

import numpy as np

ALIGNMENT = 64  # FFN_ALIGNMENT


def aligned(size: int) -> np.ndarray:
    """Memory for packed weights or work: uint8 [size]."""
    memory = np.empty(size + ALIGNMENT, np.uint8)
    skipped = -memory.ctypes.data % ALIGNMENT
    return memory[skipped:skipped + size]


def float32(name: str, value: Any) -> np.ndarray:
    """A float32 array of any shape: value itself, or the memory of a torch tensor on the CPU."""
    array = np.asarray(value.numpy() if hasattr(value, "data_ptr") else value)
    if array.dtype != np.float32:
        raise TypeError(f"{name}: expected float32, given {array.dtype.name} ({array.dtype.str})")
    return array


def rows(name: str, array: np.ndarray, columns: int) -> tuple[np.ndarray, int]:
    """array [..., columns] as [tokens, columns], without a copy, and its row stride in floats."""
    if array.ndim == 0 or array.shape[-1] != columns:
        raise ValueError(f"{name}: expected shape (..., {columns}), given {array.shape}")
    flat = array if array.ndim == 2 else array.reshape(-1, columns)
    stride = columns * 4
    if flat.size > 0:
        across = flat.strides[1] if columns > 1 else 4
        stride = flat.strides[0] if len(flat) > 1 else stride
        if across != 4 or stride < columns * 4 or stride % 4 != 0 or not flat.flags.aligned \
                or not np.may_share_memory(flat, array):
            raise ValueError(f"{name}: expected rows of contiguous floats at one distance, given "
                             f"strides {array.strides} for shape {array.shape}; "
                             f"numpy.ascontiguousarray({name}) has such rows")
    return flat, stride // 4


def output(value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """out=, which the caller will look at, so that a copy would be lost."""
    if not isinstance(value, np.ndarray) and not hasattr(value, "data_ptr"):
        raise TypeError(f"out: expected an array, given {type(value).__name__}")
    array = float32("out", value)
    if array.shape != shape:
        raise ValueError(f"out: expected shape {shape}, given {array.shape}")
    if not array.flags.writeable:
        raise ValueError("out: expected a writable array, given a read-only one")
    return array
