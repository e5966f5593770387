"""The chooser of peg solitaire's kernels: `search` (beam, depth first, the seed's), `levels` (exact), `moves` (few)."""

from __future__ import annotations

from types import ModuleType

from dnd.chooser import kernel_module


def load(name: str, kernel: str | None = None) -> ModuleType:
    """The kernel `name`, compiled or pure (`dnd.chooser`)."""
    return kernel_module(f"{__name__}.{name}", kernel)
