"""A kernel of a layer: what it is, and its weights as C takes them."""
from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import operand_scales, scaled_matrices
from . import weights as weights_of
from .binding import Functions, LayerRecord, LinearRecord, MatrixRecord, Pool
from .exact import NUMBERS
from .tensors.choice import Chosen
from .tensors.wanted_tensors import Options, Stored, Tensor

AS_THEY_ARE = Options()
Three = tuple[Tensor, "Tensor | None", "Tensor | None"]  # weight, bias, scale of the operand


class Kernel:
    """What runs a layer on this CPU, whatever its weights are.

    shapes: what pack() takes, name -> shape. computes: sizes and variant in one name, which other
    instruction sets' kernels of the layer have, too.
    widths: of several outputs, name -> how wide it is; empty of one.
    """

    def __init__(self, name: str, record: LayerRecord, functions: Functions, pool: Pool) -> None:
        self.name: str = name
        self.computes: str = record.layer.decode()
        self.isa: str = record.isa.decode()
        self.inputs: int = record.inputs
        self.outputs: int = record.outputs
        self.max_tokens: int | None = record.max_tokens or None
        self.parameters, self.packed_bytes = int(record.parameters), record.packed_bytes
        self.packs, self.adds = bool(record.packs), bool(record.adds)
        self.address = record.kernel
        self.functions, self.pool = functions, pool
        self.widths = _widths(functions, record.kernel)
        self.tensors = _tensors(functions, record.kernel, list(self.widths))
        self.wanted = [t for three in self.tensors for t in three if t]
        if self.parameters == 1:  # whatever its activation calls it
            self.wanted.append(Tensor("beta", None, 0, "parameter", ()))
        elif self.parameters:
            self.wanted.append(Tensor("parameters", None, 0, "parameter", (self.parameters,)))
        self.formats = {weight.name: weight.stored.format if weight.stored else "f32"
                        for weight, *_ in self.tensors}
        self.arithmetics = _arithmetics(functions, record.kernel, self.tensors)
        self.shapes: dict[str, tuple[int, ...]] = {t.name: t.shape for t in self.wanted}

    def given(self, weights: Mapping[str, Any],
              said: Options = AS_THEY_ARE) -> tuple[dict[str, Any], np.ndarray]:
        """Weights as C takes them, and the parameters among them."""
        given = weights_of.taken(f"weights of {self.name}", self.wanted, weights, said)
        return given, self.parameters_of(given)

    def chosen(self, weights: Mapping[str, Any], said: Options) -> dict[str, Chosen]:
        """Where weights are in a dict, by the names of shapes."""
        place = f"weights of {self.name}"
        found = weights_of.chosen(place, self.wanted, weights_of.tensors_of(place, weights), said)
        return dict(zip(self.shapes, found))

    def parameters_of(self, weights: Mapping[str, Any]) -> np.ndarray:
        """Those of ffn_weights.parameters."""
        given = weights.get("parameters", weights.get("beta", 0.0))
        return np.atleast_1d(np.asarray(given, np.float32))

    def linears(self, weights: Mapping[str, Any]) -> Any:
        """For C: the arrays of each matrix, and what they hold, floats or what it is stored as. The
        arrays must outlive it."""
        list_of = [_linear(*three, weights) for three in self.tensors]
        return (LinearRecord * len(list_of))(*list_of)

    def unpacked(self, packed: np.ndarray, own: bool) -> dict[str, Any]:
        """Weights in floats; own: as they are stored, which are those that were packed."""
        weights: dict[str, Any] = {}
        for weight, *others in self.tensors:
            weights.update(_empty(weight, own))
            weights.update({t.name: np.empty(t.shape, np.float32) for t in others if t})
        parameters = np.zeros(max(self.parameters, 1), np.float32)
        self.functions.unpack(self.address, packed.ctypes.data, self.linears(weights),
                              parameters.ctypes.data)
        if self.parameters == 1:
            weights["beta"] = float(parameters[0])
        elif self.parameters:
            weights["parameters"] = parameters
        return weights

    def takes_no_floats(self, name: str) -> bool:
        """Whether a matrix is packed of blocks alone."""
        return any(t.name == name and t.stored is not None and t.stored.is_alone
                   for t, *_ in self.tensors)

    def pointers(self, weights: Mapping[str, Any]) -> Any:
        """For C: gradients of weight and bias of each matrix that is there. The arrays must outlive
        it."""
        list_of = [weights[t.name].ctypes.data if t and t.name in weights else None
                   for weight, bias, _ in self.tensors for t in (weight, bias)]
        return (ctypes.c_void_p * len(list_of))(*list_of)


def _widths(functions: Functions, kernel: int) -> dict[str, int]:
    """The outputs that have names, in order."""
    widths: dict[str, int] = {}
    width = ctypes.c_size_t()
    while name := functions.output_at(kernel, len(widths), ctypes.byref(width)):
        widths[name.decode()] = width.value
    return widths


def _tensors(functions: Functions, kernel: int, outputs: list[str]) -> list[Three]:
    """The weight, the bias and the scale of the operand (None: none) of each matrix, in the order
    that the layer computes. Of several outputs each has its own, of its name."""
    threes: list[Three] = []
    matrix = MatrixRecord()
    while functions.matrix_at(kernel, len(threes), ctypes.byref(matrix)):
        role, stage = matrix.role.decode() if matrix.role else None, matrix.stage
        output = outputs[stage] if outputs else None
        name = role or output or str(stage)
        shape, width = (matrix.rows, matrix.columns), (matrix.rows,)
        weight = Tensor(f"{name}.weight", role, stage, "weight", shape, output, _stored(matrix))
        threes.append((
            weight, Tensor(f"{name}.bias", role, stage, "bias", width, output) if matrix.bias
            else None, operand_scales.of(weight) if matrix.operand_scale else None))
    return threes


def _arithmetics(functions: Functions, kernel: int, tensors: list[Three]) -> dict[str, str]:
    """How the products of each matrix are summed."""
    matrix, words = MatrixRecord(), {}
    for index, (weight, *_) in enumerate(tensors):
        functions.matrix_at(kernel, index, ctypes.byref(matrix))
        words[weight.name] = matrix.arithmetic.decode()
    return words


def _stored(matrix: MatrixRecord) -> Stored | None:
    """What pack() takes beside floats."""
    if not matrix.source:
        return None
    name = matrix.format.decode()
    blocks = -(-matrix.columns // matrix.block_inputs)
    return Stored(name, matrix.source, blocks * matrix.block_bytes, NUMBERS.get(name, ""),
                  bool(matrix.alone),
                  scaled_matrices.of(name, matrix.scales, matrix.scale_bytes, matrix.zero_bytes))


def _empty(weight: Tensor, own: bool) -> dict[str, np.ndarray]:
    """Memory for a matrix, in floats, or as it is stored and as pack() takes that."""
    stored = weight.stored
    if not own or not stored:
        return {weight.name: np.empty(weight.shape, np.float32)}
    if stored.beside:
        return scaled_matrices.empty(weight, stored, stored.beside)
    if stored.number:
        of = np.uint16 if stored.number == "bfloat16" else stored.number
        return {weight.name: np.empty(weight.shape, of)}
    return {weight.name: np.empty((weight.shape[0], stored.row_bytes), np.uint8)}


def _linear(weight: Tensor, bias: Tensor | None, scale: Tensor | None,
            weights: Mapping[str, Any]) -> LinearRecord:
    """For C: the arrays of a matrix."""
    array, stored = weights[weight.name], weight.stored
    record = LinearRecord(array.ctypes.data, weights[bias.name].ctypes.data if bias else None)
    if scale:
        record.operand_scale = weights[scale.name].ctypes.data
    if stored and array.dtype != np.float32:
        record.source = stored.source
        scales, zeros = (scaled_matrices.given(weight, part, weights)
                         for part in scaled_matrices.PARTS)
        if stored.beside and scales is not None:
            record.scales = scales.ctypes.data
            record.zeros = None if zeros is None else zeros.ctypes.data
            record.scale_rows = scaled_matrices.scale_rows(weight, stored.beside, scales)
    return record
