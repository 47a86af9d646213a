"""Weights as a caller has them: a dict by any names that are known, matrices either way round."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import exact, operand_scales, scalars, scaled_matrices
from .tensors import choice
from .tensors.wanted_tensors import Held, Options, Stored, Tensor

ORDERS = ("out-in", "in-out")


def options(prefix: Any, order: Any, leave: Any) -> Options:
    """What a caller says of the names, checked."""
    if prefix is not None and not isinstance(prefix, str):
        raise TypeError(f"prefix: expected what stands in front of names, given "
                        f"{scalars.told(prefix)}")
    if order is not None and not (isinstance(order, str) and order in ORDERS):
        raise ValueError(f"order: expected {' or '.join(map(repr, ORDERS))}, given "
                         f"{scalars.told(order)}")
    names = [leave] if isinstance(leave, str) else \
        list(leave) if isinstance(leave, Iterable) and not isinstance(leave, bytes) else [leave]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"leave: expected names of tensors or modules, given "
                            f"{scalars.told(name)}")
    return Options(prefix, order, names)


def tensors_of(place: str, weights: Any) -> Mapping[str, Any]:
    """A dict of tensors. Trainers store it under a key, such as "model", beside other things: the
    only dict of tensors is taken, several are named."""
    if not isinstance(weights, Mapping):
        what = ": its state_dict() is one" if hasattr(weights, "state_dict") else ""
        raise TypeError(f"{place}: expected a dict of arrays by name, given "
                        f"{type(weights).__name__}{what}")
    keys = [key for key, value in weights.items() if _has_tensors(value)]
    if not keys or _has_tensors(weights):
        return weights
    if len(keys) > 1:
        raise ValueError(f"{place}: expected one dict of arrays, given several: give one of "
                         f"{', '.join(map(repr, keys))}")
    inner: Mapping[str, Any] = weights[keys[0]]
    return inner


def _has_tensors(value: Any) -> bool:
    return isinstance(value, Mapping) and any(getattr(v, "shape", ()) for v in value.values())


def chosen(place: str, tensors: Sequence[Tensor], weights: Mapping[str, Any],
           said: Options) -> list[choice.Chosen]:
    """Where each tensor is in a dict of tensors_of()."""
    for key in weights:
        if not isinstance(key, str):
            raise TypeError(f"{place}: expected names, given {scalars.told(key)}")
    keys = set(weights).difference(scaled_matrices.names(tensors, weights, said.leave))
    if said == options(None, None, ()) and keys == {t.name for t in tensors}:
        return [choice.Chosen(t.name, False) for t in tensors]  # as in each step of training
    held = Held(place, sorted(keys), {key: _shape_of(weights[key], tensors) for key in keys})
    return choice.of(held, tensors, said)


def _shape_of(value: Any, tensors: Sequence[Tensor]) -> tuple[int, ...] | None:
    """Of blocks that of the weights that they mean; of bytes of bfloat16, too, which are refused by
    their type."""
    shape = exact.shape_of(value)
    if shape is not None and str(getattr(value, "dtype", "")).endswith("uint8"):
        for t in tensors:
            if t.stored and t.stored.number in ("", "bfloat16") and shape == (t.shape[0], t.stored.row_bytes):
                return t.shape
    return shape


def taken(place: str, tensors: Sequence[Tensor], weights: Mapping[str, Any],
          said: Options) -> dict[str, Any]:
    """By the names of the layer: contiguous arrays, and a number for "beta"; and what lies beside
    matrices."""
    weights = tensors_of(place, weights)
    found = chosen(place, tensors, weights, said)
    made = {t.name: _taken(t, c, weights[c.key]) for t, c in zip(tensors, found)}
    operand_scales.check(tensors, made)
    there = scaled_matrices.names(tensors, weights, said.leave)
    for tensor, c in zip(tensors, found):
        if tensor.part == "weight":
            made.update(scaled_matrices.taken(tensor, c.key, made[tensor.name], weights, there))
    return made


def _taken(tensor: Tensor, found: choice.Chosen, value: Any) -> Any:
    name = tensor.name if found.key == tensor.name else f"{found.key} ({tensor.name})"
    if tensor.name == "beta":
        return exact.number(name, value)
    if tensor.part == "operand_scale":
        return operand_scales.taken(name, value)
    array = exact.stored(name, value, tensor.stored)
    if array.dtype in (np.uint8, np.int8) and tensor.stored:
        return _blocks_taken(name, tensor, tensor.stored, found, array)
    shape = tensor.shape[::-1] if found.is_other_way else tensor.shape
    if array.shape != shape:
        other = ORDERS[not found.is_other_way]
        hint = f': is it order="{other}"?' if array.shape == shape[::-1] != shape else ""
        raise ValueError(f"{name}: expected shape {shape}, given {array.shape}{hint}")
    return np.require(array.T if found.is_other_way else array, requirements=("C", "ALIGNED"))


def _blocks_taken(name: str, tensor: Tensor, stored: Stored, found: choice.Chosen,
                  array: np.ndarray) -> np.ndarray:
    """Rows of blocks, or of numbers, one after the other, whose sizes are right."""
    if found.is_other_way:
        raise ValueError(f"{name}: {'numbers' if stored.beside else 'blocks'} of {stored.format} "
                         f"lie along the inputs, and cannot be [in, out]: without order")
    shape = (tensor.shape[0], stored.row_bytes)
    if array.shape not in (shape, (shape[0] * shape[1],)):
        raise ValueError(f"{name}: expected shape {shape} of {array.dtype.name}, {stored.format} "
                         f"for {tensor.shape[1]} inputs, given {array.shape}")
    return np.require(array, requirements=("C", "ALIGNED"))
