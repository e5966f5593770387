"""`python -m dnd.testing.call module:function GAME`: a solver function as a program.

Reads a puzzle (a DDN line) on standard input, calls the function with it and writes the boards that it returns or
yields, a DDN line each. What the function itself prints goes to standard error.
"""

from __future__ import annotations

import importlib
import os
import sys

from dnd.diagnostic import InputError
from dnd.game import game


def main(spec: str, game_name: str) -> None:
    """Call the function `spec` and write its boards."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # below Python, so that the printing of compiled code is caught too
    room = game(game_name)
    if room.testing is None:
        raise ValueError(f"the game {game_name!r} has no tests for solvers")
    entry = next(iter(room.notation.read(sys.stdin.buffer.read(), room.notation.LINE_FORMATS[0], "")))
    module, _, name = spec.partition(":")
    function = getattr(importlib.import_module(module), name)
    with output:
        try:
            for board in room.testing.boards(entry.puzzle, function(entry.puzzle)):
                print(room.one_line(entry.puzzle, board), file=output, flush=True)
        except InputError as error:
            sys.exit(f"not a board of this puzzle: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
