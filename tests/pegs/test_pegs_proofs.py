"""Proofs of impossibility against exhaustion, against solvable boards, and against forgery.

What refutes is tried with both makers of certificates: HiGHS, where it is installed, and our own simplex method.
"""

from __future__ import annotations

import importlib
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import SHARED, needs_shared
from dnd import grid
from dnd.pegs import certificates, proofs
from dnd.pegs.certificates import ANY_PLAY, Case, Leaf, Node, Orders, Split, check_integer, check_marks, check_resource
from dnd.pegs.generator import BOARDS
from dnd.pegs.programme import _OPTIONS, Highs, Simplex, programme
from dnd.pegs.proofs import (
    ByClass,
    ByInteger,
    ByMarks,
    Proof,
    by_class,
    check_proof,
    class_of,
    examine,
    possible_finals,
    refute,
)
from dnd.pegs.puzzle import Puzzle, jumps_of

# Two tasks that no class refutes; weights refute the first, a tree the second.
LINE = Puzzle.of(["oo.oo."], name="two pairs in a row")
RING = Puzzle.of(["##...##", "##ooo##", "oo...o.", "oo.o.o.", "oo...o.", "##ooo##", "##...##"], (3, 3))

WIEGLEB = ["###ooo###"] * 3 + ["ooooooooo"] * 3 + ["###ooo###"] * 3
BELL = (  # a resource count of Bell's
    *(0, 0, 0, -1, 0, -1, 0, 0, 0),
    *(0, 0, 0, 1, 0, 1, 0, 0, 0),
    *(0, 0, 0, 0, 0, 0, 0, 0, 0),
    *(-1, 1, 0, 1, 0, 1, 0, 1, -1),
    *(0, 0, 0, 0, 0, 0, 0, 0, 0),
    *(-1, 1, 0, 1, 0, 1, 0, 1, -1),
    *(0, 0, 0, 0, 0, 0, 0, 0, 0),
    *(0, 0, 0, 1, 0, 1, 0, 0, 0),
    *(0, 0, 0, -1, 0, -1, 0, 0, 0),
)


@pytest.fixture(params=["highs", "simplex"])
def maker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each maker of certificates in turn."""
    if request.param == "highs":
        pytest.importorskip("highspy")
    else:
        monkeypatch.setattr(proofs, "programme", Simplex)
    return str(request.param)


def ends(puzzle: Puzzle) -> int:
    """The cells in which a last peg can stand, by looking at every position: shares nothing with the proofs."""
    found, seen, waiting = 0, {puzzle.pegs}, [puzzle.pegs]
    height, width = puzzle.height, puzzle.width

    def holds(mask: int, row: int, column: int) -> bool:
        return 0 <= row < height and 0 <= column < width and bool(mask >> row * width + column & 1)

    while waiting:
        pegs = waiting.pop()
        if not pegs & pegs - 1:
            found |= pegs
        for row in range(height):
            for column in range(width):
                for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    there = row + 2 * down, column + 2 * right
                    if holds(pegs, row, column) and holds(pegs, row + down, column + right):
                        if not holds(puzzle.cells & ~pegs, *there):
                            continue
                        after = pegs & ~(1 << row * width + column) & ~(1 << (row + down) * width + column + right)
                        after |= 1 << there[0] * width + there[1]
                        if after not in seen:
                            seen.add(after)
                            waiting.append(after)
    return found


def scattered(random_: random.Random, height: int, width: int, holes: int, pegs: int) -> Puzzle:
    """A board with some cells missing and pegs anywhere."""
    cells = list(range(height * width))
    random_.shuffle(cells)
    board = cells[holes:]
    return Puzzle(height, width, sum(1 << cell for cell in board), sum(1 << cell for cell in board[:pegs]))


def reverse_play(random_: random.Random, height: int, width: int, holes: int, pegs: int) -> tuple[Puzzle, int]:
    """A solvable board and the cell of its last peg, by jumps played backwards."""
    start = scattered(random_, height, width, holes, 1)
    jumps = jumps_of(height, width, start.cells)
    mask = start.pegs
    for _ in range(pegs - 1):
        back = [a | b | c for _, a, b, c in jumps if c & mask and not (a | b) & mask]
        if not back:
            break
        mask ^= random_.choice(back)
    return replace(start, pegs=mask), start.pegs


@st.composite
def solvable(draw: st.DrawFn) -> tuple[Puzzle, int]:
    """Solvable boards up to 7x7."""
    height, width = draw(st.integers(1, 7)), draw(st.integers(3, 7))
    holes = draw(st.integers(0, height * width // 3))
    return reverse_play(random.Random(draw(st.integers(0, 10**9))), height, width, holes, draw(st.integers(1, 20)))


def small_boards(number: int) -> Iterator[Puzzle]:
    random_ = random.Random(number)
    for _ in range(number):
        height, width = random_.choice([(1, 9), (2, 7), (3, 5), (4, 4), (4, 5), (5, 5)])
        holes = random_.randint(0, 4)
        yield scattered(random_, height, width, holes, random_.randint(1, min(12, height * width - holes)))


def test_what_is_refuted_is_never_reached(maker: str) -> None:
    kinds, nodes = set(), set()
    for puzzle in small_boards(120):
        proof = examine(puzzle, max_nodes=30)
        assert not proof.refuted(puzzle) & ends(puzzle), puzzle
        assert all(part.check(puzzle) for part in proof.parts), puzzle
        kinds |= {part.kind for part in proof.parts}
        nodes |= {type(node) for part in proof.parts if isinstance(part, ByInteger) for node in part.tree}
    assert kinds == {"class", "marks", "resource", "integer"}
    assert nodes >= {Leaf, Split}


def test_most_of_what_is_impossible_is_refuted(maker: str) -> None:
    """Else the test above could pass with a `refute` that never says a word."""
    impossible = [puzzle for puzzle in small_boards(80) if not ends(puzzle)]
    refuted = [puzzle for puzzle in impossible if refute(puzzle)]
    assert len(impossible) > 40
    assert len(refuted) > 0.9 * len(impossible)


@settings(max_examples=60)
@given(solvable())
def test_a_solvable_board_is_never_refuted(made: tuple[Puzzle, int]) -> None:
    puzzle, last = made
    assert possible_finals(puzzle) & last
    assert not by_class(puzzle).refuted(puzzle) & last
    assert not examine(puzzle, max_nodes=5).refuted(puzzle) & last


@given(solvable())
def test_a_jump_never_changes_the_class(made: tuple[Puzzle, int]) -> None:
    puzzle, _ = made
    for _, start, over, end in jumps_of(puzzle.height, puzzle.width, puzzle.cells):
        assert class_of(puzzle, start | over) == class_of(puzzle, end)


def test_the_class_is_the_sum_over_pegs() -> None:
    """In GF(4) as numbers 0 to 3, addition is exclusive or."""
    random_ = random.Random(4)
    for _ in range(50):
        puzzle = scattered(random_, random_.randint(1, 16), random_.randint(1, 16), 0, 1)
        puzzle = replace(puzzle, pegs=random_.randint(1, puzzle.cells))
        sums = [0, 0]
        for row, column in grid.cells(puzzle.pegs, puzzle.width):
            sums[0] ^= (1, 2, 3)[(row + column) % 3]
            sums[1] ^= (1, 2, 3)[(row - column) % 3]
        assert class_of(puzzle) == tuple(sums)
        table = proofs.classes(puzzle.height, puzzle.width)
        assert [class_of(puzzle, 1 << cell) for cell in range(len(table))] == list(table)


def test_the_classes_of_full_boards() -> None:
    """A full rectangle has the class of no pegs exactly if a side is divisible by three; each cross has it."""
    for height in range(1, 17):
        for width in range(1, 17):
            full = Puzzle(height, width, grid.full(height, width), grid.full(height, width))
            assert (class_of(full) == (0, 0)) == (height % 3 == 0 or width % 3 == 0)
    assert class_of(Puzzle.of(WIEGLEB)) == (0, 0)


def test_the_french_board_has_no_last_peg() -> None:
    french = Puzzle.of(["##ooo##", "#ooooo#", "ooooooo", "ooo.ooo", "ooooooo", "#ooooo#", "##ooo##"])
    proof = by_class(french)
    assert (
        proof.sentence
        == "the class of the position is 00 (0, 0), and no jump changes it; a single peg has it in no cell"
    )
    assert check_proof(french, proof)
    english = Puzzle.of(["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"])
    assert grid.cells(possible_finals(english), 7) == ((0, 3), (3, 0), (3, 3), (3, 6), (6, 3))
    assert not check_proof(english, proof)


def test_a_known_resource_count_is_accepted() -> None:
    """The fact `w-resource`."""
    cells = Puzzle.of(WIEGLEB).cells
    pegs = sum(1 << cell for cell in grid.indices(cells) if BELL[cell] < 1)
    puzzle = Puzzle(9, 9, cells, pegs)
    assert check_resource(puzzle, (1, 3), BELL)
    assert not check_resource(puzzle, (0, 3), (*BELL[:3], -8, *BELL[4:]))
    assert not check_resource(replace(puzzle, pegs=cells), (1, 3), BELL)


def test_weights_are_checked_jump_by_jump() -> None:
    """Each change of one weight is judged as the inequalities, written out here, judge it."""
    board = Puzzle.of(["oo.o", "...."])
    weights, cell = proofs.resource(board, (1, 3)), (1, 3)
    assert weights
    lines = [(0, 1, 2), (1, 2, 3), (4, 5, 6), (5, 6, 7)]
    verdicts = set()
    for changed in range(8):
        for by in (-2, -1, 1, 2):
            forged = [*weights]
            forged[changed] += by
            fair = all(forged[a] + forged[b] >= forged[c] and forged[c] + forged[b] >= forged[a] for a, b, c in lines)
            verdict = fair and forged[0] + forged[1] + forged[3] < forged[7]
            assert check_resource(board, cell, forged) == verdict
            verdicts.add(verdict)
    assert verdicts == {True, False}


@pytest.mark.parametrize("forged", [(), (0,) * 5, (0.5,) * 6, (True,) * 6])
def test_what_is_no_list_of_weights_is_refused(forged: Sequence[int]) -> None:
    assert not check_resource(LINE, (0, 5), forged)
    assert not check_integer(LINE, (0, 5), [Leaf(tuple(forged))])


def test_a_tree_is_found_and_checked(maker: str) -> None:
    proof = refute(RING)
    assert proof is not None
    assert proof.kind == "integer"
    assert check_proof(RING, proof)
    copy = refute(RING.transformed(5))
    assert copy is not None
    assert copy.kind == "integer"


# Two pegs at one end of a line, the last one at the other: the only first jump loses 2, and 1 may be lost.
PAIR = Puzzle.of(["oo.."], (0, 3))
FIRST, BACK = (0, 0, 3), (0, 2, 2)
LOSSES = (1, 1, 0, 1)
NOTHING = (0,) * 4
DEAD = Leaf(NOTHING, ((1, ()),))  # where no jump can be made, even none at all is a must
BY_MUST = Leaf(LOSSES, ((2, (FIRST,)),))


@pytest.mark.parametrize(
    ("tree", "right"),
    [
        ([BY_MUST], True),
        ([Leaf(LOSSES)], False),
        ([Leaf(LOSSES, ((1, (FIRST,)),))], False),  # too cheap
        ([Leaf(LOSSES, ((3, (FIRST,)),))], False),  # the jump costs less
        ([Leaf(LOSSES, ((2, ()),))], False),  # not a must
        ([Leaf(LOSSES, ((2, (BACK,)),))], False),
        ([Leaf(LOSSES, ((2, (FIRST,)), (-1, (BACK,))))], False),
        ([Leaf(LOSSES, ((2.0, (FIRST,)),))], False),  # type: ignore[arg-type]
        ([Leaf(NOTHING, ((2, (FIRST,)),))], False),
        ([Leaf(LOSSES[:3], ((2, (FIRST,)),))], False),
        ([DEAD], False),
        ([Split(FIRST, 0, 1, 2), DEAD, Leaf(LOSSES)], True),
        ([Split(FIRST, 0, 2, 1), DEAD, Leaf(LOSSES)], False),  # each leaf in the other's case
        ([Split(FIRST, 1, 1, 2), DEAD, Leaf(LOSSES)], False),
        ([Split(FIRST, -1, 1, 2), DEAD, Leaf(LOSSES)], False),
        ([Split(FIRST, False, 1, 2), DEAD, Leaf(LOSSES)], False),
        ([Split(FIRST, 0, 1, 1), DEAD], False),
        ([Split(FIRST, 0, 1, 3), DEAD, Leaf(LOSSES)], False),
        ([Split(FIRST, 0, 0, 0)], False),
        ([Split((9, 9, 0), 0, 1, 2), BY_MUST, BY_MUST], False),
        ([Split((0, 1, 3), 5, 1, 2), BY_MUST, BY_MUST], True),  # right, if clumsy
        ([Split(BACK, 0, 1, 2), BY_MUST, Orders()], True),  # that jump alone would be all, and cannot be made
        ([Split(FIRST, 0, 1, 2), DEAD, Orders()], False),  # this one can
        ([Orders()], False),
        ([], False),
    ],
)
def test_trees_are_checked_to_the_letter(tree: list[Node], right: bool) -> None:
    assert check_integer(PAIR, (0, 3), tree) == right


def test_a_board_that_is_won_has_no_certificate() -> None:
    won = Puzzle.of(["o.."])
    assert refute(won) is None
    assert not check_integer(won, (0, 0), [Leaf((0, 0, 0), ((1, ()),))])
    assert check_proof(replace(won, final=(0, 2)), refute(replace(won, final=(0, 2))) or Proof(()))


def test_a_must_is_shown_from_either_end() -> None:
    """Two pegs that never meet: no jump can be made at all, so that even no jumps are a must."""
    apart = Puzzle.of(["o..o", "....", "....", "...."])
    assert certificates.is_must(apart, 0, ANY_PLAY, ())
    pair = Puzzle.of(["oo.", "...", "..."])
    assert certificates.is_must(pair, 2, ANY_PLAY, [(0, 0, 3)])
    assert not certificates.is_must(pair, 2, ANY_PLAY, ())
    # Towards the middle of the left edge no jump ends from the right, whatever the start.
    assert certificates.is_must(Puzzle.of(["ooo", "ooo", "oo."]), 3, ANY_PLAY, [(1, 2, 2)])


def test_marks_that_a_jump_breaks_are_refused() -> None:
    board = Puzzle.of(["o.o"])
    assert check_marks(board, (0, 1), 0b111 ^ 0b010) == ((0b101 & board.pegs).bit_count() % 2 != 0)
    assert not check_marks(board, (0, 1), 0b001)
    assert not check_marks(board, (0, 1), 0b1001)


def test_symmetric_copies_are_refuted_alike() -> None:
    for puzzle in small_boards(25):
        refuted = examine(puzzle, max_nodes=0).refuted(puzzle)
        for symmetry in grid.SYMMETRIES:
            copy = puzzle.transformed(symmetry)
            moved = grid.move_mask(symmetry, refuted, puzzle.height, puzzle.width)
            assert examine(copy, max_nodes=0).refuted(copy) == moved


def test_both_makers_find_weights_for_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("highspy")
    for puzzle in small_boards(40):
        with monkeypatch.context() as patch:
            refuted = examine(puzzle, max_nodes=0).refuted(puzzle)
            patch.setattr(proofs, "programme", Simplex)
            assert examine(puzzle, max_nodes=0).refuted(puzzle) == refuted


def test_bounds_on_jumps_hold() -> None:
    """One jump, which the right-hand side asks for once: forbidden, it leaves an excess in each of its cells."""
    programmes = [Simplex(3, [(0, 1, 2)]), programme(3, [(0, 1, 2)])]
    for one in programmes:
        for most, excess in ((None, 0), (2, 0), (1, 0), (0, 3)):
            answer = one.solve([1, 1, -1], [0], [most], [])
            assert answer is not None
            assert answer.excess == pytest.approx(excess, abs=1e-3)


def test_highs_takes_its_options() -> None:
    """One that it does not know it would pass over without a word."""
    pytest.importorskip("highspy")
    model = Highs(importlib.import_module("highspy"), 3, [(0, 1, 2)]).model
    for option in ("output_flag", "threads", "presolve", "solver", "simplex_strategy"):
        assert model.getOptionValue(option)[1] == _OPTIONS[option]


def test_without_highspy_the_simplex_method_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    assert isinstance(programme(1, []), Simplex)
    proof = refute(LINE)
    assert proof is not None
    assert check_proof(LINE, proof)


def test_highs_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("highspy")
    assert refute(LINE)
    assert capfd.readouterr() == ("", "")


def test_a_set_stop_ends_the_work() -> None:
    assert refute(RING, bytearray(b"\1")) is None
    assert refute(RING, bytearray(1)) is not None


def test_a_proof_must_leave_no_cell_out() -> None:
    proof = refute(LINE)
    assert proof is not None
    assert check_proof(LINE, proof)
    assert not check_proof(LINE, Proof(proof.parts[1:]))
    assert not check_proof(LINE, Proof(()))
    assert not check_proof(Puzzle.of(["oo."]), proof)


def test_forged_parts_are_refused() -> None:
    proof = refute(LINE)
    assert proof is not None
    (part,) = proof.parts
    assert check_proof(LINE, Proof((part,)))
    assert isinstance(part, ByClass)
    first, second = part.start
    for forged in (replace(part, start=(second, first ^ 1)), replace(part, cells=((0, 9),))):
        assert not check_proof(LINE, Proof((forged,)))
        assert not check_proof(LINE, Proof((part, forged)))


def test_the_longest_of_the_diamonds_trees() -> None:
    """The last task from one empty cell to one peg on the diamond that neither a class nor a solution settles."""
    pytest.importorskip("highspy")
    diamond = Puzzle.of(BOARDS["diamond"])
    puzzle = replace(diamond, pegs=diamond.cells ^ 1 << 9 + 3, final=(7, 5))
    tree = proofs.integer(puzzle, (7, 5), 1_000)
    assert tree is not None
    assert len(tree) > 9
    assert check_integer(puzzle, (7, 5), tree)


def test_nothing_proved_is_a_value_too() -> None:
    proof = examine(Puzzle.of(["oo."], (0, 2)), max_nodes=0)
    assert (proof.parts, proof.kind, str(proof), proof.as_json()) == ((), "", "", {"kind": "", "parts": []})


def test_the_picture_of_a_tree_has_all_that_a_check_needs(maker: str) -> None:
    """Each case: its demands, weights, the sets of jumps of which one must be made with their prices, the two sums."""
    trees = 0
    for puzzle in small_boards(60):
        for part in examine(puzzle, max_nodes=9).parts:
            if isinstance(part, ByInteger):
                leaves = [node for node in part.tree if not isinstance(node, Split)]
                musts = [must for leaf in leaves if isinstance(leaf, Leaf) for must in leaf.musts if must[1]]
                drawn = part.picture(puzzle)
                assert drawn.count("one of these must be made (price ") == len(musts)
                assert drawn.count("\ncase ") + drawn.startswith("case ") == (len(leaves) if len(leaves) > 1 else 0)
                sums = re.findall(r"the jumps cost (-?\d+) at least, and there are (-?\d+) to spend", drawn)
                assert all(int(needed) > int(given) for needed, given in sums)
                trees += len(leaves) > 1
    assert trees


def test_the_picture_of_a_tree_in_full() -> None:
    board = Puzzle.of(["oo.."], (0, 0))
    leaf = Leaf((1, 0, 1, 1), ((2, ((0, 0, 3),)),))
    part = ByInteger(((0, 0),), (Split((0, 0, 3), 0, 1, 2), leaf, Orders()))
    assert part.picture(board) == (
        "case 1: r1c1 right never\n"
        "[1][0] 1  1\n"
        "one of these must be made (price 2): r1c1 right\n"
        "the jumps cost 2 at least, and there are 0 to spend\n\n"
        "case 2: r1c1 right at least once\n"
        "these are all the jumps of a play, and they cannot be made in any order"
    )


def test_an_exhaustion_is_confirmed_by_another_search() -> None:
    proof = Proof.exhaustion(1234)
    assert proof.kind == "exhaustion"
    assert check_proof(RING, proof)
    assert check_proof(RING, proof, lambda puzzle: not ends(puzzle) & puzzle.finals)
    assert not check_proof(RING, proof, lambda puzzle: False)
    assert proof.sentence == "an exhaustive search looked at 1,234 positions and found no way to win"
    one = Proof.exhaustion(1, ((0, 1),))
    assert one.sentence == "an exhaustive search looked at 1 position and found no way to win that ends at r1c2"
    assert proof.as_json() == {"kind": "exhaustion", "parts": [{"kind": "exhaustion", "cells": [], "positions": 1234}]}


def test_proofs_become_json_that_stays() -> None:
    board = Puzzle.of(["oo...", "....."], (1, 2))
    proof = refute(board)
    assert proof is not None
    assert proof.as_json() == {"kind": "class", "parts": [{"kind": "class", "cells": [[1, 2]], "class": [3, 2]}]}
    for puzzle in (LINE, RING):
        found = refute(puzzle)
        assert found is not None
        assert json.loads(json.dumps(found.as_json())) == found.as_json()


def test_proofs_are_drawn() -> None:
    pair = Puzzle.of(["o.o"])
    proof = refute(pair)
    assert proof is not None
    assert proof.picture(pair) == (
        "the class of the position is 23 (w, w+1), and no jump changes it; a last peg at r1c1 or r1c3 has another\n\n"
        "[11] 23 [32]\n\n"
        "no jump raises the sum of these weights under the pegs; it is -2 at the start, "
        "and a last peg at r1c2 would make it 1\n\n"
        "[-1]  1 [-1]"
    )


def test_where_no_jump_is_possible_nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "programme", None)
    full = Puzzle(16, 16, grid.full(16, 16), grid.full(16, 16))
    cell = grid.cells(possible_finals(full), 16)[0]
    tree = proofs.integer(full, cell)
    assert tree is not None
    assert check_integer(full, cell, tree)
    part = ByInteger((cell,), tree)
    assert "out of reach" in part.sentence()
    assert part.picture(full) == ""


def test_marks_are_drawn() -> None:
    """Of three cells in a row every jump changes the first two, or the last two, together with the other end."""
    board = Puzzle.of(["ooo#o"], (0, 1))
    proof = refute(board)
    assert proof is not None
    (marks,) = proof.parts
    assert isinstance(marks, ByMarks)
    assert marks.sentence() == (
        "every jump touches none or two of the marked cells, so that the number of pegs on them stays even; "
        "a last peg at r1c2 would make it odd"
    )
    assert marks.picture(board) == "[*][*][.]   [.]"
    assert check_proof(board, proof)
    assert marks.as_json() == {"kind": "marks", "cells": [[0, 1]], "marks": [[0, 0], [0, 1]], "odd": False}
    assert not check_proof(board, Proof((replace(marks, odd=True),)))
    assert not check_proof(board, Proof((replace(marks, marks=((0, 0),)),)))


def test_an_order_is_looked_for_exactly() -> None:
    """The first jump of one peg opens the way of the other: one order of the two works, and none of one jump twice."""
    board = Puzzle.of(["ooo.", "...."])
    first, second = (0, 1, 3), (0, 3, 2)
    assert certificates.can_be_ordered(board, {first: 1}) is True
    assert certificates.can_be_ordered(board, {second: 1}) is False
    assert certificates.can_be_ordered(Puzzle.of(["oo.o"]), {second: 1, (0, 0, 3): 1}) is True
    assert certificates.can_be_ordered(board, {first: 2}) is False
    assert certificates.can_be_ordered(board, {first: 1}, bound=0) is None


def test_a_case_without_order_must_say_all_jumps() -> None:
    board = Puzzle.of(["oo.o"], (0, 1))
    right, left = (0, 0, 3), (0, 3, 2)
    assert certificates.check_orders(board, Case({left: 2}, {}))
    assert not certificates.check_orders(board, Case({left: 1}, {}))
    assert not certificates.check_orders(board, Case({right: 1, left: 1}, {}))
    assert not check_integer(RING, (3, 3), [Orders()])


@needs_shared
def test_tasks_of_a_contest() -> None:
    kinds = []
    for board in json.loads((SHARED / "pegs-unsolvable.json").read_text())["boards"]:
        puzzle = Puzzle.of(board["rows"], tuple(board["final"]))
        proof = refute(puzzle)
        assert (proof is not None) == (board["known"] == "unsolvable")
        if proof:
            assert check_proof(puzzle, proof)
            kinds.append(proof.kind)
    assert sorted(kinds) == ["class"] * 11 + ["integer"]
