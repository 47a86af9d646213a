"""Weights as float32: converted where that changes no number, else refused by name."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import arrays, scalars, torch_tracking
from .tensors.wanted_tensors import Beside, Stored

NUMBERS = {"bf16": "bfloat16", "f16": "float16"}  # NumPy's names, by those of formats
_TAKEN = "expected float32, or float16, bfloat16 or float64 that is exact in it"
_BITS = {"bfloat16": np.uint16, "float8_e4m3fn": np.uint8}  # of types that NumPy does not have
_OF_TORCH = ("torch.float32", "torch.float16", "torch.bfloat16", "torch.float64")


def shape_of(value: Any) -> tuple[int, ...] | None:
    """None of what is no array."""
    try:
        return tuple(int(size) for size in (value.shape if hasattr(value, "shape")
                                            else np.shape(value)))
    except (TypeError, ValueError):  # rows of other lengths
        return None


def float32(name: str, value: Any) -> np.ndarray:
    """The numbers of an array or of a torch tensor, a Parameter's, too; no copy where none is
    needed."""
    array = arrays.array_of(name, _of_tensor(name, value) if hasattr(value, "data_ptr") else value)
    if array.dtype == np.float32:
        return array
    if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
        raise TypeError(f"{name}: {_TAKEN}, given {array.dtype.name} ({array.dtype.str})"
                        f"{_hint(array.dtype)}")
    with np.errstate(all="ignore"):
        narrow = array.astype(np.float32)
        changed = (narrow != array) & (array == array)
    if changed.any():
        at = tuple(int(i) for i in np.argwhere(changed)[0])
        where = f" at [{', '.join(map(str, at))}]" if at else ""
        raise ValueError(f"{name}: {_TAKEN}, given {array.dtype.name}, of which "
                         f"{np.count_nonzero(changed)} would change, {array[at]!s}{where} to "
                         f"{narrow[at]!s}: astype(numpy.float32), or float() of a tensor, rounds")
    return narrow


def _hint(dtype: np.dtype) -> str:
    """What numbers that NumPy has no type for may have come as."""
    if dtype == np.uint16:
        return (": of the bits of bfloat16, (bits.astype(numpy.uint32) << 16).view(numpy.float32) "
                "are the numbers")
    if dtype == np.uint8:
        return (": where they are bytes of bfloat16, as a GGUF file's are, view(numpy.uint16) are "
                "its bits")
    return ""


def stored(name: str, value: Any, own: Stored | None) -> np.ndarray:
    """Weights of a matrix: what it is stored as, float16 or the bits of bfloat16 as uint16, its
    blocks as uint8, its numbers that have scales beside them as uint8 or int8; of others, which are
    rounded or quantised, float32."""
    if own is None:
        return float32(name, value)
    if own.beside:
        return _numbers(name, value, own, own.beside)
    if own.number == "":
        return _blocks(name, value, own)
    return _bits(name, value, own.number)


def exactly(name: str, value: Any, numbers: Sequence[str], what: str) -> np.ndarray:
    """An array or tensor of one of these types, where another would mean something else; of those
    that NumPy does not have the bits."""
    given = _dtype_of(value)
    if given not in numbers:
        raise TypeError(f"{name}: expected {' or '.join(numbers)}, {what}, given {given}")
    array = arrays.array_of(name, _of_tensor(name, value, numbers) if hasattr(value, "data_ptr")
                            else value)
    return _bits_of(array)


def _bits_of(array: np.ndarray) -> np.ndarray:
    """Numbers as C takes them, the bits of those that NumPy does not have."""
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    return array.view(_BITS.get(array.dtype.name, array.dtype))


def _dtype_of(value: Any) -> str:
    """NumPy's name, of a tensor's numbers, too; of what has none what it is."""
    dtype = getattr(value, "dtype", None)
    name = type(value).__name__ if dtype is None else getattr(dtype, "name", None) or str(dtype)
    return name[len("torch."):] if name.startswith("torch.") else name


def _numbers(name: str, value: Any, own: Stored, beside: Beside) -> np.ndarray:
    value = value if hasattr(value, "dtype") else arrays.array_of(name, value)
    given, what = _dtype_of(value), f"the numbers of {own.format}"
    if given in beside.numbers or own.is_alone:
        return exactly(name, value, beside.numbers, what)
    if not re.fullmatch(r"b?float[0-9]+", given):
        raise TypeError(f"{name}: expected float32, which is quantised, or "
                        f"{' or '.join(beside.numbers)}, {what}, given {given}")
    return float32(name, value)


def _blocks(name: str, value: Any, own: Stored) -> np.ndarray:
    array = arrays.array_of(name, _of_tensor(name, value, ("uint8",))
                            if hasattr(value, "data_ptr") else value)
    if array.dtype == np.uint8:
        return array
    if own.is_alone:
        raise TypeError(f"{name}: expected uint8, the blocks of {own.format} as a file has them, "
                        f"given {array.dtype.name}")
    if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
        raise TypeError(f"{name}: expected float32, which is quantised, or uint8, the blocks of "
                        f"{own.format}, given {array.dtype.name}")
    return float32(name, array)


def _bits(name: str, value: Any, own: str) -> np.ndarray:
    bits = ("uint16", "uint8") if own == "bfloat16" else ()
    array = arrays.array_of(name, _of_tensor(name, value, (own, *bits))
                            if hasattr(value, "data_ptr") else value)
    if array.dtype.name == own:
        return _bits_of(array)
    if bits and array.dtype.name == "uint16":
        return array.astype(np.uint16, copy=False)
    if bits and array.dtype.kind != "f":
        raise TypeError(f"{name}: expected float32, which is rounded, bfloat16, or its bits as "
                        f"uint16, given {array.dtype.name}: view(numpy.uint16) has bits of the "
                        "bytes of a GGUF file's BF16")
    return float32(name, array)


def number(name: str, value: Any) -> float:
    """One number; files have it as an array of one."""
    if shape_of(value) == (1,) and hasattr(value, "reshape"):
        arrays.unmasked(name, value)
        value = value.reshape(())
    return scalars.real(name, value)


def _of_tensor(name: str, tensor: Any, own: Sequence[str] = ()) -> Any:
    """The memory of a tensor on the CPU, shared with NumPy where NumPy knows its numbers. own: what
    is taken beside floats, and of bfloat16 and float8 that are to be so their bits."""
    torch_tracking.refuse(name, tensor)
    device, layout = getattr(tensor, "device", "cpu"), getattr(tensor, "layout", "torch.strided")
    if getattr(device, "type", "cpu") != "cpu":
        raise TypeError(f"{name}: expected a tensor on the CPU, given one on {device}: cpu() "
                        "brings it there")
    if str(layout) != "torch.strided":
        raise TypeError(f"{name}: expected a dense tensor, given a {layout}: to_dense() makes one")
    dtype = str(getattr(tensor, "dtype", "torch.float32"))
    if dtype.startswith("torch.") and dtype not in (*_OF_TORCH, *(f"torch.{o}" for o in own)):
        raise TypeError(f"{name}: {_TAKEN}, given {dtype}")
    try:
        tensor = tensor.detach() if hasattr(tensor, "detach") else tensor
        tensor = tensor.resolve_neg() if hasattr(tensor, "resolve_neg") else tensor
        bits = _BITS.get(dtype[len("torch."):])
        if bits and dtype[len("torch."):] in own:
            import torch  # whoever has such a tensor has it
            return tensor.view(torch.int16 if bits is np.uint16 else torch.uint8).numpy().view(bits)
        return (tensor.float() if dtype == "torch.bfloat16" else tensor).numpy()
    except (RuntimeError, TypeError) as error:
        raise TypeError(f"{name}: its numbers cannot be read: {error}") from error
