"""This machine's CPU: what its system says that it allows, and which instruction sets these are."""
from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable

# By rank, the highest first; as isa/ has them for CPUID. Systems tell what they save, too.
_X86 = (
    (("avx512_vnni", "avx512"), {"avx512_vnni", "avx512bw", "avx512vl", "avx512f", "avx2", "fma"}),
    (("avx512",), {"avx512f", "avx2", "fma"}),
    (("avx_vnni", "avx2"), {"avx_vnni", "avx2", "fma", "f16c"}),
    (("avx2",), {"avx2", "fma", "f16c"}),
)
# The same of AArch64: what Linux tells, and what macOS does.
_ARM = (
    (("neon_i8mm", "neon"), {"asimddp", "i8mm"}),
    (("neon_dotprod", "neon"), {"asimddp"}),
)
_MACOS = {"asimddp": "hw.optional.arm.feat_dotprod:", "i8mm": "hw.optional.arm.feat_i8mm:"}


def flags() -> tuple[str, ...]:
    """What the system tells of the CPU, in the order in which it does; (): nothing."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            for line in file:  # of the first CPU; others are not waited for
                name, _, said = line.partition(":")
                if name.strip() in ("flags", "Features"):
                    return tuple(said.split())
    except OSError:
        pass
    try:
        said = subprocess.run(["sysctl", "machdep.cpu", "hw.optional"], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, errors="replace").stdout
    except OSError:
        return ()
    return tuple(said.lower().split())


def instruction_sets(told: Iterable[str]) -> tuple[str, ...]:
    """Those whose kernels this CPU would take, of what flags() tells; (): it does not say."""
    told = tuple(told)
    machine, known = os.uname().machine, set(told)
    if machine in ("aarch64", "arm64"):
        said = set(zip(told, told[1:]))
        known |= {name for name, of_macos in _MACOS.items() if (of_macos, "1") in said}
        return next((names for names, needed in _ARM if needed <= known), ("neon",))
    if machine not in ("x86_64", "i686", "i386") or not known:
        return ()
    return next((names for names, needed in _X86 if needed <= known), ("c",))
