"""Which library of a cache a spec led to: found by all that it was made from, without ffngen.

A file of an index is named by a hash of the spec's text, of how it is compiled, and of the sizes
and times of the files of ffngen, of this package and of the compiler. Of an installed ffngen the
list of its files with their checksums, which was made then, stands for these. A file of an index
holds the library's name.
"""
from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from . import building, machine
from .building import Source

_LIBRARY = re.compile(r"([0-9a-f]{32}-[0-9a-f]{32}\.so) ([0-9a-f]{64})\n")


def name_of(source: Source) -> str | None:
    """The name of a spec's file in an index; None: what it depends on is not to be seen."""
    tree = building.tree()
    if tree is None or source.kind not in ("spec", "text"):
        return None
    try:
        spec = Path(source.text).read_bytes() if source.kind == "spec" else os.fsencode(source.text)
        installed = _installed(tree)
        files = sorted(_files(tree, installed is not None))
    except OSError:
        return None
    parts = (spec, source.isa, building.VENDOR_OPTIONS, building.FLAGS, str(tree), installed,
             files, _compiler(), os.uname().sysname, os.uname().machine, machine.flags())
    return hashlib.sha256(repr(parts).encode()).hexdigest() + ".index"


def found(path: Path) -> str | None:
    """The name of the library that a file of an index holds; None: it is not there, or damaged."""
    try:
        held = _LIBRARY.fullmatch(path.read_bytes().decode("ascii", "replace"))
    except OSError:
        return None
    return held[1] if held and held[2] == _check(path, held[1]) else None


def text_of(path: Path, library: str) -> bytes:
    """What found() reads."""
    return f"{library} {_check(path, library)}\n".encode()


def _check(path: Path, library: str) -> str:
    """So that no other file's text is taken for this one's."""
    return hashlib.sha256(f"{path.name} {library}".encode()).hexdigest()


def _installed(tree: Path) -> str | None:
    """The number of an installation, a hash of the list that `ninja install` wrote; else None."""
    try:
        return hashlib.sha256((tree / "manifest").read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def _files(tree: Path, is_listed: bool) -> Iterator[tuple[str, int, int]]:
    """Each file that decides on a library: its path, size and time. is_listed: but those of the
    tree, whose number tells them."""
    inside = [str(tree / name) for name in ("generator", "runtime", "templates")]
    package = str(building.HERE)
    roots = [] if is_listed else inside
    if not package.startswith(inside[0] + os.sep):
        roots.append(package)
    while roots:
        with os.scandir(roots.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        roots.append(entry.path)
                else:
                    about = entry.stat()
                    yield entry.path, about.st_size, about.st_mtime_ns


def _compiler() -> list[tuple[str, object]]:
    """The words of CC, and of each that names a program which one it is."""
    words: list[tuple[str, object]] = []
    for word in building.compiler():
        path = None if word.startswith("-") else shutil.which(word)
        about = os.stat(path) if path else None
        words.append((word, path and about
                      and (os.path.realpath(path), about.st_size, about.st_mtime_ns)))
    return words
