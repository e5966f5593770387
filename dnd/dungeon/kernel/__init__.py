"""The dungeon's kernels: `reference` (the course), `search` (up to 64 cells), `clause_learning` (beyond), `logic`,
`generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnd.kernels import loader

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence
    from types import ModuleType
    from typing import Literal, Protocol, overload

    from dnd.dungeon.kernel import clause_learning_py, generate_py, logic_py, search_py
    from dnd.dungeon.kernel.generate_py import Described
    from dnd.dungeon.kernel.logic_py import Conclusions
    from dnd.dungeon.state import Clues
    from dnd.kernels import Kernel

    # What mypy knows of the families; the pure twins show what the arguments are.

    class Exact(Kernel, Protocol):
        """`search` and `clause_learning`."""

        def solve(
            self,
            height: int,
            width: int,
            rows: Clues,
            columns: Clues,
            monsters: int,
            treasures: int,
            walls: int,
            floors: int,
            limit: int,
            max_nodes: int,
            stop: bytearray | None,
            /,
        ) -> tuple[tuple[int, ...], int, bool]: ...

        def count(
            self,
            height: int,
            width: int,
            rows: Clues,
            columns: Clues,
            monsters: int,
            treasures: int,
            walls: int,
            floors: int,
            limit: int,
            max_nodes: int,
            stop: bytearray | None,
            /,
        ) -> tuple[int, int, bool]: ...

    class Search(Exact, Protocol):
        def solve_batch(
            self,
            height: int,
            width: int,
            clues: Sequence[int],
            monsters: Sequence[int],
            treasures: Sequence[int],
            limit: int,
            max_nodes: int,
            counts: MutableSequence[int],
            solutions: MutableSequence[int],
            nodes: MutableSequence[int],
            complete: MutableSequence[int],
            stop: bytearray | None,
            /,
        ) -> int: ...

    class Logic(Kernel, Protocol):
        def rounds(
            self,
            height: int,
            width: int,
            rows: Clues,
            columns: Clues,
            monsters: int,
            treasures: int,
            walls: int,
            floors: int,
            hardest: int,
            /,
        ) -> tuple[tuple[tuple[int, int, int], ...], int]: ...

        def easy(
            self,
            height: int,
            width: int,
            rows: Clues,
            columns: Clues,
            monsters: int,
            treasures: int,
            walls: int,
            floors: int,
            /,
        ) -> tuple[Conclusions, ...]: ...

        def agreement(
            self,
            height: int,
            width: int,
            rows: Clues,
            columns: Clues,
            monsters: int,
            walls: int,
            floors: int,
            awake: int,
            first: int,
            second: int,
            /,
        ) -> Conclusions: ...

    class Generate(Kernel, Protocol):
        def layout(
            self,
            height: int,
            width: int,
            symmetry: int,
            seed: int,
            rooms: tuple[int, ...],
            walls: tuple[int, ...],
            ends: tuple[int, ...],
            loops: tuple[int, ...],
            blocks: tuple[int, ...],
            /,
        ) -> Described | tuple[()]: ...

    class Load(Protocol):
        @overload
        def __call__(self, name: Literal["search"], kernel: str | None = None) -> Search: ...
        @overload
        def __call__(self, name: Literal["clause_learning"], kernel: str | None = None) -> Exact: ...
        @overload
        def __call__(self, name: Literal["logic"], kernel: str | None = None) -> Logic: ...
        @overload
        def __call__(self, name: Literal["generate"], kernel: str | None = None) -> Generate: ...
        @overload
        def __call__(self, name: Literal["reference"], kernel: str | None = None) -> ModuleType: ...

    _pure: tuple[Search, Exact, Logic, Generate] = (search_py, clause_learning_py, logic_py, generate_py)

load: Load = loader(__name__)
