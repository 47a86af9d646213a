"""A shared library of build(), opened, or refused by its path."""
from __future__ import annotations

import ctypes
import os
import struct
import tempfile
from pathlib import Path

_known: dict[str, tuple[int, int]] = {}  # files that the loader has, by the path that it was given


class Unloadable(ValueError):
    """A file that is damaged, or no library for this system."""


def opened(path: str) -> ctypes.CDLL:
    try:
        if _is_cut(path):  # the loader would map it, and die at what is not there
            raise OSError("it is cut short")
        return _opened(path)
    except OSError as error:
        said = str(error).replace(f"{path}: ", "")
        raise Unloadable(f"{path}: the library is damaged, or not for this system ({said}): "
                         "make the library again with ffn.build()") from None


def _opened(path: str) -> ctypes.CDLL:
    """The file that is there now. Loaders know files by their paths, and give what lay at a path
    when they first saw it; another name makes them look."""
    found = os.stat(path)
    if _known.setdefault(path, (found.st_dev, found.st_ino)) == (found.st_dev, found.st_ino):
        return ctypes.CDLL(path)
    with tempfile.TemporaryDirectory(prefix="ffngen-") as folder:
        link = os.path.join(folder, os.path.basename(path))
        os.symlink(path, link)
        return ctypes.CDLL(link)


def _is_cut(path: str) -> bool:
    """Whether an ELF file ends before the table of its sections, which linkers put last. Other
    systems' loaders see it themselves."""
    with Path(path).open("rb") as file:
        head = file.read(64)
        size = os.fstat(file.fileno()).st_size
    if head[:4] != b"\x7fELF" or len(head) < 64:
        return False
    order = "<" if head[5] == 1 else ">"
    wide = head[4] == 2
    table = struct.unpack_from(order + ("Q" if wide else "I"), head, 40 if wide else 32)[0]
    entry_bytes, entries = struct.unpack_from(order + "HH", head, 58 if wide else 46)
    return bool(table + entry_bytes * entries > size)
