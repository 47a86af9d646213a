"""The numbers that cross into C: taken as they are, or refused by name.

ctypes wraps an integer that is too large and makes a real that float32 lacks infinite or 0, both
in silence.
"""
from __future__ import annotations

import math
import operator
import reprlib
from ctypes import c_float
from decimal import Decimal
from numbers import Real
from typing import Any

from . import torch_tracking

LEAST = 2.0 ** -126  # the smallest float32 with all its digits


def integer(name: str, value: Any, first: int, last: int, remedy: str = "") -> int:
    """An integer in [first, last], of Python, NumPy or torch; no truth value, and no 2.0."""
    number = None if _is_truth(value) else _index(value)
    if number is None:
        raise TypeError(f"{name}: expected an integer, given {told(value)}")
    if not first <= number <= last:
        raise ValueError(f"{name}: expected {first} to {_bound(last)}, given "
                         f"{told(number)}{remedy}")
    return number


def real(name: str, value: Any) -> float:
    """A number that float32 holds, rounded to it. Infinity and NaN are taken where they are given;
    what is finite stays so, and is not 0 or cut down to few digits where it was neither."""
    torch_tracking.refuse(name, value)
    number = _number(value)
    if number is None:
        raise TypeError(f"{name}: expected a number, given {told(value)}")
    try:
        held = c_float(float(number)).value
    except (OverflowError, ValueError):  # an integer of 1000 digits; a signalling NaN
        raise ValueError(_beyond(name, value)) from None
    if math.isinf(held) and number != held:
        raise ValueError(_beyond(name, value))
    if abs(held) < LEAST and number != held:
        raise ValueError(f"{name}: expected 0 or a number that float32 holds, from 1.2e-38 on, "
                         f"given {told(value)}")
    return held


def truth(name: str, value: Any) -> bool:
    if not _is_truth(value):
        raise TypeError(f"{name}: expected True or False, given {told(value)}")
    return bool(value)


def told(value: Any) -> str:
    """A value in a message, short."""
    if getattr(value, "ndim", 0) > 0:
        return f"{type(value).__name__} of shape {tuple(value.shape)}"
    if isinstance(value, int) and value.bit_length() > 128:  # Python prints no integer of any size
        return f"an integer of {value.bit_length()} bits"
    if value is None or isinstance(value, (int, float)):
        return repr(value)
    return f"{type(value).__name__} {reprlib.repr(value)}"


def _beyond(name: str, value: Any) -> str:
    return f"{name}: expected a number that float32 holds, up to 3.4e38, given {told(value)}"


def _bound(last: int) -> str:
    bits = last.bit_length()
    return f"2**{bits} - 1" if bits >= 32 and last == 2 ** bits - 1 else str(last)


def _is_truth(value: Any) -> bool:
    """True and False, of NumPy and torch, too."""
    return isinstance(value, bool) or (
        getattr(value, "ndim", None) == 0 and str(value.dtype) in ("bool", "torch.bool"))


def _index(value: Any) -> int | None:
    if hasattr(value, "mask"):  # what lies behind it is not meant
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _number(value: Any) -> Any:
    """A number that Python compares exactly: itself, or that of an array [] without a mask."""
    if _is_truth(value) or hasattr(value, "mask"):
        return None
    if getattr(value, "ndim", None) == 0:
        value = value.item() if getattr(value.dtype, "kind", "f") in "iuf" else None
    return value if isinstance(value, (Real, Decimal)) else None
