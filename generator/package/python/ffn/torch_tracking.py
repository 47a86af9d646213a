"""Tensors whose operations torch follows: to record, to batch or to differentiate them. A kernel
computes beside torch, which would see nothing of it and go on with what nobody wrote."""
from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

_Method = TypeVar("_Method", bound=Callable[..., Any])


class _Torch:
    """What tells of a tensor; what a version of torch lacks tells nothing."""

    def __init__(self, torch: Any) -> None:
        def found(path: str) -> Any:
            names = path.split(".")
            return functools.reduce(lambda at, name: getattr(at, name, None), names, torch)

        self.tensor = torch.Tensor
        self.is_traced = found("_C._get_tracing_state") or torch.jit.is_tracing
        wraps = ("is_functorch_wrapped_tensor", "is_legacy_batchedtensor")
        wrapped = [found(f"_C._functorch.{name}") for name in wraps]
        self.transformed = [function for function in wrapped if function]
        self.mode = found("_C._get_dispatch_mode")
        self.proxy = found("_C._TorchDispatchModeKey.PROXY")
        self.is_functional = found("_is_functional_tensor")
        self.forward = torch.autograd.forward_ad
        self.increment_version = found("autograd.graph.increment_version")

    def is_transformed(self, value: Any) -> bool:
        return any(function(value) for function in self.transformed)

    def is_recorded(self, value: Any) -> bool:
        if self.mode and self.proxy is not None and self.mode(self.proxy) is not None:
            return True
        if self.is_functional and self.is_functional(value):
            return True
        fake = sys.modules.get("torch._subclasses.fake_tensor")
        return type(value) is not self.tensor and bool(fake) and isinstance(value, fake.FakeTensor)

    def has_tangent(self, value: Any) -> bool:
        """Only at a level of forward_ad that is entered a tensor may have one."""
        if getattr(self.forward, "_current_level", 0) < 0:
            return False
        return self.forward.unpack_dual(value).tangent is not None


@functools.lru_cache(maxsize=1)
def _torch_of(torch: Any) -> _Torch:
    return _Torch(torch)


def _torch(value: Any) -> _Torch | None:
    """None where it is no tensor. torch is not imported here: who has one has done that."""
    torch = sys.modules.get("torch")
    return _torch_of(torch) if isinstance(value, getattr(torch, "Tensor", ())) else None


def refuse(name: str, value: Any) -> None:
    """Whatever would be lost in silence."""
    torch = _torch(value)
    if torch is None:
        return
    if torch.is_traced():
        raise RuntimeError(f"{name}: torch.jit.trace, with which torch.onnx.export may begin, "
                           f"{_RECORDS}")
    if torch.is_transformed(value):
        raise NotImplementedError(f"{name}: ffn computes beside the transforms of torch.func "
                                  "(vmap, jvp, grad, jacrev, functionalize), which would see "
                                  "nothing of it: a layer takes rows of any leading shape, and "
                                  "backward() gives gradients where its spec says backward = true")
    if torch.is_recorded(value):
        raise RuntimeError(f"{name}: torch.export, make_fx or a FakeTensorMode {_RECORDS}")
    if torch.has_tangent(value):
        raise NotImplementedError(f"{name}: it has a tangent, and ffn has no forward-mode "
                                  "derivatives: backward() gives gradients where a layer's spec "
                                  "says backward = true, and detach() leaves the tangent out")


_RECORDS = ("records what torch computes, and would keep memory that nobody writes in place of "
            "what ffn computes: take the torch.nn.Module there that these weights are for")


def written(value: Any) -> None:
    """What a kernel wrote into a tensor counts as a change in place: torch refuses gradients that
    it would take from what was there before."""
    torch = _torch(value)
    if torch and torch.increment_version and not value.is_inference():
        torch.increment_version(value)


def uncompiled(method: _Method) -> _Method:
    """A method that torch.compile runs as it is, between the graphs before and behind it, in place
    of going through what leads to C."""
    as_it_is: list[Any] = []

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        dynamo = sys.modules.get("torch._dynamo")
        if dynamo is None or not hasattr(dynamo, "disable"):  # nothing is compiled
            return method(*args, **kwargs)
        if not as_it_is:
            as_it_is.append(dynamo.disable(method))
        return as_it_is[0](*args, **kwargs)

    call._torchdynamo_disable = True  # type: ignore[attr-defined]
    call._torchdynamo_disable_msg = "ffn computes beside torch"  # type: ignore[attr-defined]
    return cast(_Method, call)
