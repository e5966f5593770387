"""Suguru's kernel: `search`, the exact engine, for grids of any shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnd.kernels import loader

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence
    from typing import Literal, Protocol

    from dnd.kernels import Kernel
    from dnd.suguru.kernel import search_py

    class Search(Kernel, Protocol):
        """What mypy knows of the family; the pure twin shows what the arguments are."""

        def solve(
            self,
            height: int,
            width: int,
            cages: Sequence[int],
            givens: Sequence[int],
            limit: int,
            max_nodes: int,
            stop: bytearray | None,
            /,
        ) -> tuple[tuple[bytes, ...], int, bool]: ...

        def count(
            self,
            height: int,
            width: int,
            cages: Sequence[int],
            givens: Sequence[int],
            limit: int,
            max_nodes: int,
            stop: bytearray | None,
            /,
        ) -> tuple[int, int, bool]: ...

        def solve_batch(
            self,
            height: int,
            width: int,
            cages: Sequence[int],
            givens: Sequence[int],
            limit: int,
            max_nodes: int,
            counts: MutableSequence[int],
            solutions: bytearray,
            nodes: MutableSequence[int],
            complete: MutableSequence[int],
            stop: bytearray | None,
            /,
        ) -> int: ...

    class Load(Protocol):
        def __call__(self, name: Literal["search"], kernel: str | None = None) -> Search: ...

    _pure: Search = search_py

load: Load = loader(__name__)
