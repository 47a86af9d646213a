"""What the tests share: layers, weights, and the meaning of layers in float64."""
from __future__ import annotations

import functools
import math
import os
from pathlib import Path

import ffn
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "generator" / "specs" / "lessons.lua"


@functools.lru_cache(maxsize=None)
def lessons(threads: int = 1) -> ffn.Library:
    return ffn.load(LESSONS, threads=threads)


def normal(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def at_odd_address(array):
    """A copy whose floats lie at no multiple of 4 bytes."""
    memory = np.empty(array.nbytes + 1, np.uint8)
    copy = memory[1:].view(np.float32).reshape(array.shape)
    copy[...] = array
    return copy


def in_a_child(call) -> bool:
    """Whether call() is true in a process that is forked off."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if call() else 2
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def weights_for(layer: ffn.Layer) -> dict:
    """Random weights, small enough for outputs about 1; a run-time beta of 1.5."""
    weights = {name: normal(*shape, seed=10 + i) / np.float32(math.sqrt(shape[-1]))
               for i, (name, shape) in enumerate(layer.shapes.items()) if name != "beta"}
    if "beta" in layer.shapes:
        weights["beta"] = 1.5
    return weights


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


ACTIVATIONS = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x),
    "gelu": lambda x: 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))),
}


def linear(weights: dict, name: str, x: np.ndarray) -> np.ndarray:
    """x W^T + b in float64."""
    y = x.astype(np.float64) @ weights[f"{name}.weight"].astype(np.float64).T
    return y + weights[f"{name}.bias"] if f"{name}.bias" in weights else y
