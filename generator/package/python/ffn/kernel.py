"""A kernel of a layer: what it is, and its weights as C takes them."""
from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import arrays, scalars
from .binding import Functions, LayerRecord, MatrixRecord, Pool


class Tensor(NamedTuple):
    """A weight or bias that a layer takes."""
    name: str
    shape: tuple[int, ...]
    source: int = 0  # whose bits it may hold: an index of arrays.BITS


class Kernel:
    """What runs a layer on this CPU, whatever its weights are.

    shapes: what pack() takes, name -> shape.
    """

    def __init__(self, name: str, record: LayerRecord, functions: Functions, pool: Pool) -> None:
        self.name: str = name
        self.isa: str = record.isa.decode()
        self.inputs: int = record.inputs
        self.outputs: int = record.outputs
        self.max_tokens: int | None = record.max_tokens or None
        self.parameters, self.packed_bytes = int(record.parameters), record.packed_bytes
        self.packs, self.adds = bool(record.packs), bool(record.adds)
        self.address = record.kernel
        self.functions, self.pool = functions, pool
        self.tensors = _tensors(functions, record.kernel)
        self.shapes: dict[str, tuple[int, ...]] = {
            t.name: t.shape for pair in self.tensors for t in pair if t}
        if self.parameters == 1:
            self.shapes["beta"] = ()  # the only parameter, whatever its activation calls it
        elif self.parameters:
            self.shapes["parameters"] = (self.parameters,)

    def given(self, weights: Mapping[str, Any]) -> tuple[dict[str, Any], np.ndarray]:
        """Weights as C takes them, and the parameters among them."""
        self._check_names(weights)
        sources = {t.name: t.source for pair in self.tensors for t in pair if t}
        given = {name: self._weight(name, weights[name], sources.get(name, 0))
                 for name in self.shapes}
        return given, self.parameters_of(given)

    def _check_names(self, weights: Mapping[str, Any]) -> None:
        if not isinstance(weights, Mapping):
            raise TypeError(f"weights of {self.name}: expected a dict of arrays by name, given "
                            f"{type(weights).__name__}")
        wrong = [f"no {name}" for name in self.shapes if name not in weights]
        wrong += [f"unknown {name}" for name in weights if name not in self.shapes]
        if wrong:
            expected = ", ".join(f"{name} {shape}" for name, shape in self.shapes.items())
            raise ValueError(f"weights of {self.name}: {', '.join(wrong)}; expected {expected}")

    def _weight(self, name: str, value: Any, source: int) -> Any:
        if name == "beta":
            return scalars.real(name, value)
        array = arrays.bits(name, value, source) if source else arrays.float32(name, value)
        if array.shape != self.shapes[name]:
            raise ValueError(f"{name}: expected shape {self.shapes[name]}, given {array.shape}")
        return np.require(array, requirements=("C", "ALIGNED"))

    def parameters_of(self, weights: Mapping[str, Any]) -> np.ndarray:
        """Those of ffn_weights.parameters."""
        given = weights.get("parameters", weights.get("beta", 0.0))
        return np.atleast_1d(np.asarray(given, np.float32))

    def sources(self, weights: Mapping[str, Any]) -> Any:
        """For C: what each matrix holds, floats or the bits that it may hold."""
        list_of = [0 if weights[weight.name].dtype == np.float32 else weight.source
                   for weight, _ in self.tensors]
        return (ctypes.c_int * len(list_of))(*list_of)

    def pointers(self, weights: Mapping[str, Any]) -> Any:
        """For C: weight and bias of each matrix that is there. The arrays must outlive it."""
        list_of = [weights[t.name].ctypes.data if t and t.name in weights else None
                   for pair in self.tensors for t in pair]
        return (ctypes.c_void_p * len(list_of))(*list_of)


def _tensors(functions: Functions, kernel: int) -> list[tuple[Tensor, Tensor | None]]:
    """The weight and the bias (None: none) of each matrix, in the order that the layer computes."""
    pairs: list[tuple[Tensor, Tensor | None]] = []
    matrix = MatrixRecord()
    while functions.matrix_at(kernel, len(pairs), ctypes.byref(matrix)):
        name = matrix.role.decode() if matrix.role else str(matrix.stage)
        pairs.append((Tensor(f"{name}.weight", (matrix.rows, matrix.columns), matrix.source),
                      Tensor(f"{name}.bias", (matrix.rows,)) if matrix.bias else None))
    return pairs
