"""One layer: what it takes, its weights, and calls."""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from . import arrays, scalars, torch_tracking
from .kernel import Kernel
from .trainer import Trainer
from .weights import options


class Layer:
    """A layer of a Library. It is called with weights: `layer = library["mine"].pack(weights)`.

    name, inputs, outputs, max_tokens (rows of a call; None: any number): as in the spec.
    isa: of the kernel that this CPU gets ("avx2", say).
    widths: of several outputs, name -> how wide it is, in order; empty of one. They lie side by
    side, `outputs` wide together.
    shapes: what pack() takes, name -> shape; weights are [out, in], as torch.nn.Linear's.
    formats: what matrices are stored as, name -> "f32", "bf16", "q4_K" and so on.
    arithmetics: how the products of matrices are summed, name -> "fma_f32", "dot_s8" or
    "dot_s8_static".

    It may be copied and pickled, with its weights: see Library.
    """

    def __init__(self, kernel: Kernel, again: Callable[..., Layer]) -> None:
        self._kernel, self._functions = kernel, kernel.functions
        self._again = again  # gives it to another process, by what __reduce__() adds
        self.name: str = kernel.name
        self.isa: str = kernel.isa
        self.inputs: int = kernel.inputs
        self.outputs: int = kernel.outputs
        self.max_tokens: int | None = kernel.max_tokens
        self.widths: dict[str, int] = kernel.widths
        self.shapes: dict[str, tuple[int, ...]] = kernel.shapes
        self.formats: dict[str, str] = kernel.formats
        self.arithmetics: dict[str, str] = kernel.arithmetics
        self._spare: list[np.ndarray] = []  # work memory of calls that are over
        self._packed: np.ndarray | None = None

    def __repr__(self) -> str:
        weights = "no weights" if self._packed is None else f"{self._packed.size} bytes of weights"
        return f"<ffn.Layer {self.name}: {self.inputs} -> {self.outputs}, {self.isa}, {weights}>"

    def pack(self, weights: Mapping[str, Any], *, prefix: str | None = None,
             order: str | None = None, leave: Iterable[str] = ()) -> Layer:
        """This layer with these weights: a dict of arrays or torch tensors, a state_dict or a file
        of them, by the names of `shapes` or by any that `ffngen vendor --weights` knows. They are
        copied, and not needed afterwards.

        prefix: in front of the names, where there are several layers ("model.layers.0.mlp").
        order: "out-in" (torch.nn.Linear) or "in-out" (Keras, GPT-2's Conv1D), of all matrices,
        where their names do not say it. leave: names of tensors or modules that do not change the
        layer; whatever else stands beside its weights is refused.

        float16, bfloat16 and float64 are taken where float32 holds each number. Weights that the
        spec stores as f16 or bf16 are rounded; those that are float16 or bfloat16 already, as it
        says, are taken as they are, and for bf16 uint16 is their bits. Formats of blocks (q8_0,
        q4_K) take those as a GGUF file has them, uint8 [out, bytes of a row] or flat: data of a
        tensor of gguf.GGUFReader; some take floats, too, which are quantised. Formats whose scales
        lie in arrays of their own (u4g128, i8, f8_e4m3) take floats, or their own numbers with
        these beside them: "gate.weight" in uint8 [out, inputs / 2] (nibbles, the low one first),
        int8 or float8_e4m3fn (or its bytes, uint8) [out, in], "gate.scales" [out, scales of an
        output] in what the format says, [1, scales of an output] where all outputs share them, and
        of f8_e4m3 for 128 x 128 weights each; "gate.zeros" as the scales lie, in uint8 or int8, of
        formats that have them; without them they are 8 of nibbles, 0 of i8z. A number for "beta" is
        rounded to float32. Where the spec says operand_scales = 'static', "gate.operand_scale" (or
        "gate.input_scale") is the scale of what a matrix multiplies: one number that float32
        holds, the same for gate and up.
        """
        self._needs(self._kernel.packs, "pack", ", or give use_packed() weights that are packed")
        given, parameters = self._kernel.given(weights, options(prefix, order, leave))
        packed = arrays.aligned(self._kernel.packed_bytes)
        self._functions.pack(self._kernel.address, packed.ctypes.data, self._kernel.linears(given),
                             parameters.ctypes.data)
        return self._with(packed)

    def trainer(self, weights: Mapping[str, Any], *, prefix: str | None = None,
                order: str | None = None, leave: Iterable[str] = ()) -> Trainer[Layer]:
        """What trains this layer from these weights, which are as for pack(), where its spec says
        backward = true."""
        training = self._functions.training_of(self._kernel.address)
        if training is None:
            raise ValueError(f"{self.name} is not trained: {self.why_untrained}")
        given, _ = self._kernel.given(weights, options(prefix, order, leave))
        return Trainer(self._kernel, training, given, self._with)

    @property
    def is_trained(self) -> bool:
        """Whether its spec says backward = true."""
        return self._functions.training_of(self._kernel.address) is not None

    @property
    def why_untrained(self) -> str:
        """What in its spec is why it is not trained, for messages."""
        if any(word.startswith("dot_s8") for word in self.arithmetics.values()):
            return "its spec says arithmetic = 'dot_s8', which is not trained; 'fma_f32' is"
        return "its spec does not say backward = true"

    @property
    def has_weights(self) -> bool:
        return self._packed is not None

    def use_packed(self, packed: np.ndarray) -> Layer:
        """This layer with weights that pack() packed before: `packed` of a Layer, which may lie in
        a file (numpy.save, numpy.load with mmap_mode="r"). It is used where it is."""
        arrays.unmasked("packed", packed)
        if not isinstance(packed, np.ndarray) or packed.dtype != np.uint8:
            raise TypeError("packed: expected an array of uint8")
        shape = (self._kernel.packed_bytes,)
        if packed.shape != shape or not packed.flags.c_contiguous:
            raise ValueError(f"packed: expected shape {shape}, contiguous, given {packed.shape}")
        if packed.ctypes.data % arrays.ALIGNMENT != 0:
            raise ValueError(f"packed: expected memory aligned to {arrays.ALIGNMENT} bytes")
        if not self._functions.packed_fits(self._kernel.address, packed.ctypes.data):
            raise ValueError(f"packed: not made by pack() of a layer like {self.name}")
        return self._with(packed)

    @property
    def packed(self) -> np.ndarray:
        """The packed weights, uint8, read-only."""
        view = self._own().view()
        view.flags.writeable = False
        return view

    def unpack(self, *, own: bool = False) -> dict[str, Any]:
        """The weights that pack() was given, as new arrays of float32; what is stored, where that
        is no f32.

        own: matrices in what they are stored as, byte for byte, which pack() takes: float16, the
        bits of bfloat16 as uint16, blocks, numbers with their scales and zeros beside them, of each
        output its own.
        """
        self._needs(self._kernel.packs, "pack", "")
        return self._kernel.unpacked(self._own(), scalars.truth("own", own))

    @torch_tracking.uncompiled
    def __call__(self, x: Any, out: Any = None) -> Any:
        """y [..., outputs] of x [..., inputs]: an array, or a torch tensor on the CPU; float32.

        x and out may be views with distances between their rows; nothing is copied. Returns out,
        or where it is None a new array (a new tensor for a tensor).

        Of several outputs out may be a dict, an array for each by its name; what it lacks is not
        computed. split() makes such a dict of an array that has them side by side.
        """
        if out is None:
            shape = (*arrays.float32("x", x).shape[:-1], self.outputs)
            out = x.new_empty(shape) if hasattr(x, "new_empty") else np.empty(shape, np.float32)
        self._run(x, out, None)
        return out

    @torch_tracking.uncompiled
    def add(self, x: Any, out: Any, scale: float = 1.0) -> Any:
        """out += scale * layer(x), rounded once; x and out as in a call, a dict, too. Returns out.

        scale is rounded to float32, which must hold it.
        """
        self._needs(self._kernel.adds, "add",
                    ", or add layer(x) to it yourself, which rounds twice")
        if getattr(scale, "requires_grad", False):
            raise TypeError("scale: expected a number that asks for no gradients, which add() does "
                            "not give: item() of a tensor is one")
        self._run(x, out, ctypes.c_float(scalars.real("scale", scale)))
        return out

    def split(self, y: Any) -> dict[str, Any]:
        """Views of y [..., outputs] by the names of several outputs."""
        if not self.widths:
            raise ValueError(f"{self.name} has one output")
        if tuple(y.shape[-1:]) != (self.outputs,):
            raise ValueError(f"y: expected shape (..., {self.outputs}), given {tuple(y.shape)}")
        views, first = {}, 0
        for name, width in self.widths.items():
            views[name] = y[..., first:first + width]
            first += width
        return views

    def _run(self, x: Any, out: Any, scale: Any) -> None:
        """Into rows that are there; scale is None where nothing is added."""
        packed, array = self._own(), arrays.float32("x", x)
        given, x_stride = arrays.rows("x", array, self.inputs, overlap=True)
        if self.max_tokens and len(given) > self.max_tokens:
            raise ValueError(f"x: {len(given)} rows, and {self.name} takes at most "
                             f"{self.max_tokens}: its spec says max_tokens")
        run, to = self._destination(out, array.shape[:-1], {"x": given,
                                                            "the packed weights": packed})
        kernel, pool = self._kernel.address, self._kernel.pool.address()
        need = self._functions.work_bytes(kernel, self._kernel.pool.threads, len(given))
        work = arrays.spare_or_new(self._spare, need)
        run(kernel, *to, scale, given.ctypes.data, x_stride, len(given), packed.ctypes.data,
            work.ctypes.data, work.size, pool)
        self._spare.append(work)
        for made in out.values() if isinstance(out, Mapping) else (out,):
            torch_tracking.written(made)

    def _destination(self, out: Any, leading: tuple[int, ...],
                     others: dict[str, np.ndarray]) -> tuple[Any, tuple[Any, Any]]:
        """What computes into out, and where it begins and its distances, as C takes them."""
        if not isinstance(out, Mapping):
            made = arrays.output("out", out, (*leading, self.outputs))
            rows, stride = arrays.rows("out", made, self.outputs)
            arrays.apart("out", rows, others)
            return self._functions.run, (rows.ctypes.data, stride)
        for name in out:
            if name not in self.widths:
                raise ValueError(f"out: unknown output {name}: {self.name} has "
                                 + (", ".join(self.widths) or "one, without a name"))
        if not out:
            raise ValueError(f"out: expected some of {', '.join(self.widths)}, given none")
        begins, strides = [], []
        for name, width in self.widths.items():
            begin, stride = None, width
            if name in out:
                label = f"out {name}"
                made = arrays.output(label, out[name], (*leading, width))
                rows, stride = arrays.rows(label, made, width)
                arrays.apart(label, rows, others)
                others[label], begin = rows, rows.ctypes.data
            begins.append(begin)
            strides.append(stride)
        count = len(begins)
        return self._functions.run_to, ((ctypes.c_void_p * count)(*begins),
                                        (ctypes.c_size_t * count)(*strides))

    def reference(self, x: Any) -> tuple[np.ndarray, np.ndarray]:
        """y [..., outputs] by plain loops in double, and the bound on |layer(x) - exact y|, which is
        infinite where none is known. Slow."""
        self._needs(self._kernel.packs, "pack", "")
        array = arrays.float32("x", x)
        weights = self._kernel.unpacked(self._own(), own=True)
        parameters = self._kernel.parameters_of(weights)
        given, x_stride = arrays.rows("x", array, self.inputs, overlap=True)
        y, bound = (np.empty((*array.shape[:-1], self.outputs)) for _ in range(2))
        if not self._functions.reference(self._kernel.address, y.ctypes.data, bound.ctypes.data,
                                         given.ctypes.data, x_stride, len(given),
                                         self._kernel.linears(weights),
                                         parameters.ctypes.data):
            raise MemoryError("no memory for the reference")
        return y, bound

    def _needs(self, has_it: bool, what: str, otherwise: str) -> None:
        if not has_it:
            raise RuntimeError(f"{self.name} was compiled without {what}(): build it without "
                               f"FFN_NO_{what.upper()}{otherwise}")

    def _own(self) -> np.ndarray:
        if self._packed is None:
            raise ValueError(f"{self.name} has no weights yet: layer = layer.pack(weights)")
        return self._packed

    def __copy__(self) -> Layer:
        return self._with(self._packed)

    def __deepcopy__(self, memo: Any) -> Layer:
        return self._with(None if self._packed is None else arrays.aligned_copy(self._packed))

    def __reduce__(self) -> Any:
        packed = None if self._packed is None else np.asarray(self._packed)
        return self._again, (self.name, self._kernel.computes, packed)

    def restored(self, library: Any, computes: str, packed: np.ndarray | None) -> Layer:
        """What was pickled, of a library that it keeps; for pickle alone."""
        if computes != self._kernel.computes:
            raise ValueError(f"{self.name}: {computes} was pickled, and {library.path} has "
                             f"{self._kernel.computes}")
        layer = self._with(None) if packed is None else \
            self.use_packed(arrays.aligned_copy(packed))
        layer.__dict__["_library"] = library
        return layer

    def _with(self, packed: np.ndarray | None) -> Layer:
        layer = object.__new__(Layer)
        layer.__dict__.update(self.__dict__, _packed=packed)
        return layer
