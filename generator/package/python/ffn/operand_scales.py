"""The scales of what matrices multiply, which come with the weights where a spec says
operand_scales = 'static': gate.operand_scale."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import exact
from .tensors import paths
from .tensors.wanted_tensors import Tensor

LEAST = np.float32(2.0 ** -100)


def of(weight: Tensor) -> Tensor:
    """What lies beside a matrix."""
    return Tensor(paths.module_of(weight.name) + "operand_scale", weight.matrix, weight.stage,
                  "operand_scale", (), weight.output)


def taken(name: str, value: Any) -> np.ndarray:
    """A scale; files have it as an array of one."""
    array = exact.float32(name, value)
    if array.size != 1 or array.ndim > 1:
        raise ValueError(f"{name}: expected one number, given shape {array.shape}")
    scale = np.require(array.reshape(()), requirements=("C", "ALIGNED"))
    if not (scale >= LEAST and np.isfinite(scale)):
        raise ValueError(f"{name}: expected a finite number from 2^-100 on, given {scale!s}")
    return scale


def check(tensors: Sequence[Tensor], weights: Mapping[str, Any]) -> None:
    """gate and up multiply one x, which has one scale."""
    first: dict[int, Tensor] = {}
    for tensor in tensors:
        if tensor.part == "operand_scale":
            other = first.setdefault(tensor.stage, tensor)
            if weights[other.name] != weights[tensor.name]:
                raise ValueError(f"{tensor.name}: expected {weights[other.name]!s} as {other.name} "
                                 f"is, for both multiply one x, given {weights[tensor.name]!s}")
