"""Which of two kernel twins runs: the compiled `x_c` or the pure `x_py`.

`DND_KERNEL` (or the `kernel` argument, which wins) is `auto`, `c` or `py`. `auto` takes the compiled twin
where it was built and the pure one where it was not. A forced choice never falls back, and a compiled
twin that is there but broken is an error in every mode: only "there is no such module" counts as not built.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, Protocol

KERNELS = ("auto", "c", "py")


class Kernel(Protocol):
    """A kernel, which is a module."""

    __name__: str


class KernelError(RuntimeError):
    """The kernel asked for does not exist or was not built."""


# Cached, environment included: a choice is made once in a process, and a call of a solver takes microseconds.
@cache
def kernel_module(family: str, kernel: str | None = None) -> ModuleType:
    """The twin of `family` (such as "dnd.dungeon.kernel.search") to use. Raises `KernelError`."""
    kernel = kernel or os.environ.get("DND_KERNEL") or "auto"
    if kernel not in KERNELS:
        raise KernelError(f"there is no kernel {kernel!r}; the kernels are {', '.join(KERNELS)}")
    if kernel != "py":
        try:
            # Not `from package import name`: that cannot tell a missing module from a broken one.
            return importlib.import_module(f"{family}_c")
        except ModuleNotFoundError as error:
            if error.name != f"{family}_c":
                raise
            if kernel == "c":
                message = f"the compiled kernel {family}_c was asked for, but it is not built"
                raise KernelError(message) from None
    return importlib.import_module(f"{family}_py")


def kernel_name(module: Kernel) -> str:
    """The twin a module is: "c" or "py"."""
    return module.__name__.rpartition("_")[2]


def loader(package: str) -> Callable[..., Any]:  # packages of kernels say what each family has
    """The chooser of a game's kernels: `load(name, kernel=None)` is the twin of `package.name` to use."""

    def load(name: str, kernel: str | None = None) -> ModuleType:
        return kernel_module(f"{package}.{name}", kernel)

    return load
