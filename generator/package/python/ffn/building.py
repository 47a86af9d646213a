"""Shared libraries from specs and vendored folders, by ffngen and a C compiler.

Needs the standard library alone: the package's own build uses it before NumPy is there.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

try:
    import fcntl
except ImportError:  # no Unix
    fcntl = None  # type: ignore[assignment]

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[3] if len(HERE.parents) > 3 else HERE  # of ffngen, where the package is in it
# What C would assert is refused here by name before, and an assert would end all of Python.
VENDOR_OPTIONS = ["--threads", "pthreads", "--file"]  # of folders that are made here
FLAGS = ["-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-pthread"]
_LIBRARY = r"\.so(\.\d+)*$"  # net.so, libnet.so.1; not net.so.lua


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


def tree() -> Path | None:
    """Where the files of this generator are; None: it is started in a way that does not say."""
    if (TREE / "generator" / "main.lua").exists():
        return TREE
    launcher = shutil.which("ffngen")
    here = Path(launcher).resolve().parent if launcher else None
    places = [here, (here / "../share/ffngen").resolve()] if here else []
    return next((place for place in places if (place / "generator" / "main.lua").exists()), None)


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


class Source(NamedTuple):
    """What layers are made from: the "text" of a spec, or the path of a "spec", of a "folder" that
    was vendored or of a "library"."""
    kind: str
    text: str  # or the path
    isa: str = ""  # of a spec: "all" instruction sets, or "" for those that this CPU takes


def source_of(given: Any) -> Source:
    expected = ("source: expected the path or the text of a spec, or the path of a folder or "
                f"library, given {type(given).__name__}")
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(expected)
    text = os.fsdecode(given)
    if not text:
        raise ValueError(f"{expected} ''")
    if os.path.isdir(text):
        return Source("folder", text)
    if os.path.isfile(text):
        return Source("library" if _is_library(text) else "spec", text)
    if isinstance(given, str) and ("\n" in text or re.search(r"""["'\]].*{""", text)):
        return Source("text", text)  # a layer has a name in quotes, and fields
    return Source("library" if re.search(_LIBRARY, text) else "spec", text)


def _is_library(path: str) -> bool:
    """By its name, lest a damaged one be read as a spec, or by how it begins."""
    with open(path, "rb") as file:
        begins = file.read(4)
    return bool(re.search(_LIBRARY, path)) or begins in (b"\x7fELF", b"\xcf\xfa\xed\xfe")


def folder_of(source: Source, scratch: Path, isas: Sequence[str] = ()) -> Path:
    """The vendored folder that a source is, or that ffngen writes for a spec: of these instruction
    sets, or of all where a layer has no kernel for them."""
    if source.kind == "folder":
        return Path(source.text).resolve()
    folder, spec, where = scratch / "kernels", source.text, None
    if source.kind == "text":
        (scratch / "spec.lua").write_bytes(os.fsencode(spec))
        spec, where = "spec.lua", scratch  # so that an error says spec.lua:1
    elif source.kind == "library":
        raise ValueError(f"{spec}: a library, where a spec or a vendored folder is expected")
    elif not os.path.isfile(spec):
        raise FileNotFoundError(f"{spec}: there is no such spec, vendored folder or library")
    elif spec.startswith("-"):
        spec = "./" + spec
    words = ["vendor", spec, *VENDOR_OPTIONS, "--out", str(folder)]
    if isas:
        with contextlib.suppress(BuildError):  # whose message is that of all, if there is one
            ffngen_output(*words, "--isa", ",".join(isas), folder=where)
            return folder
    ffngen_output(*words, folder=where)
    return folder


def binding_of(folder: Path) -> tuple[str, str]:
    """binding.c in the prefix of a vendored folder, for its layers; and the prefix."""
    for header in sorted(folder.glob("*.h")):
        declared = header.read_text(encoding="utf-8")
        layers = re.findall(r"^const (\w+)_kernel \*\1_(\w+)\(void\);$", declared, re.MULTILINE)
        if layers:
            break
    else:
        raise BuildError(f"{folder}: no header of layers, as `ffngen vendor` writes it")
    prefix = layers[0][0]
    if f"void {prefix}_reference(" not in declared:
        raise BuildError(f"{folder}: vendored with --no-selfcheck, which leaves out the reference "
                         "that ffn takes: vendor it without")
    packed = re.findall(r"^const void \*(\w+)\(void\);$", declared, re.MULTILINE)
    threads = f"{prefix}_parallel_pthreads.h"
    text = (HERE / "binding.c").read_text(encoding="utf-8")
    moes = folder / f"{prefix}_moes.h"
    mixtures = re.findall(rf"^static const {prefix}_moe {prefix}_moe_(\w+) = {{$",
                          moes.read_text(encoding="utf-8") if moes.exists() else declared,
                          re.MULTILINE)
    if mixtures:
        text += (HERE / "binding_moe.c").read_text(encoding="utf-8")
        text = text.replace('"moes.h"', f'"{moes.name}"')
    text = re.sub(r"\bffn(?=[_.])", prefix, text)
    text = re.sub(r"\bFFN(?=_)", prefix.upper(), text)
    text = text.replace('"parallel_pthreads.h"', f'"{threads}"')
    calls = ((name, f"{prefix}_{name}_packed") for _, name in layers)
    names = " ".join(f"X({name}, {call if call in packed else 'NULL'})" for name, call in calls)
    absent = int(not (folder / threads).exists())
    own = (folder / f"{prefix}_train.h").exists()
    trains = own or f"{prefix}_training_of(" in declared
    outputs = int(f"{prefix}_outputs_of(" in declared)
    files = (folder / f"{prefix}_file.h").exists()
    return (f"#define PYFFN_LAYERS(X) {names}\n#define PYFFN_NO_THREADS {absent}\n"
            f"#define PYFFN_OUTPUTS {outputs}\n#define PYFFN_FILE_HEADER {int(files)}\n"
            f"#define PYFFN_FILE {int(files or f'{prefix}_file_open(' in declared)}\n"
            f"#define PYFFN_MIXTURE_HEADER {int(moes.exists())}\n"
            f"#define PYFFN_MIXTURES(X) {' '.join(f'X({name})' for name in mixtures)}\n"
            f"#define PYFFN_TRAINS {int(trains)}\n#define PYFFN_TRAIN_HEADER {int(own)}\n{text}",
            prefix)


def compiled(folder: Path, binding: str, prefix: str, scratch: Path) -> Path:
    """The library of a vendored folder, as a new file in scratch."""
    (scratch / "pyffn.c").write_text(binding, encoding="utf-8")
    cc = compiler()
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


def compiler() -> list[str]:
    return os.environ.get("CC", "cc").split() or ["cc"]


def key_of(folder: Path, binding: str) -> str:
    """Of all that a library depends on: its sources, the compiler, how it is called."""
    digest = hashlib.sha256(binding.encode())
    for part in (_run([*compiler(), "--version"]), *compiler(), *FLAGS, os.uname().machine):
        digest.update(part.encode() + b"\0")
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".c", ".h", ".inc")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def build(source: str | os.PathLike[str], library: str | os.PathLike[str]) -> None:
    """Compiles a spec (its path, or its text) or a vendored folder into a shared library that
    ffn.load() takes, on machines without a compiler, too."""
    if not isinstance(library, (str, os.PathLike)):
        raise TypeError(f"library: expected a path, given {type(library).__name__}")
    place_of = Path(os.fsdecode(library))
    made_from = source_of(source)
    try:
        _refuse_other(place_of)
    except OSError as error:
        raise BuildError(f"{place_of}: {error.strerror}: nothing was written") from error
    with tempfile.TemporaryDirectory(prefix="ffngen-") as name:
        folder = folder_of(made_from, Path(name))
        made = compiled(folder, *binding_of(folder), Path(name))
        place(made.read_bytes(), place_of)


def place(made: bytes, library: Path, is_library: bool = True) -> None:
    """A file in its place, whole at every moment, whoever else writes it, power cuts included. A
    library takes the place of a library alone, and what dead runs left beside it goes."""
    try:
        if is_library:
            _refuse_other(library)
        _clean(library.parent)
        handle, beside = _unfinished(library.parent)
        with os.fdopen(handle, "wb") as out:  # held until it is in its place
            try:
                out.write(made)
                out.flush()
                os.fsync(handle)
                if is_library:
                    os.chmod(beside, 0o755)
                    _refuse_other(library)
                os.replace(beside, library)
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(beside)
                raise
        _sync_folder(library.parent)
    except OSError as error:
        raise BuildError(f"{library}: {error.strerror}: nothing was written") from error


_UNFINISHED = ".ffn-new-"  # what such files' names begin with
_HEADS = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # of ELF and Mach-O libraries
_OWN_SYMBOL = b"pyffn_layer_at\0"  # of binding.c: every library of ffn.build() exports it


def _refuse_other(library: Path) -> None:
    """Nothing but a library of ffn.build() is written over: no link, no device, no other file."""
    try:
        mode = os.lstat(library).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise BuildError(f"{library}: it is a symbolic link, which ffn does not follow: name the "
                         "file itself")
    if not stat.S_ISREG(mode):
        raise BuildError(f"{library}: it is not a regular file: choose another name")
    text = library.read_bytes()
    if text[:4] not in _HEADS or _OWN_SYMBOL not in text:
        raise BuildError(f"{library}: ffn.build() did not make this file: move the file, or "
                         "choose another name")


def _hold(handle: int) -> None:
    """Takes the lock that says that a file is held, and that the system takes back however its
    holder ends."""
    if fcntl is None:
        raise OSError("no locks here")
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unfinished(folder: Path) -> tuple[int, str]:
    """A file that is held. Who cleans may be faster than the lock: then there is another one."""
    while True:
        handle, path = tempfile.mkstemp(dir=folder, prefix=_UNFINISHED)
        try:
            _hold(handle)
        except BlockingIOError:
            os.close(handle)
            continue
        except OSError:  # no locks: nobody cleans there
            return handle, path
        if os.fstat(handle).st_nlink > 0:
            return handle, path
        os.close(handle)


def _clean(folder: Path) -> None:
    """Removes what runs left that were killed: files that nobody holds."""
    for path in folder.glob(_UNFINISHED + "*"):
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if stat.S_ISREG(os.fstat(handle).st_mode):
                    _hold(handle)
                    os.unlink(path)
            finally:
                os.close(handle)


def _sync_folder(folder: Path) -> None:
    """The name, too. Some systems sync no folder: the file is whole there, or not at all."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
