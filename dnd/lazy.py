"""Lazy imports: a package's modules are imported on first use, so that importing the package itself is cheap."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping


def lazily(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package.

    homes: for each module of the package, the names defined there. Names listed under "" are modules themselves.
    mypy and editors do not see such names, so the package imports them under `TYPE_CHECKING` too.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    values = vars(sys.modules[package])

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home := home_of[name]:
            value = getattr(importlib.import_module(f"{package}.{home}"), name)
        else:
            value = importlib.import_module(f"{package}.{name}")
        values[name] = value
        return value

    return sorted(home_of), get, lambda: sorted({*values, *home_of})
