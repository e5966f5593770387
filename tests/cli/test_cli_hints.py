"""Exit codes of `hint`, and what `explain` says where its steps lead no further; over the three games."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Cli
from dnd.dungeon import explainer as dungeon
from dnd.game import game
from dnd.pegs import explainer as pegs
from dnd.pegs.solver import UNDECIDED
from dnd.suguru import explainer as suguru

EASY = "22:22:2/2"
NONE = "00:11:2/2"  # no solution, and the techniques see it
HIDDEN_NONE = "...34.:.32...:1m4/6/6/3m2/6/m5"  # no solution, and they do not
MANY = "....:....:4/4/4/4"
SUGURU_MANY = "3x1:AAA:2.."
LOST = "5x1/o.o.o"


@pytest.mark.parametrize(
    ("name", "negative"),
    [
        ("dungeon", (dungeon.IMPOSSIBLE, dungeon.WRONG, dungeon.HORIZON)),
        ("suguru", (suguru.IMPOSSIBLE, suguru.WRONG, suguru.HORIZON)),
        ("pegs", (pegs.ILLEGAL, pegs.LOST, UNDECIDED)),
    ],
)
def test_negative_hints_are_those_of_the_explainers(name: str, negative: tuple[str, ...]) -> None:
    explainer = game(name).explainer
    assert explainer is not None
    assert negative == explainer.NEGATIVE


@pytest.mark.parametrize(
    ("puzzle", "code", "words"),
    [
        (EASY, 0, "row 1 still needs 2 walls"),
        ("22:22:ww/ww", 0, "every cell is decided, and all is right"),
        (NONE, 1, "row 1 has room for 0 walls only"),
        (HIDDEN_NONE, 1, "there is no solution"),
        (MANY, 1, "several solutions"),
        ("22:22:fw/2", 1, "r1c1 cannot be open"),
        ("3x1:AAA:2.3", 0, "must be 1"),
        (SUGURU_MANY, 1, "several solutions"),
        ("3x1:ABC:...", 1, "r1c"),
        ("3x1/oo.", 0, "jump from r1c1"),
        ("3x1/..o", 0, "the game is won"),
        (LOST, 1, "the game is lost"),
    ],
)
def test_hint_exits_1_where_there_is_no_way_on(cli: Cli, puzzle: str, code: int, words: str) -> None:
    done = cli("hint", puzzle)
    assert (done.code, done.err) == (code, "")
    assert words in done.out
    assert cli("hint", "--json", puzzle).code == code


def test_hint_exits_1_where_the_board_is_wrong(cli: Cli, root: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(".#\n##\n")
    assert cli("hint", EASY, "--board", board).code == 1
    board.write_text("r1c1 up\n")
    done = cli("hint", root / "fixtures/pegs/english.peg", "--board", board)
    assert done.code == 1, done.out + done.err


def test_of_several_hints_one_no_is_enough(cli: Cli) -> None:
    """The first steps of a puzzle with several solutions hold; where they end there is no way on."""
    puzzle = "...0:....:4/4/4/4"
    assert cli("hint", puzzle).code == 0
    assert cli("hint", puzzle, "-n", "99").code == 1
    assert cli("hint", EASY, NONE).code == 1
    assert cli("hint", EASY, EASY).code == 0
    assert cli("hint", EASY, "nothing").code == 2


@pytest.mark.parametrize(
    ("puzzle", "technique", "words"),
    [
        (MANY, dungeon.HORIZON, "the puzzle has several solutions, and they agree on no cell that is still unknown"),
        (
            SUGURU_MANY,
            suguru.HORIZON,
            "the puzzle has several solutions, and they agree on no cell that is still empty",
        ),
        (HIDDEN_NONE, dungeon.IMPOSSIBLE, "trying everything shows that there is no solution"),
    ],
)
def test_explain_says_why_the_steps_lead_no_further(cli: Cli, puzzle: str, technique: str, words: str) -> None:
    done = cli("explain", puzzle)
    assert done.code == 1
    assert done.out.splitlines()[-2].endswith(f": {words}")
    marked = cli("explain", "--markdown", puzzle)
    assert marked.code == 1
    assert marked.out.rstrip().endswith(f": {words}*")
    (told,) = cli("explain", "--json", puzzle).json
    assert told["beyond"]["technique"] == technique
    assert told["beyond"]["sentence"] == words
    # The same as a player is told who has come so far.
    (*_, last) = cli("hint", "--json", "-n", "99", puzzle).json
    assert last["sentence"] == words


@pytest.mark.parametrize("puzzle", [EASY, NONE, "3x1:AAA:2.3", "3x1/oo.", LOST])
def test_explain_has_nothing_to_add_where_the_steps_reach_an_end(cli: Cli, puzzle: str) -> None:
    (told,) = cli("explain", "--json", puzzle).json
    assert told["beyond"] is None
    assert "lead no further" not in cli("explain", puzzle).out
