"""A cache of the libraries that specs and vendored folders were compiled to."""
from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from . import building, index, machine
from .building import BuildError, Source


def cached(source: Source, anew: bool = False) -> Path:
    """The library of a spec or vendored folder: made before, or now. anew: now in any case, where
    the system does not load what was made before."""
    cache, name = _folder(), index.name_of(source)
    entry = cache / name if name else None
    known = index.found(entry) if entry and not anew else None
    if known and is_whole(str(cache / known)):
        return cache / known
    library = _made(source, cache, anew)
    # What was changed in the meantime is of no known library.
    if entry and index.name_of(source) == name:
        with contextlib.suppress(BuildError):
            building.place(index.text_of(entry, library.name), entry, is_library=False)
    return library


def _made(source: Source, cache: Path, anew: bool) -> Path:
    """A library whose sources were compiled before, or now."""
    isas = () if source.isa == "all" else machine.instruction_sets(machine.flags())
    with tempfile.TemporaryDirectory(prefix="ffngen-") as name:
        scratch = Path(name)
        folder = building.folder_of(source, scratch, isas)
        binding, prefix = building.binding_of(folder)
        key = building.key_of(folder, binding)
        for found in sorted(cache.glob(f"{key}-*.so")):
            if not anew and is_whole(str(found)):
                return found
            with contextlib.suppress(OSError):
                found.unlink()
        made = building.compiled(folder, binding, prefix, scratch).read_bytes()
    library = cache / _name(key, made)
    building.place(made, library)
    return library


def _name(key: str, library: bytes) -> str:
    """By what it was made from and what it holds, so that a damaged file has a name not its own."""
    return f"{key}-{hashlib.sha256(library).hexdigest()[:32]}.so"


def is_whole(path: str) -> bool:
    """Whether a library of a cache is there as it was made."""
    name = os.path.basename(path)
    try:
        return name == _name(name.partition("-")[0], Path(path).read_bytes())
    except OSError:
        return False


def _folder() -> Path:
    """$FFN_CACHE, or a folder of the user's."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    cache = Path(os.environ.get("FFN_CACHE") or os.path.join(home, "ffngen"))
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"{cache}: {error.strerror}: set FFN_CACHE to a folder for compiled "
                         "kernels") from error
    return cache
