"""Matrices in numbers whose scales and zeros lie beside them, in arrays of their own: gate.weight,
gate.scales and, where a format has them, gate.zeros."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import exact
from .tensors import paths
from .tensors.wanted_tensors import Beside, Shape, Stored, Tensor

PARTS = ("scales", "zeros")
LEAST = 2.0 ** -100  # formats divide f32 scales by powers of two, and parts of less are no f32


def of(name: str, count: int, scale_bytes: int, zero_bytes: int) -> Beside | None:
    """What a format has beside its numbers, by its name and by what ffn.h tells of its source."""
    if not scale_bytes:
        return None
    numbers = ("int8",) if name.startswith("i8") else \
        ("float8_e4m3fn", "uint8") if name.startswith("f8_e4m3") else ("uint8",)
    scales = ("float32",) if scale_bytes == 4 else \
        ("bfloat16", "uint16") if name.endswith("_bf16") else ("float16",)
    return Beside(numbers, count, scales, numbers[-1] if zero_bytes else "",
                  128 if name == "f8_e4m3" else 0)


def names(tensors: Sequence[Tensor], weights: Mapping[str, Any],
          leave: Iterable[str]) -> Collection[str]:
    """The scales and zeros of a dict that stand in the module of a weight: they are judged with
    that, not as tensors that may be a layer's or not. None for a layer without such formats, which
    says what it says of any quantised weight."""
    if not any(t.stored and t.stored.beside for t in tensors):
        return ()
    return {key for key in weights
            if paths.last(key) in PARTS and paths.module_of(key) + "weight" in weights
            and not any(paths.is_of(key, name) for name in leave)}


def taken(tensor: Tensor, key: str, matrix: np.ndarray, weights: Mapping[str, Any],
          there: Collection[str]) -> dict[str, np.ndarray]:
    """The scales and zeros of a matrix that stands in the dict as key, by the layer's names:
    [rows][scales of an output]. there: those of the dict."""
    module, is_named = paths.module_of(key), paths.last(key) == "weight"
    here = [part for part in PARTS if is_named and module + part in there]
    stored = tensor.stored
    own = stored.beside if stored else None
    if not stored or not own or matrix.dtype == np.float32:
        for part in here:
            raise ValueError(f"{module}{part}: {_why_none(tensor, key)}")
        return {}
    fits = _shapes(tensor.shape[0], own)
    if "scales" not in here:
        would = f"{paths.quoted(module + 'scales')}, {own.scales[0]}, of shape {fits[0]}"
        raise ValueError(f"{_told(tensor, key)}: no scales for the numbers of {stored.format}: " + (
            f"they would be {would}" if is_named else "give them by the layer's names"))
    scales = _scales(module + "scales", weights[module + "scales"], stored, own, fits)
    made = {_beside(tensor, "scales"): scales}
    if "zeros" in here:
        made[_beside(tensor, "zeros")] = _zeros(module + "zeros", weights[module + "zeros"], stored,
                                                own, scales.shape)
    return made


def given(tensor: Tensor, part: str, weights: Mapping[str, Any]) -> np.ndarray | None:
    """What taken() or empty() made, of "scales" or "zeros"."""
    found: np.ndarray | None = weights.get(_beside(tensor, part))
    return found


def scale_rows(tensor: Tensor, own: Beside, scales: np.ndarray) -> int:
    """How many neighbouring outputs share their scales, as ffn_linear says it."""
    outputs, rows = tensor.shape[0], len(scales)
    return 0 if rows == outputs else outputs if rows == 1 else own.shared


def empty(tensor: Tensor, stored: Stored, own: Beside) -> dict[str, np.ndarray]:
    """Memory for a matrix in its own numbers, by the names that pack() takes them by."""
    outputs = tensor.shape[0]
    made = {tensor.name: np.empty((outputs, stored.row_bytes), own.numbers[-1]),
            _beside(tensor, "scales"): np.empty((outputs, own.count), own.scales[-1])}
    if own.zeros:
        made[_beside(tensor, "zeros")] = np.empty((outputs, own.count), own.zeros)
    return made


def _beside(tensor: Tensor, part: str) -> str:
    return paths.module_of(tensor.name) + part


def _told(tensor: Tensor, key: str) -> str:
    return tensor.name if key == tensor.name else f"{key} ({tensor.name})"


def _why_none(tensor: Tensor, key: str) -> str:
    """Why a matrix has nothing beside it."""
    stored, name = tensor.stored, _told(tensor, key)
    if not stored or not stored.beside:
        return f"{name} is stored as {stored.format if stored else 'f32'}, which has none"
    return (f"{name} is given in floats, which are quantised: with "
            f"{' or '.join(stored.beside.numbers)}, the numbers of {stored.format}, it is taken")


def _shapes(outputs: int, own: Beside) -> list[Shape]:
    """[rows][scales of an output]: of each output, of all together, of those that may share."""
    rows = [outputs, 1, *([-(-outputs // own.shared)] if own.shared else [])]
    return [(count, own.count) for count in dict.fromkeys(rows)]


def _scales(name: str, value: Any, stored: Stored, own: Beside,
            fits: Sequence[Shape]) -> np.ndarray:
    array = exact.float32(name, value) if own.scales == ("float32",) else \
        exact.exactly(name, value, own.scales, f"the scales of {stored.format}")
    scales = _shaped(name, array, fits)
    small = (np.abs(scales) < LEAST) & (scales != 0) if scales.dtype == np.float32 else np.False_
    if small.any():
        at = tuple(int(i) for i in np.argwhere(small)[0])
        raise ValueError(f"{name}: expected 0 or numbers from 2^-100 on, which {stored.format} "
                         f"holds, given {scales[at]!s} at {list(at)}")
    return scales


def _zeros(name: str, value: Any, stored: Stored, own: Beside, shape: Shape) -> np.ndarray:
    if not own.zeros:
        raise ValueError(f"{name}: {stored.format} has no zeros")
    array = exact.exactly(name, value, (own.zeros,), f"the zeros of {stored.format}")
    return _shaped(name, array, [shape])


def _shaped(name: str, array: np.ndarray, fits: Sequence[Shape]) -> np.ndarray:
    """[rows][scales of an output]; where that is one, files have [rows], and [] of one for all."""
    shape = array.shape
    if fits[0][1] == 1 and len(shape) < 2:
        shape = (array.size, 1)
    if shape not in fits:
        raise ValueError(f"{name}: expected shape {' or '.join(map(str, fits))}, given "
                         f"{array.shape}")
    return np.require(array.reshape(shape), requirements=("C", "ALIGNED"))
