"""Entry points by which other packages add games (`dnd.games`) and rules (`dnd.rules`, `dnd.suguru.rules`, ...)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def plug_ins(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group; `.load()` imports what they name."""
    # Imported here: it takes as long as all of `dnd`, and solving does not need it.
    from importlib import metadata

    return metadata.entry_points(group=group)
