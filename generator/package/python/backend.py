"""Builds the wheel (PEP 517): the package, and the kernels of $FFN_SPEC, compiled.

No build tool is needed, so `pip install .` works where nothing can be downloaded.
"""
from __future__ import annotations

import base64
import hashlib
import os
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import building

HERE = Path(__file__).resolve().parent
METADATA = """Metadata-Version: 2.1
Name: ffngen
Version: {version}
Summary: Feed-forward layers by kernels of fixed sizes, for NumPy and PyTorch
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy

{page}"""
WHEEL = """Wheel-Version: 1.0
Generator: ffngen {version}
Root-Is-Purelib: false
Tag: {tag}
"""


def build_sdist(sdist_directory: str, config_settings: dict | None = None) -> str:
    raise RuntimeError("the package is built in ffngen's tree: there is no source distribution")


def build_wheel(wheel_directory: str, config_settings: dict | None = None,
                metadata_directory: str | None = None) -> str:
    version = building.ffngen_output("--version").split()[1].rstrip(",")
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info, fields = f"ffngen-{version}.dist-info", {"version": version, "tag": tag}
    files = {path.relative_to(HERE).as_posix(): path.read_bytes()
             for path in sorted((HERE / "ffn").rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts}
    names = building.TREE / "generator" / "tensors" / "names.json"
    files["ffn/tensors/names.json"] = names.read_bytes()
    files["ffn/kernels.so"] = _kernels(_spec(config_settings or {}))
    page = (HERE / "README.md").read_text(encoding="utf-8")
    files[f"{info}/METADATA"] = METADATA.format(page=page, **fields).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(**fields).encode()
    files[f"{info}/LICENSE"] = _license()
    record = "".join(_recorded(path, data) for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"ffngen-{version}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return name


def _spec(settings: dict) -> Path:
    """Whose kernels the wheel holds: this project's lessons, if nobody says."""
    named = settings.get("spec") or os.environ.get("FFN_SPEC")
    if named and not os.path.isabs(named):
        raise RuntimeError(f"the spec must be an absolute path, not {named}")
    return Path(named) if named else building.TREE / "generator" / "specs" / "lessons.lua"


def _kernels(spec: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "kernels.so"
        building.build(spec, library)
        return library.read_bytes()


def _license() -> bytes:
    """Of the source tree, or of an installation."""
    places = [building.TREE / "LICENSE", building.TREE / "../doc/ffngen/LICENSE"]
    return next(place for place in places if place.exists()).read_bytes()


def _recorded(path: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"
