"""A reading as it is judged: what of a dict is the layer's, and where that lies."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import forms, paths
from .names import ANYWHERE, Neighbour
from .wanted_tensors import Held, Tensor, Widths, count, widths


@dataclass
class Scope:
    """What is known of the names of a layer's tensors."""
    prefix: str  # all behind it is judged
    beside: Sequence[Neighbour]
    gate: str | None = None  # the module of a gate, of a layer without one
    word: str | None = None  # in front of the numbers of its modules
    module: str | None = None  # of a single matrix, with its dot, where the whole dict is judged


@dataclass
class Judged:
    held: Held
    tensors: Sequence[Tensor]
    keys: Sequence[str]  # the names of the layer's tensors, in the order of those
    scope: Scope
    own: dict[str, str]  # by name of a tensor: what it is in the layer
    modules: set[str]  # that hold one of them, at any depth
    owners: dict[str, str]  # by module of a matrix, with its dot: the matrix
    has: set[str]  # what the dict has
    widths: Widths

    def unit_of(self, key: str, prefix: str) -> str:
        """The largest module behind a prefix around a tensor that has nothing of the layer, or the
        tensor itself."""
        return next((module for module in paths.modules(key)
                     if len(module) > len(prefix) and module not in self.modules), key)

    def is_harmless(self, key: str) -> bool:
        """Whether a tensor changes nothing, wherever it stands."""
        shape = self.held.shapes[key]
        return shape is not None and count(shape) == 0 or paths.last(key) in ANYWHERE

    def is_batch_norm(self, key: str) -> bool:
        return paths.module_of(key) + "running_mean" in self.has


def judged(held: Held, tensors: Sequence[Tensor], keys: Sequence[str], scope: Scope) -> Judged:
    has, owners = set(held.keys), {}
    is_one = sum(t.part == "weight" for t in tensors) == 1
    for tensor, key in zip(tensors, keys):
        module = forms.folded(key, has)
        if tensor.part == "weight" and module and (is_one or len(module) > len(scope.prefix)):
            owners[module] = tensor.name.rpartition(".")[0]
    return Judged(held, tensors, keys, scope, {key: t.name for key, t in zip(keys, tensors)},
                  {module for key in keys for module in paths.modules(key)}, owners, has,
                  widths(tensors))
