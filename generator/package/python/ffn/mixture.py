"""A mixture of experts: a router, the experts, and calls."""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p
from typing import Any

import numpy as np

from . import arrays, torch_tracking
from .binding import Functions, Pool
from .layer import Layer


class MoeRecord(ctypes.Structure):
    """pyffn_moe of binding_moe.c."""
    _fields_ = [("name", c_char_p), ("moe", c_void_p), ("experts", c_size_t), ("top_k", c_size_t),
                ("logits", c_size_t), ("has_shared", c_int), ("has_correction", c_int),
                ("has_expert_scale", c_int)]


class _Mixed(ctypes.Structure):
    """pyffn_mixed of binding_moe.c."""
    _fields_ = [("expert_kernel", c_void_p), ("shared_kernel", c_void_p),
                ("router_kernel", c_void_p), ("experts", POINTER(c_void_p)), ("shared", c_void_p),
                ("router", c_void_p), ("correction", c_void_p), ("expert_scale", c_void_p),
                ("logits", c_void_p), ("logits_stride", c_size_t), ("numbers", c_void_p),
                ("weights", c_void_p), ("told", POINTER(c_size_t))]


_ABSENT, _CHOICE = 1, 2  # of ffn_moe_status


class Mixture:
    """A mixture of experts of a Library: `library["mine"].pack(experts, router)` may be called.

    name, inputs, outputs, experts, top_k: as in the spec.
    expert, router, shared: the Layers that it is made of; shared is None where there is none. Of a
    mixture with weights router and shared have theirs, and expert_layers has those of each expert.
    logits: how many numbers the router gives, one for each expert, and one for the gate of the
    shared expert where that is 'sigmoid'.

    It may be copied and pickled, with its weights: see Library.
    """

    def __init__(self, record: MoeRecord, layers: Mapping[str, Layer | None],
                 functions: Functions, pool: Pool, again: Callable[..., Mixture]) -> None:
        self.name: str = record.name.decode()
        self.experts: int = record.experts
        self.top_k: int = record.top_k
        self.logits: int = record.logits
        self._functions, self._pool, self._again = functions, pool, again
        self._address = record.moe
        self._has_correction = bool(record.has_correction)
        self._has_scale = bool(record.has_expert_scale)
        expert, router = layers[f"{self.name}_expert"], layers[f"{self.name}_router"]
        shared = layers[f"{self.name}_shared"] if record.has_shared else None
        assert expert and router and (shared or not record.has_shared)
        self.expert: Layer = expert
        self.router: Layer = router
        self.shared: Layer | None = shared
        self.inputs: int = expert.inputs
        self.outputs: int = expert.outputs
        self.expert_layers: list[Layer | None] | None = None
        self._pointers: Any = None  # of expert_layers, for C
        self._correction: np.ndarray | None = None
        self._scale: np.ndarray | None = None
        self._spare: list[np.ndarray] = []  # work memory of calls that are over

    def __repr__(self) -> str:
        if self.expert_layers is None:
            return (f"<ffn.Mixture {self.name}: {self.top_k} of {self.experts} experts, "
                    "no weights>")
        there = sum(layer is not None for layer in self.expert_layers)
        return (f"<ffn.Mixture {self.name}: {self.top_k} of {self.experts} experts, {there} of "
                "them in memory>")

    def pack(self, experts: Any, router: Any, shared: Any = None, *, correction: Any = None,
             expert_scale: Any = None) -> Mixture:
        """This mixture with these weights.

        experts: a dict of arrays with an expert each along the first axis, by the names of
        `expert.shapes`: {"gate.weight": [experts, out, in], ...}; or a sequence with one item for
        each expert: a dict as Layer.pack() takes, a Layer with weights, or an array of packed
        weights; None: this expert is not in memory.
        router, shared: a dict, a Layer or an array, as one expert. The router has `logits` outputs.
        correction, expert_scale: float32 [experts], where the spec says that there are such.
        """
        if (shared is None) != (self.shared is None):
            raise ValueError(f"shared: {self.name} has {'a' if self.shared else 'no'} shared "
                             f"expert, given {'none' if shared is None else 'one'}")
        made = object.__new__(Mixture)
        made.__dict__.update(self.__dict__, _spare=[])
        made.router = _packed("router", self.router, router)
        made.shared = None if self.shared is None else _packed("shared", self.shared, shared)
        made.expert_layers = [
            None if own is None else _packed(f"experts[{e}]", self.expert, own)
            for e, own in enumerate(self._each(experts))]
        made._pointers = (c_void_p * self.experts)(*[
            None if layer is None else layer._own().ctypes.data for layer in made.expert_layers])
        made._correction = self._vector("correction", correction, self._has_correction)
        made._scale = self._vector("expert_scale", expert_scale, self._has_scale)
        return made

    def _each(self, experts: Any) -> list[Any]:
        """What is given of each expert."""
        if isinstance(experts, Mapping):
            for name, value in experts.items():
                shape = tuple(getattr(value, "shape", ()))
                if not shape or shape[0] != self.experts:
                    raise ValueError(f"experts: {name}: expected an array of shape "
                                     f"({self.experts}, ...), one part for each expert, given "
                                     f"{shape or type(value).__name__}")
            return [{name: value[e] for name, value in experts.items()}
                    for e in range(self.experts)]
        if not isinstance(experts, Sequence) or isinstance(experts, (str, bytes)):
            raise TypeError("experts: expected a dict of arrays, or a sequence with an item for "
                            f"each expert, given {type(experts).__name__}")
        if len(experts) != self.experts:
            raise ValueError(f"experts: expected {self.experts}, given {len(experts)}")
        return list(experts)

    def _vector(self, name: str, value: Any, is_wanted: bool) -> np.ndarray | None:
        if (value is not None) != is_wanted:
            raise ValueError(f"{name}: the spec of {self.name} says that there is "
                             f"{'one' if is_wanted else 'none'}")
        if value is None:
            return None
        array = arrays.float32(name, value)
        if array.shape != (self.experts,):
            raise ValueError(f"{name}: expected shape ({self.experts},), given {array.shape}")
        return np.array(array, np.float32)

    @property
    def has_weights(self) -> bool:
        return self.expert_layers is not None

    def _own(self) -> list[Layer | None]:
        if self.expert_layers is None:
            raise ValueError(f"{self.name} has no weights yet: mixture = mixture.pack(experts, "
                             "router)")
        return self.expert_layers

    @torch_tracking.uncompiled
    def __call__(self, x: Any, out: Any = None, *, logits: Any = None, numbers: Any = None,
                 weights: Any = None) -> Any:
        """y [..., outputs] of x [..., inputs], as a call of a Layer; x and out must share nothing.

        logits: float32 [..., logits], in place of the router's. numbers: integers [..., top_k],
        the experts of each token, in place of those that the router chooses: -1 is no expert.
        weights: float32 [..., top_k], of numbers; without them they are made of the logits.
        """
        array = arrays.float32("x", x)
        if out is None:
            shape = (*array.shape[:-1], self.outputs)
            out = x.new_empty(shape) if hasattr(x, "new_empty") else np.empty(shape, np.float32)
        self._own()
        rows, x_stride = arrays.rows("x", array, self.inputs, overlap=True)
        made = arrays.output("out", out, (*array.shape[:-1], self.outputs))
        to, y_stride = arrays.rows("out", made, self.outputs)
        given = self._given(array.shape[:-1], logits, numbers, weights)
        arrays.apart("out", to, {"x": rows, **{name: own for name, (own, _) in given.items()}})
        mixed, told = self._mixed(), (c_size_t * 2)()
        mixed.told = told
        for name, (own, stride) in given.items():
            setattr(mixed, name, own.ctypes.data)
            if name == "logits":
                mixed.logits_stride = stride
        status = self._run(mixed, (to.ctypes.data, y_stride, rows.ctypes.data, x_stride, len(rows)))
        if status == _ABSENT:
            raise ValueError(f"experts: token {told[1]} takes expert {told[0]}, which is None: "
                             "pack() the mixture with this expert")
        if status == _CHOICE:
            row = np.asarray(numbers).reshape(-1, self.top_k)[told[1]].tolist()
            raise ValueError(f"numbers: {row} in token {told[1]}: expected -1, or 0 to "
                             f"{self.experts - 1}, each once in a token")
        torch_tracking.written(out)
        return out

    def _run(self, mixed: _Mixed, rows: tuple[int, int, int, int, int]) -> int:
        threads, tokens = self._pool.threads, rows[4]
        need = self._functions.moe_work_bytes(self._address, ctypes.byref(mixed), threads, tokens)
        work = arrays.spare_or_new(self._spare, need)
        status = self._functions.moe_run(self._address, ctypes.byref(mixed), *rows,
                                         work.ctypes.data, work.size, self._pool.address())
        self._spare.append(work)
        return int(status)

    def route(self, logits: Any) -> tuple[np.ndarray, np.ndarray]:
        """numbers, weights [..., top_k]: the experts that logits [..., logits] choose, in ascending
        order; -1 and NaN where there is no choice."""
        self._own()
        array = arrays.float32("logits", logits)
        given, stride = arrays.rows("logits", array, self.logits, overlap=True)
        shape = (*array.shape[:-1], self.top_k)
        numbers, weights = np.empty(shape, np.int32), np.empty(shape, np.float32)
        self._functions.moe_route(self._address, _address(self._correction), _address(self._scale),
                                  given.ctypes.data, stride, len(given), numbers.ctypes.data,
                                  weights.ctypes.data)
        return numbers, weights

    def _given(self, leading: tuple[int, ...], logits: Any, numbers: Any,
               weights: Any) -> dict[str, tuple[np.ndarray, int]]:
        """What takes the place of the router's results, and the floats from row to row."""
        given: dict[str, tuple[np.ndarray, int]] = {}
        if weights is not None and numbers is None:
            raise ValueError("weights: given without numbers, whose weights they are")
        if logits is not None:
            given["logits"] = self._rows("logits", logits, leading, self.logits)
        if numbers is not None:
            array = arrays.array_of("numbers", numbers)
            if array.dtype.kind not in "iu":
                raise TypeError(f"numbers: expected integers, given {array.dtype.name}")
            wanted = (*leading, self.top_k)
            if array.shape != wanted:
                raise ValueError(f"numbers: expected shape {wanted}, given {array.shape}")
            # What int32 does not hold is out of range, and stays so.
            beyond = (array < -1) | (array >= self.experts)
            given["numbers"] = np.ascontiguousarray(
                np.where(beyond, self.experts, array).astype(np.int32)), self.top_k
        if weights is not None:
            rows, _ = self._rows("weights", weights, leading, self.top_k)
            given["weights"] = np.ascontiguousarray(rows), self.top_k
        return given

    def _rows(self, name: str, value: Any, leading: tuple[int, ...],
              columns: int) -> tuple[np.ndarray, int]:
        array = arrays.float32(name, value)
        if array.shape != (*leading, columns):
            raise ValueError(f"{name}: expected shape {(*leading, columns)}, given {array.shape}")
        return arrays.rows(name, array, columns, overlap=True)

    def _mixed(self) -> _Mixed:
        """Kernels and weights, for C."""
        mixed = _Mixed()
        mixed.expert_kernel = self.expert._kernel.address
        mixed.router_kernel = self.router._kernel.address
        mixed.experts = self._pointers
        mixed.router = self.router._own().ctypes.data
        if self.shared is not None:
            mixed.shared_kernel = self.shared._kernel.address
            mixed.shared = self.shared._own().ctypes.data
        mixed.correction, mixed.expert_scale = _address(self._correction), _address(self._scale)
        return mixed

    def __copy__(self) -> Mixture:
        made = object.__new__(Mixture)
        made.__dict__.update(self.__dict__, _spare=[])
        return made

    def __reduce__(self) -> Any:
        return self._again, (self.name, self.expert_layers, self.router, self.shared,
                             self._correction, self._scale)

    def restored(self, experts: list[Layer | None] | None, router: Layer, shared: Layer | None,
                 correction: np.ndarray | None, scale: np.ndarray | None) -> Mixture:
        """What was pickled; for pickle alone."""
        return self if experts is None else self.pack(experts, router, shared,
                                                      correction=correction, expert_scale=scale)


def _packed(name: str, layer: Layer, given: Any) -> Layer:
    """A layer with weights that are given in any form."""
    try:
        if isinstance(given, Layer):
            return layer.use_packed(given._own())
        return layer.pack(given) if isinstance(given, Mapping) else layer.use_packed(given)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def _address(array: np.ndarray | None) -> int | None:
    return None if array is None else array.ctypes.data
