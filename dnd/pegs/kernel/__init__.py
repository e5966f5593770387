"""Peg solitaire's kernels: `search` (beam, depth first, the seed's), `levels` (exact), `moves` (few)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnd.kernels import loader

if TYPE_CHECKING:
    from typing import Literal, Protocol, overload

    from dnd.kernels import Kernel
    from dnd.pegs.draw import Jump
    from dnd.pegs.kernel import levels_py, moves_py, search_py

    # What mypy knows of the families; the pure twins show what the arguments are.

    Stop = bytearray | None
    Found = tuple[int, tuple[Jump, ...], int]

    class Search(Kernel, Protocol):
        def reference(self, height: int, width: int, cells: int, pegs: int, max_nodes: int, stop: Stop, /) -> Found: ...

        def beam(
            self,
            height: int,
            width: int,
            cells: int,
            pegs: int,
            finals: int,
            size: int,
            score: int,
            seed: int,
            stop: Stop,
            /,
        ) -> Found: ...

        def search(
            self, height: int, width: int, cells: int, pegs: int, finals: int, max_positions: int, stop: Stop, /
        ) -> Found: ...

    class Levels(Kernel, Protocol):
        MOST_CELLS: int

        def decide(
            self, height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop, /
        ) -> Found: ...

        def winning(
            self, height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop, /
        ) -> tuple[tuple[int, ...], bool]: ...

        def positions(
            self, height: int, width: int, cells: int, pegs: int, memory: int, stop: Stop, /
        ) -> tuple[tuple[int, ...], bool]: ...

        def count(
            self, height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop, /
        ) -> tuple[int, tuple[int, ...], bool]: ...

        def games(
            self, height: int, width: int, cells: int, pegs: int, memory: int, stop: Stop, /
        ) -> tuple[int, bool]: ...

        def fewest(
            self, height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop, /
        ) -> Found: ...

    class Moves(Kernel, Protocol):
        def few(
            self,
            height: int,
            width: int,
            cells: int,
            pegs: int,
            finals: int,
            size: int,
            weight: int,
            seed: int,
            stop: Stop,
            /,
        ) -> Found: ...

    class Load(Protocol):
        @overload
        def __call__(self, name: Literal["search"], kernel: str | None = None) -> Search: ...
        @overload
        def __call__(self, name: Literal["levels"], kernel: str | None = None) -> Levels: ...
        @overload
        def __call__(self, name: Literal["moves"], kernel: str | None = None) -> Moves: ...

    _pure: tuple[Search, Levels, Moves] = (search_py, levels_py, moves_py)

load: Load = loader(__name__)
