"""Training of a layer: y with what backward needs, and gradients."""
from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar, cast

import numpy as np

from . import arrays, scalars, torch_tracking
from .kernel import Kernel


class _Forward(NamedTuple):
    """What grad() needs of the call before it, beside what that saved."""
    x: np.ndarray  # the caller's, which dx does not take the place of
    rows: np.ndarray  # a copy of its rows, which nobody changes until grad()
    drops: Any
    packs: int  # with the weights of which pack()


_Layer = TypeVar("_Layer")
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _alone(method: _Method) -> _Method:
    """A method of a Trainer whose memory no other call may use at the same time."""
    @functools.wraps(method)
    def call(self: Trainer[Any], *args: Any, **kwargs: Any) -> Any:
        if not self._lock.acquire(blocking=False):
            name = self._kernel.name
            if self._process != os.getpid():  # what that thread left half done is there, too
                raise RuntimeError(f"the trainer of {name} computed for another thread when this "
                                   "process was forked off: make one by layer.trainer(weights)")
            raise RuntimeError(f"the trainer of {name} computes for another thread: each thread "
                               "takes a trainer of its own")
        self._process = os.getpid()
        try:
            return method(self, *args, **kwargs)
        finally:
            self._lock.release()
    return cast(_Method, call)


class Trainer(Generic[_Layer]):
    """A layer that learns, for one Python thread at a time: `trainer = layer.trainer(weights)`.

        y = trainer(x)
        gradients = trainer.grad(dy)    # {"x": ..., "up.weight": ..., ...}
        trainer.pack(weights)           # after every change of the weights

    layer: runs with the weights that were packed last; it has the bits of the trainer's y. It
    changes with every pack(), while Layer.pack() gives one that stays.
    """

    def __init__(self, kernel: Kernel, training: int, weights: Mapping[str, Any],
                 layer_of: Callable[[np.ndarray], _Layer]) -> None:
        self._kernel, self._training, self._functions = kernel, training, kernel.functions
        self._layer_of = layer_of  # a layer with packed weights
        sizes = self._bytes(0)
        self._packed, self._work = arrays.aligned(sizes[0]), arrays.aligned(sizes[2])
        self._saved, self._rows = arrays.aligned(0), arrays.aligned(0)
        self._forward: _Forward | None = None
        self._packs = 0
        self._lock, self._process = threading.Lock(), os.getpid()
        self.pack(weights)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"the trainer of {self._kernel.name} cannot be copied or pickled, for it "
                        "holds memory of a call: keep the weights, and make one by "
                        "layer.trainer(weights)")

    @property
    def layer(self) -> _Layer:
        return self._layer_of(self._packed[:self._kernel.packed_bytes])

    @_alone
    def pack(self, weights: Mapping[str, Any]) -> None:
        """Takes weights, as Layer.pack() does. grad() needs a call with these first."""
        given, parameters = self._kernel.given(weights)
        self._packs += 1
        self._functions.pack_train(self._kernel.address, self._training, self._packed.ctypes.data,
                                   self._kernel.linears(given), parameters.ctypes.data)

    @torch_tracking.uncompiled
    @_alone
    def __call__(self, x: Any, out: Any = None, *, seed: int | None = None, step: int = 0,
                 first_token: int = 0) -> Any:
        """y [..., outputs] of x [..., inputs], as a Layer's; keeps what grad() needs, and a copy
        of x, which may change before grad().

        seed: a layer with dropout drops by it, by `step` and by the number of the batch's first
        token; None drops nothing. Layers of one model take different seeds.
        """
        array = arrays.float32("x", x)
        given, _ = arrays.rows("x", array, self._kernel.inputs, overlap=True)
        shape = (*array.shape[:-1], self._kernel.outputs)
        drops = self._drops(seed, step, first_token, len(given))
        if out is None:
            out = x.new_empty(shape) if hasattr(x, "new_empty") else np.empty(shape, np.float32)
        made, y_stride = arrays.rows("out", arrays.output("out", out, shape), self._kernel.outputs)
        arrays.apart("out", made, {"x": given, "the packed weights": self._packed})
        pool = self._kernel.pool.address()
        self._forward = None  # until all that it stands for is there
        rows = self._keep(given)
        self._functions.run_train(
            self._training, made.ctypes.data, y_stride, rows.ctypes.data, self._kernel.inputs,
            len(rows), self._saved.ctypes.data, self._packed.ctypes.data, self._work.ctypes.data,
            drops, pool)
        self._forward = _Forward(array, rows, drops, self._packs)
        torch_tracking.written(out)
        return out

    @torch_tracking.uncompiled
    @_alone
    def grad(self, dy: Any, wanted: Iterable[str] | None = None, *,
             out: Mapping[str, Any] | None = None, accumulate: bool = False) -> dict[str, Any]:
        """The gradients of a loss whose gradient by y is dy, for the last call's x, weights and
        dropout: by the names of layer.shapes, and "x". Any number of times for a call.

        wanted: these alone; what is not wanted is not computed. out: arrays for some or all of
        them, which share no memory. accumulate: those of out but "x" are added to what is there.
        """
        forward = self._last()
        shapes = {"x": forward.x.shape, **self._kernel.shapes}
        names, given = _asked(shapes, wanted, out)
        adds = scalars.truth("accumulate", accumulate)
        arrived = arrays.float32("dy", dy)
        if arrived.shape != (*forward.x.shape[:-1], self._kernel.outputs):
            raise ValueError(f"dy: expected shape {(*forward.x.shape[:-1], self._kernel.outputs)}, "
                             f"given {arrived.shape}")
        from_rows, dy_stride = arrays.rows("dy", arrived, self._kernel.outputs)
        to = {name: _target(name, shapes[name], given.get(name), adds) for name in names}
        inputs = self._kernel.inputs
        dx, dx_stride = arrays.rows("out x", to["x"], inputs) if "x" in to else (None, 0)
        others = {"x": forward.x, "dy": from_rows, "the packed weights": self._packed}
        for name in given:  # what is made here lies by itself
            arrays.apart(f"out {name}", to[name], others)
            others[f"out {name}"] = to[name]
        parameters = to.get("parameters", to.get("beta"))
        self._functions.grad(
            self._training, None if dx is None else dx.ctypes.data, dx_stride,
            self._kernel.pointers(to), None if parameters is None else parameters.ctypes.data,
            int(adds), from_rows.ctypes.data, dy_stride, forward.rows.ctypes.data,
            inputs, len(forward.rows), self._saved.ctypes.data, self._packed.ctypes.data,
            self._work.ctypes.data, forward.drops, self._kernel.pool.address())
        for made in given.values():
            torch_tracking.written(made)
        return to

    def _last(self) -> _Forward:
        """The call that grad() is for."""
        name = self._kernel.name
        if self._forward is None:
            raise ValueError(f"{name}: call the trainer with x before grad()")
        if self._forward.packs != self._packs:
            raise ValueError(f"{name}: other weights were packed since the trainer's last call: "
                             "call it with x again before grad()")
        return self._forward

    def _drops(self, seed: Any, step: Any, first_token: Any, tokens: int) -> Any:
        """What is dropped, for C; None: nothing. Numbers that C would wrap name masks that others
        have."""
        # Elements are numbered (first_token + token) * width + column, below 2^64.
        widest = max(weight.shape[0] for weight, *_ in self._kernel.tensors)
        step = scalars.integer("step", step, 0, 2**32 - 1, ": begin at 0 with another seed")
        first_token = scalars.integer("first_token", first_token, 0, 2**64 // widest - tokens,
                                      ": elements are numbered in 64 bits")
        if seed is None:
            return None
        seed = scalars.integer("seed", seed, 0, 2**64 - 1, ": seed % 2**64 is one of these")
        return (ctypes.c_uint64 * 3)(seed, step, first_token)

    def _keep(self, given: np.ndarray) -> np.ndarray:
        """A copy of x, and memory for what backward needs of it."""
        saved = self._bytes(len(given))[1]
        if saved > self._saved.size:
            self._saved = arrays.aligned(saved)
        if given.nbytes > self._rows.size:
            self._rows = arrays.aligned(given.nbytes)
        rows = self._rows[:given.nbytes].view(np.float32).reshape(given.shape)
        rows[...] = given
        return rows

    def _bytes(self, tokens: int) -> list[int]:
        sizes = (ctypes.c_size_t * 3)()
        self._functions.train_bytes(self._training, tokens, self._kernel.pool.threads, sizes)
        return list(sizes)


def _asked(shapes: Mapping[str, Any], wanted: Iterable[str] | None,
           out: Mapping[str, Any] | None) -> tuple[list[str], Mapping[str, Any]]:
    """The names of gradients that are wanted, and the arrays for some of them."""
    given = {} if out is None else out
    if not isinstance(given, Mapping):
        raise TypeError(f"out: expected a dict of arrays by name, given {type(given).__name__}")
    if isinstance(wanted, bytes) or not isinstance(wanted, (Iterable, type(None))):
        raise TypeError(f"wanted: expected names of gradients, given {scalars.told(wanted)}")
    names = [wanted] if isinstance(wanted, str) else list(shapes if wanted is None else wanted)
    for name in (*names, *given):
        if not isinstance(name, str):
            raise TypeError(f"wanted: expected names of gradients, given {scalars.told(name)}")
        if name not in shapes:
            raise ValueError(f"unknown {name}: there are {', '.join(shapes)}")
    for name in given:
        if name not in names:
            raise ValueError(f"out {name}: not among what is wanted, {', '.join(names)}")
    return names, given


def _target(name: str, shape: tuple[int, ...], given: Any, adds: bool) -> np.ndarray:
    if given is None:
        return (np.zeros if adds else np.empty)(shape, np.float32)
    target = arrays.output(f"out {name}", given, shape)
    if name != "x":  # whose rows may stand apart
        arrays.aligned_floats(f"out {name}", target)
        if not target.flags.c_contiguous:
            raise ValueError(f"out {name}: expected a contiguous array, as numpy.zeros() makes, "
                             f"given strides {target.strides} for shape {shape}")
    return target
