"""The tensors that a layer wants, and the dict that it looks for them in."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

Shape = tuple[int, ...]


class Beside(NamedTuple):
    """What a matrix has whose scales and zeros lie in arrays of their own. Types have NumPy's
    names, the last one is what C takes: NumPy's own for the bits of those that it does not have."""
    numbers: tuple[str, ...]  # of weights
    count: int  # scales of an output
    scales: tuple[str, ...]
    zeros: str  # "" where there are none
    shared: int  # so many neighbouring outputs may share theirs; 0: all may, or none


class Stored(NamedTuple):
    """What a matrix is stored as, whose own numbers pack() takes as files have them."""
    format: str  # "bf16", "q4_K"
    source: int  # of ffn.h
    row_bytes: int  # of an output
    number: str  # NumPy's name of a number, "" where it is blocks
    is_alone: bool  # no floats are taken
    beside: Beside | None  # None: what belongs to a number lies in its block


class Tensor(NamedTuple):
    """A weight or bias that a layer takes, or parameters of its activation."""
    name: str  # gate.weight, 0.bias, q.weight, beta
    matrix: str | None  # gate, up or down; None in a chain, and of a parameter
    stage: int
    part: str  # weight, bias, operand_scale, parameter
    shape: Shape
    output: str | None = None  # of several: the name of its own
    stored: Stored | None = None  # None: floats alone


class Held(NamedTuple):
    """What a dict holds."""
    place: str  # what messages begin with
    keys: list[str]  # sorted
    shapes: Mapping[str, Shape | None]  # None: of what is no array

    def refuse(self, message: str) -> NoReturn:
        raise ValueError(f"{self.place}: {message}")


class Options(NamedTuple):
    """What a caller says of the dict."""
    prefix: str | None = None  # in front of the names
    order: str | None = None  # "out-in" or "in-out", of all matrices
    leave: Sequence[str] = ()  # names of tensors or modules that are none of the layer's


class Widths(NamedTuple):
    """What goes into a layer, what comes out, and the widths between."""
    inputs: int
    outputs: int
    hidden: frozenset[int]
    is_deep: bool  # whether there is one between


def widths(tensors: Sequence[Tensor]) -> Widths:
    matrices = [t for t in tensors if t.part == "weight"]
    if matrices[0].output:
        return Widths(matrices[0].shape[1], matrices[-1].shape[0], frozenset(), False)
    last = max(t.stage for t in tensors)
    outputs = [t.shape[0] for t in matrices if t.stage == last]
    return Widths(matrices[0].shape[1], outputs[-1],
                  frozenset(t.shape[0] for t in matrices if t.stage < last), last > 0)


def shape_text(shape: Sequence[int]) -> str:
    return "".join(f"[{size}]" for size in shape) or "[]"


def count(shape: Sequence[int]) -> int:
    return math.prod(shape)
