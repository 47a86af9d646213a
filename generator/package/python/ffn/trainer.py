"""Training of a layer: y with what backward needs, and gradients."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import arrays

if TYPE_CHECKING:
    from .layer import Layer


class Trainer:
    """A layer that learns, for one Python thread at a time: `trainer = layer.trainer(weights)`.

        y = trainer(x)
        gradients = trainer.grad(dy)    # {"x": ..., "up.weight": ..., ...}
        trainer.pack(weights)           # after every change of the weights

    layer: runs with the weights that were packed last; it has the bits of the trainer's y.
    """

    def __init__(self, layer: Layer, training: int, weights: Mapping[str, Any]) -> None:
        self._from, self._training, self._functions = layer, training, layer._functions
        sizes = self._bytes(0)
        self._packed, self._work = arrays.aligned(sizes[0]), arrays.aligned(sizes[2])
        self._saved = arrays.aligned(0)
        self._call: tuple[Any, ...] | None = None
        self.pack(weights)

    @property
    def layer(self) -> Layer:
        return self._from._with(self._packed[:self._from._packed_bytes])

    def pack(self, weights: Mapping[str, Any]) -> None:
        """Takes weights, as Layer.pack() does."""
        given, parameters = self._from._given(weights)
        self._functions.pack_train(self._from._kernel, self._training, self._packed.ctypes.data,
                                   self._from._pointers(given), parameters.ctypes.data)

    def __call__(self, x: Any, out: Any = None, *, seed: int | None = None, step: int = 0,
                 first_token: int = 0) -> Any:
        """y [..., outputs] of x [..., inputs], as a Layer's; keeps what grad() needs, and x.

        seed: a layer with dropout drops by it, by `step` and by the number of the batch's first
        token; None drops nothing.
        """
        array = arrays.float32("x", x)
        given, x_stride = arrays.rows("x", array, self._from.inputs)
        shape = (*array.shape[:-1], self._from.outputs)
        if out is None:
            out = x.new_empty(shape) if hasattr(x, "new_empty") else np.empty(shape, np.float32)
        made, y_stride = arrays.rows("out", arrays.output(out, shape), self._from.outputs)
        if np.shares_memory(given, made):
            raise ValueError("out: expected memory of its own, given memory of x")
        needed = self._bytes(len(given))[1]
        if needed > self._saved.size:
            self._saved = arrays.aligned(needed)
        drops = None if seed is None else (ctypes.c_uint64 * 3)(seed, step, first_token)
        self._functions.run_train(
            self._training, made.ctypes.data, y_stride, given.ctypes.data, x_stride, len(given),
            self._saved.ctypes.data, self._packed.ctypes.data, self._work.ctypes.data, drops,
            self._from._pool.address())
        self._call = array, given, x_stride, drops
        return out

    def grad(self, dy: Any, wanted: Iterable[str] | None = None, *,
             out: Mapping[str, Any] | None = None, accumulate: bool = False) -> dict[str, Any]:
        """The gradients of a loss whose gradient by y is dy, for the last call's x: by the names
        of layer.shapes, and "x".

        wanted: these alone; what is not wanted is not computed. out: arrays for some or all of
        them. accumulate: those of out but "x" are added to what is there.
        """
        if self._call is None:
            raise ValueError(f"{self._from.name}: call the trainer with x before grad()")
        array, given, x_stride, drops = self._call
        shapes = {"x": array.shape, **self._from.shapes}
        names = list(shapes if wanted is None else wanted)
        unknown = [name for name in (*names, *(out or {})) if name not in shapes]
        if unknown:
            raise ValueError(f"unknown {unknown[0]}: there are {', '.join(shapes)}")
        arrived = arrays.float32("dy", dy)
        if arrived.shape != (*array.shape[:-1], self._from.outputs):
            raise ValueError(f"dy: expected shape {(*array.shape[:-1], self._from.outputs)}, given "
                             f"{arrived.shape}")
        from_rows, dy_stride = arrays.rows("dy", arrived, self._from.outputs)
        to = {name: self._target(name, shapes[name], (out or {}).get(name), accumulate)
              for name in names}
        dx, dx_stride = arrays.rows("out x", to["x"], self._from.inputs) if "x" in to else (None, 0)
        if dx is not None and (np.shares_memory(dx, given) or np.shares_memory(dx, from_rows)):
            raise ValueError("out x: expected memory of its own, given memory of x or dy")
        parameters = to.get("parameters", to.get("beta"))
        self._functions.grad(
            self._training, None if dx is None else dx.ctypes.data, dx_stride,
            self._from._pointers(to), None if parameters is None else parameters.ctypes.data,
            int(accumulate), from_rows.ctypes.data, dy_stride, given.ctypes.data, x_stride,
            len(given), self._saved.ctypes.data, self._packed.ctypes.data, self._work.ctypes.data,
            drops, self._from._pool.address())
        return to

    def _bytes(self, tokens: int) -> list[int]:
        sizes = (ctypes.c_size_t * 3)()
        self._functions.train_bytes(self._training, tokens, self._from._pool.threads, sizes)
        return list(sizes)

    @staticmethod
    def _target(name: str, shape: tuple[int, ...], given: Any, accumulate: bool) -> np.ndarray:
        if given is None:
            return (np.zeros if accumulate else np.empty)(shape, np.float32)
        target = arrays.output(given, shape)
        if name != "x" and not target.flags.c_contiguous:
            raise ValueError(f"out {name}: expected a contiguous array")
        return target
