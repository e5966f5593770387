"""Builds the compiled kernels; everything else about the package stands in pyproject.toml.

DND_BUILD=auto (default): compile where there is a compiler, else install the pure kernels only.
DND_BUILD=require: a machine that cannot compile is an error. DND_BUILD=pure: compile nothing.
A compiler that is there and fails is an error in every mode: a broken build must be seen.
DND_NATIVE=1 builds for this machine's own processor instead of any x86-64 since 2009.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup


def can_compile():
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    headers = Path(sysconfig.get_path("include"), "Python.h")
    # MSVC has no __builtin_popcountll; there the pure kernels serve.
    return sys.platform != "win32" and shutil.which(compiler) is not None and headers.exists()


def flags():
    if os.environ.get("DND_NATIVE") == "1":
        return ["-O3", "-march=native"]
    # popcnt is an instruction only from x86-64-v2 on; without it __builtin_popcountll is a library call.
    return ["-O3", "-march=x86-64-v2"] if sysconfig.get_platform().endswith("x86_64") else ["-O3"]


def extensions():
    mode = os.environ.get("DND_BUILD", "auto")
    if mode not in ("auto", "pure", "require"):
        sys.exit(f"DND_BUILD is auto, pure or require, not {mode!r}")
    if mode == "pure" or (mode == "auto" and not can_compile()):
        print("dnd: only the pure-Python kernels are installed", file=sys.stderr)
        return []
    from Cython.Build import cythonize

    sources = sorted(Path("dnd").glob("*/kernel/*_c.pyx"))
    modules = [
        Extension(
            ".".join(source.with_suffix("").parts),
            [str(source)],
            include_dirs=[str(source.parent)],
            depends=sorted(map(str, source.parent.glob("*.h"))),
            extra_compile_args=flags(),
        )
        for source in sources
    ]
    return cythonize(modules, build_dir="build/cython", language_level=3)


setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count()}})
