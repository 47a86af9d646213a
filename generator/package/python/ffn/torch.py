"""A layer as a torch.nn.Module, which learns where its spec says backward = true; needs torch.

    net = torch.nn.Sequential(ffn.torch.module(layers["body"]), torch.nn.Linear(64, 10))
"""
from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch

from . import torch_tracking
from .layer import Layer
from .tensors.choice import Chosen
from .trainer import Trainer
from .weights import options


class _Spare(list):  # type: ignore[type-arg]
    """Trainers that no call uses; they are not for copies of a module."""

    def __deepcopy__(self, memo: Any) -> _Spare:
        return _Spare()

    def __reduce__(self) -> Any:
        return _Spare, ()


class _Held:
    """A trainer for as long as the graph of one call may ask for gradients."""

    def __init__(self, spare: _Spare, trainer: Trainer[Layer]) -> None:
        self._spare, self.trainer = spare, trainer

    def __del__(self) -> None:
        self._spare.append(self.trainer)


class _Call(torch.autograd.Function):
    """y of x and weights in the order of shapes. What backward needs, the trainer has copied."""

    @staticmethod
    def forward(ctx: Any, module: Module, seed: int | None, x: torch.Tensor,
                *weights: torch.Tensor) -> Any:
        ctx.layer, ctx.names = module.ffn_layer.name, list(module.ffn_layer.shapes)
        ctx.given = (x, *weights)
        ctx.held = module._held(dict(zip(ctx.names, weights)))
        return ctx.held.trainer(_dense(x), seed=seed)

    @staticmethod
    def backward(ctx: Any, dy: torch.Tensor) -> Any:
        names = ["x", *ctx.names]
        wanted = [name for name, needs in zip(names, ctx.needs_input_grad[2:]) if needs]
        _taken("dy", dy, ctx.layer)
        made = {name: torch.from_numpy(gradient) for name, gradient in
                ctx.held.trainer.grad(_dense(dy), wanted).items()}
        if torch.is_grad_enabled():  # create_graph=True: they depend on x and on all weights
            made = dict(zip(made, _Once.apply(
                ctx.layer, len(made), *made.values(), dy, *ctx.given)))
        return None, None, *(made.get(name) for name in names)


class _Once(torch.autograd.Function):
    """Gradients that cannot be differentiated, and say so. They depend on dy, x and all weights, or
    what is asked of these would pass them by as constants."""

    @staticmethod
    def forward(ctx: Any, layer: str, count: int, *tensors: torch.Tensor) -> Any:
        ctx.layer = layer
        return tuple(gradient.view_as(gradient) for gradient in tensors[:count])

    @staticmethod
    def backward(ctx: Any, *_: torch.Tensor) -> Any:
        raise NotImplementedError(f"{ctx.layer}: ffn gives no gradients of gradients")


def _dense(tensor: torch.Tensor) -> torch.Tensor:
    """As a kernel reads it, a copy where it has to be one."""
    return tensor.detach().resolve_neg().contiguous()


def _taken(name: str, tensor: Any, layer: str) -> None:
    """Refuses what is no tensor that a kernel reads."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name}: {layer} expected a torch.Tensor, given {type(tensor).__name__}")
    torch_tracking.refuse(name, tensor)
    if tensor.layout != torch.strided or tensor.is_nested:
        of = "nested tensor" if tensor.is_nested else f"tensor of {tensor.layout}"
        remedy = "to_padded_tensor()" if tensor.is_nested else "to_dense()"
        raise TypeError(f"{name}: {layer} expected a dense tensor, given a {of}: {remedy} makes "
                        "one")
    if tensor.dtype != torch.float32 or tensor.device.type != "cpu":
        raise TypeError(f"{name}: {layer} computes in float32 on the CPU, given {tensor.dtype} on "
                        f"{tensor.device}: float() and cpu() make it so")


class Module(torch.nn.Module):
    """See module()."""

    def __init__(self, layer: Layer, found: Mapping[str, Chosen],
                 values: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        self.ffn_layer, self._spare = layer, _Spare()
        prefix = _shared([found[name].key for name in layer.shapes if "." in name])
        self._names = {name: c.key[len(prefix):] if c.key.startswith(prefix) else c.key
                       for name, c in found.items()}
        self._turned = {name for name, c in found.items() if c.is_other_way}
        for name, key in self._names.items():
            value = values[name].T if name in self._turned else values[name]
            _register(self, key, torch.nn.Parameter(value.contiguous(), layer.is_trained))

    @torch_tracking.uncompiled
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        name, weights = self.ffn_layer.name, self._weights()
        for what, tensor in {"x": x, **weights}.items():
            _taken(what, tensor, name)
        learns = torch.is_grad_enabled() and any(t.requires_grad for t in (x, *weights.values()))
        if learns and not self.ffn_layer.is_trained:
            raise RuntimeError(f"{name} gives no gradients: {self.ffn_layer.why_untrained}; "
                               "call it under torch.no_grad()")
        if not learns and not (self.training and self.ffn_layer.is_trained):
            y: torch.Tensor = self.ffn_layer.pack(weights)(_dense(x))
            return y
        seed = int(torch.randint(2**63 - 1, (), dtype=torch.int64, device="cpu")) \
            if self.training else None
        made: torch.Tensor = _Call.apply(self, seed, x, *weights.values())
        return made

    def packed(self) -> Layer:
        """The layer with the weights as they are now: calls of it do not pack again."""
        return self.ffn_layer.pack(self._weights())

    def __prepare_scriptable__(self) -> Any:
        raise RuntimeError(f"{self.ffn_layer.name}: torch.jit.script compiles what Python says, "
                           "and would see nothing of what ffn computes: take the torch.nn.Module "
                           "there that these weights are for")

    def extra_repr(self) -> str:
        layer = self.ffn_layer
        return f"{layer.name}: {layer.inputs} -> {layer.outputs}, {layer.isa}"

    def _weights(self) -> dict[str, torch.Tensor]:
        """By the names of shapes, in their order, [out][in]."""
        given = {name: self._parameters[key] if key in self._parameters else
                 functools.reduce(getattr, key.split("."), self)
                 for name, key in self._names.items()}
        return {name: value.T if name in self._turned else value for name, value in given.items()}

    def _held(self, weights: Mapping[str, torch.Tensor]) -> _Held:
        """A trainer that no other call's graph has, with these weights."""
        try:
            trainer = self._spare.pop()
        except IndexError:
            return _Held(self._spare, self.ffn_layer.trainer(weights))
        held = _Held(self._spare, trainer)
        trainer.pack(weights)
        return held


def module(layer: Layer, weights: Mapping[str, Any] | None = None, *, prefix: str | None = None,
           order: str | None = None, leave: Iterable[str] = ()) -> Module:
    """A torch.nn.Module of this layer, with copies of these weights, which are as for pack(); of
    those that the layer has; else with numbers as torch.nn.Linear begins with.

    Its parameters, and so its state_dict, have the names and shapes of the given weights without
    what all have in front, so that it takes the place of the module that they came from; else those
    of `shapes` ("weight" and "bias" where there is one matrix).

    Every call takes the weights as they are then. In train() mode a layer whose spec says dropout
    drops, by a seed that each call draws from torch's generator, so that torch.manual_seed() gives
    the same again; the numbers dropped are not those that torch.nn.Dropout would drop. In eval()
    mode nothing is dropped. Gradients are of x and of the weights as the call saw them, whatever
    changes in place before backward(). Gradients of gradients are refused, as are tangents, what
    torch.func transforms and what is recorded (torch.jit, torch.export).
    """
    if not isinstance(layer, Layer):
        raise TypeError(f"layer: expected a Layer, given {type(layer).__name__}")
    for name, stored in layer.formats.items():
        if layer._kernel.takes_no_floats(name):
            raise ValueError(f"{layer.name}: {name} is stored as {stored}, of which a module has no "
                             "parameter: call the layer, with the weights that pack() took")
    if weights is None:
        weights = layer.unpack() if layer.has_weights else _begin(layer)
    said = options(prefix, order, leave)
    found, given = layer._kernel.chosen(weights, said), layer._kernel.given(weights, said)[0]
    return Module(layer, found, _floats(layer, given))


def _floats(layer: Layer, given: Mapping[str, Any]) -> dict[str, torch.Tensor]:
    """Copies of weights by the names of shapes. Of what a matrix is stored as, the bits of bfloat16
    say, parameters are what it means: the layer unpacks it."""
    stored = {name for name in layer.shapes if getattr(given[name], "dtype", np.float32) !=
              np.float32}
    means = layer.pack(given).unpack() if stored else given
    return {name: torch.from_numpy(np.array((means if name in stored else given)[name], np.float32))
            for name in layer.shapes}


def _begin(layer: Layer) -> dict[str, Any]:
    """Numbers as torch.nn.Linear begins with."""
    begin = {}
    for name, shape in layer.shapes.items():
        if "." not in name or name.endswith(".operand_scale"):
            raise ValueError(f"{layer.name}: give weights, for where {name} begins is not known")
        inputs = shape[1] if len(shape) == 2 else layer.shapes[name.replace("bias", "weight")][1]
        bound = 1 / math.sqrt(inputs)
        begin[name] = torch.empty(shape, dtype=torch.float32, device="cpu").uniform_(-bound, bound)
    return begin


def _shared(keys: list[str]) -> str:
    """The modules that all names have in front of them, with a dot."""
    shared = keys[0]
    for key in keys:
        while not key.startswith(shared):
            shared = shared[:-1]
    return shared[:shared.rfind(".") + 1]


def _register(module: torch.nn.Module, name: str, parameter: torch.nn.Parameter) -> None:
    """In modules of the names before the dots."""
    first, dot, rest = name.partition(".")
    if not dot and first == "parameters":  # which is a function of every module, too
        module._parameters[first] = parameter
        return
    if not dot:
        module.register_parameter(first, parameter)
        return
    if first not in dict(module.named_children()):
        module.add_module(first, torch.nn.Module())
    _register(module.get_submodule(first), rest, parameter)
