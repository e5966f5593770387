"""Proofs read back from JSON, and judged: what was written comes back, and what is wrong is said with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import KERNELS, ROOT
from dnd import grid, reading
from dnd.diagnostic import InputError, render
from dnd.pegs import explainer, proofs
from dnd.pegs.certificates import Leaf, Orders, Split
from dnd.pegs.explainer import verify
from dnd.pegs.proof_notation import read
from dnd.pegs.proofs import CALL, ByClass, ByInteger, ByMarks, ByResource, Proof, check_proof
from dnd.pegs.puzzle import Puzzle
from dnd.pegs.solver import solve

PROVED = ROOT / "fixtures" / "pegs" / "proved.pegs"
PROOFS = ROOT / "fixtures" / "pegs" / "proved.json"
LINE = Puzzle.of(["oo.oo."])
RING = Puzzle.of(["##...##", "##ooo##", "oo...o.", "oo.o.o.", "oo...o.", "##ooo##", "##...##"], (3, 3))


def text_of(*found: Proof) -> bytes:
    return "\n".join(json.dumps(proof.as_json()) for proof in found).encode()


# --- reading --------------------------------------------------------------------------------------


def test_what_was_written_comes_back() -> None:
    impossible = [entry.puzzle for entry in reading.entries(ROOT / "fixtures" / "pegs" / "impossible.toml")]
    found = [proof for puzzle in impossible if (proof := proofs.refute(puzzle, max_nodes=20))]
    assert {part.kind for proof in found for part in proof.parts} == {"class", "marks", "resource", "integer"}
    searched = [Proof.exhaustion(7, ((0, 1),)), Proof.exhaustion(9, (), CALL)]
    again = list(read(text_of(*found, *searched)))
    assert again == [*found, *searched]


def test_all_nodes_come_back() -> None:
    tree = (Split((0, 1, 2), 0, 1, 2), Leaf((1, -2), ((3, ((0, 1, 2), (0, 0, 3))), (1, ()))), Orders())
    proof = Proof((ByInteger(((0, 0),), tree),))
    assert list(read(text_of(proof))) == [proof]


@pytest.mark.parametrize("kernel", KERNELS)
def test_answers_are_read_as_they_are_printed(kernel: str) -> None:
    """Alone, one a line, or in a list."""
    outcomes = [solve(puzzle, kernel=kernel) for puzzle in (LINE, RING)]
    answers = [json.dumps({"name": "x", "count": 0, **outcome.details()}) for outcome in outcomes]
    for text in ("\n".join(answers), "[" + ",\n".join(answers) + "]", "".join(answers)):
        assert list(read(text.encode())) == [outcome.proof for outcome in outcomes]


CLASS: dict[str, Any] = {"kind": "class", "cells": [[0, 0]], "class": [0, 0]}
MARKS: dict[str, Any] = {"kind": "marks", "cells": [[0, 0]], "marks": [[0, 1]], "odd": True}
WEIGHTS: dict[str, Any] = {"kind": "resource", "cells": [[0, 0]], "weights": [1, 0], "start": 0, "ends": [1]}
TREE: dict[str, Any] = {
    "kind": "integer",
    "cells": [[0, 0]],
    "tree": [
        {"jump": [0, 0, 3], "at_most": 0, "low": 1, "high": 2},
        {"weights": [1, 0], "musts": [{"price": 1, "jumps": [[0, 0, 3]]}]},
        {"orders": "none"},
    ],
}
SEARCH: dict[str, Any] = {"kind": "exhaustion", "cells": [], "positions": 1}


def with_(part: dict[str, Any], **changes: Any) -> str:
    """A proof with a part that has keys changed, or for None left out; its keys are on lines of their own from 2 on."""
    changed = {key: value for key, value in (part | changes).items() if value is not None}
    return '{"parts": [{\n' + ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in changed.items()) + "}]}"


def node(number: int, **changes: Any) -> str:
    """The same with a node of the tree changed."""
    tree = [dict(other) for other in TREE["tree"]]
    tree[number] = {key: value for key, value in (tree[number] | changes).items() if value is not None}
    return with_(TREE, tree=tree)


# What is wrong, its code, line and column, from 1.
CASES: list[tuple[str, str, int, int]] = [
    ("{", "bad-json", 1, 2),
    ("7", "bad-json", 1, 1),
    ('{"parts": []}', "wrong-type", 1, 11),
    ('{"parts": 7}', "wrong-type", 1, 11),
    ('{"parts": [7]}', "wrong-type", 1, 12),
    ('{"kind": "class"}', "missing-key", 1, 1),
    ('{"verdict": "solved", "proof": null}', "no-proof", 1, 32),
    ('{"proof": "yes"}', "wrong-type", 1, 11),
    ('{"proof":\n {"kind": "class"}}', "missing-key", 2, 2),
    (with_(CLASS) + "\n" + with_(CLASS, kind="magic"), "wrong-type", 6, 9),
    (with_(CLASS, kind=None), "missing-key", 1, 12),
    (with_(CLASS, kind=["class"]), "wrong-type", 2, 9),
    (with_(CLASS, cells=None), "missing-key", 1, 12),
    (with_(CLASS, cells=7), "wrong-type", 3, 10),
    (with_(CLASS, cells=[[0, 0], [0]]), "wrong-type", 3, 19),
    (with_(CLASS, cells=[[0, -1]]), "wrong-type", 3, 11),
    (with_(CLASS, cells=[[0, 10**9]]), "wrong-type", 3, 11),
    (with_(CLASS, cells=[[0, True]]), "wrong-type", 3, 11),
    (with_(CLASS, **{"class": [1]}), "wrong-type", 4, 10),
    (with_(MARKS, odd=1), "wrong-type", 5, 8),
    (with_(MARKS, marks=[[0, 0.5]]), "wrong-type", 4, 11),
    (with_(WEIGHTS, weights=[1, 0.5]), "wrong-type", 4, 16),
    (with_(WEIGHTS, weights=None), "missing-key", 1, 12),
    (with_(WEIGHTS, start="0"), "wrong-type", 5, 10),
    (with_(WEIGHTS, ends=[True]), "wrong-type", 6, 10),
    (with_(TREE, tree=[[]]), "wrong-type", 4, 10),
    (node(0, jump=[0, 0]), "wrong-type", 4, 19),
    (node(0, jump=[0, 0, 4]), "wrong-type", 4, 19),
    (node(0, at_most=None), "missing-key", 4, 10),
    (node(0, low=1.5), "wrong-type", 4, 51),
    (node(1, weights=None), "missing-key", 4, 66),
    (node(1, musts=[7]), "wrong-type", 4, 96),
    (node(1, musts=[{"price": 1}]), "missing-key", 4, 96),
    (node(1, musts=[{"price": "1", "jumps": []}]), "wrong-type", 4, 106),
    (node(1, musts=[{"price": 1, "jumps": [[0, 0, 3], 7]}]), "wrong-type", 4, 130),
    (with_(SEARCH, positions=None), "missing-key", 1, 12),
    (with_(SEARCH, positions=True), "wrong-type", 4, 14),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), CASES, ids=lambda value: repr(value)[:40])
def test_malformed(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(InputError) as caught:
        list(read(text.encode(), "bad.json"))
    found = caught.value.diagnostic
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column, found.span.file) == (code, line, column, "bad.json")
    assert str(caught.value) == render(found)


def test_what_is_no_text() -> None:
    with pytest.raises(InputError, match="not UTF-8"):
        list(read(b"\xff", "bad.json"))
    assert list(read(b"")) == []


SAMPLE = "".join(with_(part) for part in (CLASS, MARKS, WEIGHTS, TREE, SEARCH)).encode()


@settings(max_examples=150)
@given(data=st.data())
def test_any_damage_is_one_input_error(data: st.DataObject) -> None:
    """And what can be read is judged, whatever it says."""
    start = data.draw(st.integers(0, len(SAMPLE)))
    end = data.draw(st.integers(start, min(len(SAMPLE), start + 8)))
    put = data.draw(st.binary(max_size=4) | st.sampled_from([b"9" * 30, b"]", b"[", b"-1", b"null", b'"', b"1e9"]))
    for proof in read_or_refused(SAMPLE[:start] + put + SAMPLE[end:]):
        assert check_proof(Puzzle.of(["o."]), proof) in (True, False)


def read_or_refused(data: bytes) -> list[Any]:
    """The proofs, [] where one `InputError` with a place refuses them."""
    try:
        return list(read(data, "bad.json"))
    except InputError as error:
        # Anything else would not do.
        return [] if error.diagnostic.span else [None]


# --- judging --------------------------------------------------------------------------------------


def test_the_fixture_has_all_kinds() -> None:
    puzzles = [entry.puzzle for entry in reading.entries(PROVED)]
    found = list(read(PROOFS.read_bytes()))
    assert [proof.kind for proof in found] == list(proofs.KINDS)
    for puzzle, proof in zip(puzzles, found, strict=True):
        assert verify(puzzle, proof).good
        won = replace(puzzle, pegs=1 << proof.parts[-1].cells[-1][0] * puzzle.width + proof.parts[-1].cells[-1][1])
        assert not verify(won, proof).good


@pytest.mark.parametrize("number", range(4))
def test_every_forgery_of_a_number_is_judged_anew(number: int) -> None:
    """A proof with one number changed may still hold; where it is said to, the board is impossible indeed, and some
    changes are refused."""
    puzzle = [entry.puzzle for entry in reading.entries(PROVED)][number]
    solvable = replace(puzzle, pegs=puzzle.pegs & -puzzle.pegs, final=None)
    (proof, *_) = list(read(PROOFS.read_bytes().splitlines()[number]))
    plain, refused = proof.as_json(), 0
    for path in list(numbers(plain))[:: 1 if number < 3 else 3]:
        for change in (-1, 1):
            try:
                (forged,) = read(json.dumps(changed(plain, path, change)).encode())
            except InputError:
                continue
            assert not check_proof(solvable, forged)
            refused += not check_proof(puzzle, forged)
    assert refused > 5


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """The paths of all numbers in a JSON value."""
    if type(value) is int:
        yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from numbers(part, (*path, key))


def changed(value: Any, path: tuple[Any, ...], by: int) -> Any:
    """A copy with one number changed."""
    if not path:
        return value + by
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], by)
    return copy


FAR = ((200, 200),)


@pytest.mark.parametrize(
    "part",
    [
        ByClass(FAR, (0, 0)),
        ByMarks(FAR, ((0, 0),), odd=False),
        ByMarks(((0, 0),), FAR, odd=False),
        ByResource(FAR, (0,) * 6, 0, (1,)),
        ByInteger(FAR, (Leaf((0,) * 6),)),
        *Proof.exhaustion(1, FAR).parts,
        *Proof.exhaustion(1, ((10**30, 0),)).parts,
    ],
)
def test_cells_off_the_board_prove_nothing(part: proofs.Part) -> None:
    assert not check_proof(LINE, Proof((part,)))
    assert not check_proof(LINE, Proof((part, *Proof.exhaustion(1).parts)))


def test_an_exhaustion_is_confirmed_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Proof.exhaustion(1234)
    right = verify(RING, proof)
    assert right.good
    assert right.text.startswith("the proof holds (exhaustion, confirmed: ")
    wrong = verify(Puzzle.of(["oo."]), proof)
    assert wrong == ("the proof does not hold: there is a solution", False)
    monkeypatch.setattr(explainer, "_CONFIRMED", 10)
    assert verify(RING, proof) == ("the proof was not confirmed: there are more than 10 positions to look at", False)


def test_what_certificates_leave_is_searched() -> None:
    """An exhaustion of some cells is confirmed for those only that nothing else refutes."""
    *_, board = (entry.puzzle for entry in reading.entries(PROVED))
    by_class = proofs.by_class(board)
    cells = grid.cells(board.finals & ~by_class.refuted(board), board.width)
    assert len(cells) == 2
    assert verify(board, Proof((*by_class.parts, *Proof.exhaustion(9, cells).parts))).good
    assert not verify(board, Proof((*by_class.parts, *Proof.exhaustion(9, cells[1:]).parts))).good


# --- the command line -----------------------------------------------------------------------------


def test_check_takes_proofs(cli: Any) -> None:
    done = cli("check", PROVED, "--proof", PROOFS)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:2] == ["class-1: the proof holds (class)", "marks-1: the proof holds (marks)"]
    assert done.out.count("the proof holds") == 5
    found = cli("check", "--json", PROVED, "--proof", PROOFS).json
    assert found[0] == {"name": "class-1", "text": "the proof holds (class)", "good": True}


def test_check_takes_what_solve_says(cli: Any, tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(cli("solve", "--json", PROVED).out)
    assert cli("check", PROVED, "--proof", answers).code == 0


def test_a_proof_of_another_board_does_not_hold(cli: Any, tmp_path: Path) -> None:
    board = tmp_path / "board.peg"
    board.write_text("oo.\n")
    proof = tmp_path / "proof.json"
    for line in PROOFS.read_text().splitlines():
        proof.write_text(line)
        done = cli("check", board, "--proof", proof)
        assert done.code == 1
        assert "the proof does not hold" in done.out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "proof-number"),
        ('{"parts": [{"kind": "exhaustion", "cells": [], "positions": 1}]}' * 2, "proof-number"),
        ('{"proof": null}', "no-proof"),
        ('{"parts": [{"kind": "exhaustion", "cells": [], "positions": 1}]} {', "bad-json"),
    ],
)
def test_unreadable_proofs(cli: Any, tmp_path: Path, text: str, code: str) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(text)
    done = cli("check", "6x1/2o.2o.", "--proof", proof)
    assert done.code == 2
    assert f"[{code}]\n --> {proof}:1:" in done.err


def test_proofs_are_of_pegs(cli: Any, tmp_path: Path) -> None:
    done = cli("check", ROOT / "fixtures" / "p1.toml", "--proof", PROOFS)
    assert done.code == 2
    assert "not-offered" in done.err
    done = cli("check", PROVED, "--proof", tmp_path / "none.json")
    assert done.code == 2
    assert "unreadable-file" in done.err
