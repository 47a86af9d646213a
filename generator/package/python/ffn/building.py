"""Shared libraries from specs and vendored folders: ffngen, a C compiler, a cache of what they made.

Needs the standard library alone: the package's own build uses it before NumPy is there.
"""
from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[3] if len(HERE.parents) > 3 else HERE  # of ffngen, where the package is in it
FLAGS = ["-O2", "-fPIC", "-fvisibility=hidden", "-pthread"]


class BuildError(RuntimeError):
    """ffngen or the C compiler is missing, or refuses; the message is theirs."""


def _ffngen() -> list[str]:
    """The generator of the tree that this package lies in, else that of PATH."""
    if (TREE / "generator" / "main.lua").exists():
        return ["lua5.4", "-E", str(TREE / "generator" / "main.lua")]
    if shutil.which("ffngen"):
        return ["ffngen"]
    raise BuildError("no ffngen in PATH: install it (`ninja install` in its source), or load a "
                     "library that ffn.build() has made")


def _run(command: list[str], folder: str | Path | None = None) -> str:
    """What a command prints."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace")
    except OSError as error:
        raise BuildError(f"{command[0]}: {error.strerror}: is it installed?") from error
    if done.returncode != 0:
        raise BuildError((done.stderr + done.stdout).strip() or f"{command[0]} failed")
    return done.stdout


def ffngen_output(*arguments: str, folder: str | Path | None = None) -> str:
    """What ffngen prints."""
    return _run([*_ffngen(), *arguments], folder)


def is_text(source: str | os.PathLike[str]) -> bool:
    """Whether this is a spec itself, and not the path of something."""
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError("source: expected the path or the text of a spec, or the path of a folder "
                        f"or library, given {type(source).__name__}")
    return isinstance(source, str) and ("{" in source or "\n" in source)


def _vendor(source: str | os.PathLike[str], scratch: Path) -> Path:
    """The folder that ffngen writes for a spec."""
    folder, spec, where = scratch / "kernels", os.fspath(source), None
    if is_text(source):
        (scratch / "spec.lua").write_text(spec, encoding="utf-8")
        spec, where = "spec.lua", scratch  # so that an error says spec.lua:1
    elif not os.path.isfile(spec):
        raise FileNotFoundError(f"{spec}: no such spec, vendored folder or library")
    elif spec.startswith("-"):
        spec = "./" + spec
    ffngen_output("vendor", spec, "--threads", "pthreads", "--out", str(folder), folder=where)
    return folder


def _binding(folder: Path) -> tuple[str, str]:
    """binding.c in the prefix of a vendored folder, for its layers; and the prefix."""
    for header in sorted(folder.glob("*.h")):
        layers = re.findall(r"^const (\w+)_kernel \*\1_(\w+)\(void\);$",
                            header.read_text(encoding="utf-8"), re.MULTILINE)
        if layers:
            break
    else:
        raise BuildError(f"{folder}: no header of layers, as `ffngen vendor` writes it")
    prefix = layers[0][0]
    header_text = header.read_text(encoding="utf-8")
    if f"void {prefix}_reference(" not in header_text:
        raise BuildError(f"{folder}: vendored with --no-selfcheck, which leaves out the reference "
                         "that ffn takes: vendor it without")
    threads = f"{prefix}_parallel_pthreads.h"
    text = (HERE / "binding.c").read_text(encoding="utf-8")
    text = re.sub(r"\bffn(?=[_.])", prefix, text)
    text = re.sub(r"\bFFN(?=_)", prefix.upper(), text)
    text = text.replace('"parallel_pthreads.h"', f'"{threads}"')
    names = " ".join(f"X({name})" for _, name in layers)
    absent = int(not (folder / threads).exists())
    own = (folder / f"{prefix}_train.h").exists()
    trains = own or f"{prefix}_training_of(" in header_text
    outputs = int(f"{prefix}_outputs_of(" in header_text)
    return (f"#define PYFFN_LAYERS(X) {names}\n#define PYFFN_NO_THREADS {absent}\n"
            f"#define PYFFN_OUTPUTS {outputs}\n"
            f"#define PYFFN_TRAINS {int(trains)}\n#define PYFFN_TRAIN_HEADER {int(own)}\n{text}",
            prefix)


def _compile(folder: Path, binding: str, prefix: str, scratch: Path) -> Path:
    """The library of a vendored folder, as a new file in scratch."""
    (scratch / "pyffn.c").write_text(binding, encoding="utf-8")
    cc = _compiler()
    macros = [f"-D{prefix.upper()}_{name}" for name in ("NO_MAIN", "REFERENCE")]
    # By their names in the folder, lest the library tell where it was made.
    sources = [*sorted(path.name for path in folder.glob("*.c")), str(scratch / "pyffn.c")]
    objects = [str(scratch / f"{i}.o") for i in range(len(sources))]

    def compile_one(source: str, made: str) -> None:
        _run([*cc, *FLAGS, *macros, "-I.", "-c", source, "-o", made], folder)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(compile_one, sources, objects))
    made = scratch / "made.so"
    _run([*cc, *FLAGS, "-shared", *objects, "-lm", "-o", str(made)])
    return made


def _compiler() -> list[str]:
    return os.environ.get("CC", "cc").split() or ["cc"]


def _key(folder: Path, binding: str) -> str:
    """Of all that a library depends on: its sources, the compiler, how it is called."""
    digest = hashlib.sha256(binding.encode())
    for part in (_run([*_compiler(), "--version"]), *_compiler(), *FLAGS, os.uname().machine):
        digest.update(part.encode() + b"\0")
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".c", ".h", ".inc")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def _cache() -> Path:
    """$FFN_CACHE, or a folder of the user's."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    cache = Path(os.environ.get("FFN_CACHE") or os.path.join(home, "ffngen"))
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"{cache}: {error.strerror}: set FFN_CACHE to a folder for compiled "
                         "kernels") from error
    return cache


def cached(source: str | os.PathLike[str]) -> Path:
    """The library of a spec or vendored folder: made before, or now."""
    cache = _cache()
    with tempfile.TemporaryDirectory(prefix="ffngen-") as name:
        scratch = Path(name)
        folder = _folder(source, scratch)
        binding, prefix = _binding(folder)
        library = cache / f"{_key(folder, binding)}.so"
        if not library.exists():
            _place(_compile(folder, binding, prefix, scratch), library)
    return library


def build(source: str | os.PathLike[str], library: str | os.PathLike[str]) -> None:
    """Compiles a spec (its path, or its text) or a vendored folder into a shared library that
    ffn.load() takes, on machines without a compiler, too."""
    if not isinstance(library, (str, os.PathLike)):
        raise TypeError(f"library: expected a path, given {type(library).__name__}")
    with tempfile.TemporaryDirectory(prefix="ffngen-") as name:
        folder = _folder(source, Path(name))
        _place(_compile(folder, *_binding(folder), Path(name)), Path(library))


def _folder(source: str | os.PathLike[str], scratch: Path) -> Path:
    is_folder = not is_text(source) and os.path.isdir(source)
    return Path(source).resolve() if is_folder else _vendor(source, scratch)


def _place(made: Path, library: Path) -> None:
    """Moves a file to its place, whole at every moment, whoever else does so."""
    try:
        handle, beside = tempfile.mkstemp(dir=library.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(made.read_bytes())
            os.chmod(beside, 0o755)
            os.replace(beside, library)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise BuildError(f"{library}: {error.strerror}: nothing was written") from error
