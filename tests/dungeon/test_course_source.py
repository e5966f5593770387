"""The course's C sources: problems that are filled in after their initialiser, and what is refused."""

from __future__ import annotations

import re

import pytest

import dnd
from dnd.reading import entries

ROWS = ".rows = { 7, 3, 4, 1, 7, 1, 6, 3 }"
COLUMNS = ".columns = { 4, 4, 2, 6, 2, 3, 4, 7 }"
CLUES = f"problem q = {{ {ROWS}, {COLUMNS} }};\n"
P1 = "44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m"
MONSTERS, TREASURES = 0x8400010000000020, 0x20000
CELLS = ", ".join(str(MONSTERS >> cell & 1) for cell in range(64))
SIGNS = "".join("M" if MONSTERS >> cell & 1 else "." for cell in range(64))
SIGN_ROWS = "\n".join(f'    "{SIGNS[at : at + 8]}"' for at in range(0, 64, 8))
AFTER = "q.monsters = map_to_board(monsters);\nq.treasures = map_to_board(treasures);\n"
TREASURE = "map treasures = { [17] = 1 };\n"

SOURCES = {
    "maps behind it": f"{CLUES}map monsters = {{ {CELLS} }};\n{TREASURE}{AFTER}",
    "maps with designators": f"{CLUES}map monsters = {{ [5] = 1, [40] = true, [58] = 1, [63] = 1 }};\n"
    f"{TREASURE}{AFTER}",
    "maps before it": f"map monsters = {{ {CELLS} }};\n{TREASURE}{CLUES}{AFTER}",
    "arrays of bool": f"static const bool monsters[64] = {{ {CELLS}, }};\n"
    f"bool treasures[] = {{ [17] = 1 }};\n{CLUES}{AFTER}",
    "a string": f'const char *monsters = "{SIGNS}";\n{TREASURE}{CLUES}{AFTER}',
    "strings, a row each": f"char monsters[65] =\n{SIGN_ROWS};\n{TREASURE}{CLUES}{AFTER}",
    "words behind it": f"{CLUES}q.monsters = {MONSTERS:#x}ULL;\nq.treasures = {TREASURES:#x};\n",
    "or, shifted": f"{CLUES}q.monsters = 1 << 5 | 1ull << 40 | (board)1 << 58;\nq.monsters |= (uint64_t)1 << 63;\n"
    "q.treasures = bit(17);\n",
    "words by name": f"board monsters = {MONSTERS};\nboard t = 1 << 17;\n{CLUES}"
    "q.monsters = monsters; q.treasures = t;\n",
    "maps inside": f"map m = {{ {CELLS} }};\nproblem q = {{ {ROWS}, {COLUMNS}, .monsters = map_to_board(m), "
    ".treasures = map_to_board((map){ [17] = 1 }) };\n",
    "cells one by one": f"map monsters;\nmonsters[5] = 1; monsters[40] = 1; monsters[58] = 1; monsters[63] = 1;\n"
    f"{TREASURE}{CLUES}{AFTER}",
    "declared, then filled": "struct problem q;\n"
    + "".join(f"q.rows[{at}] = {clue};\n" for at, clue in enumerate((7, 3, 4, 1, 7, 1, 6, 3)))
    + "".join(f"q.columns[{at}] = {clue};\n" for at, clue in enumerate((4, 4, 2, 6, 2, 3, 4, 7)))
    + f"q.monsters = {MONSTERS}; q.treasures = {TREASURES};\n// problem p = {{ 0 }};\nproblem z = {{ 0 }};\n",
    "an array of problems": f"problem qs[] = {{ {{ {MONSTERS}, {TREASURES}, {{ 7, 3, 4, 1, 7, 1, 6, 3 }}, "
    "{ 4, 4, 2, 6, 2, 3, 4, 7 } } };\n",
    "bare fields": f"{ROWS},\n{COLUMNS},\n.monsters = {MONSTERS:#x},\n.treasures = {TREASURES:#x}",
    "bare fields behind a comment": f"// p1\n.monsters = {MONSTERS:#x}, .treasures = {TREASURES:#x},\n"
    f"{ROWS}, {COLUMNS},\n",
    "in a function": f"int main(void)\n{{\n    map monsters = {{ {CELLS} }};\n"
    f"    {TREASURE}    {CLUES}    {AFTER}"
    "    for (int i = 0; i < 64; i++) { if (((p->monsters >> i) & 1) != 0) f(); }\n"
    "    board fb = b | p->monsters;\n}\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_problem_is_read_whole(name: str) -> None:
    found = next(iter(entries(SOURCES[name].encode())))
    assert dnd.dumps(found.puzzle).split(" ")[0] == P1


def test_what_follows_belongs_to_the_problem_above() -> None:
    second = CLUES.replace("q =", "r =").replace("7, 1, 6", "0, 1, 6")
    first, other = dnd.loads(f"{CLUES}map monsters = {{ [0] = 1 }};\n{second}q.monsters = map_to_board(monsters);\n")
    assert (first.monsters, other.monsters) == (1, 0)
    again, latest = dnd.loads(f"{CLUES}q.monsters = 1;\n{CLUES}q.monsters = 2;\n")  # two functions, a name
    assert (again.monsters, latest.monsters) == (1, 2)


REFUSED = {
    "an unknown function": ("q.monsters = read_monsters(file);", "unknown-name", 2, 14),
    "a map that a loop fills": (
        "map m;\nfor (int i = 0; i < 64; i += 9) m[i] = 1;\nq.monsters = map_to_board(m);",
        "unknown-name",
        4,
        27,
    ),
    "a pointer": ("problem *p = &q;\np->monsters = 5;", "unknown-name", 3, 1),
    "no such problem": ("w.monsters = 5;", "unknown-name", 2, 1),
    "no such map": ("q.monsters = map_to_board(m);", "unknown-name", 2, 27),
    "a word that is computed": ("board b = f(3);\nq.monsters = b;", "unknown-name", 3, 14),
    "a sum in place": ("q.monsters += 5;", "unknown-name", 2, 12),
    "too many bits": ("q.monsters = 0x10000000000000000;", "outside-board", 2, 14),
    "clues at once": ("q.rows = x;", "wrong-type", 2, 1),
    "a ninth clue": ("q.rows[8] = 1;", "wrong-type", 2, 7),
    "a clue that is too large": ("q.rows[7] = 9;", "clue-range", 2, 13),
    "monster on treasure": ("q.monsters = 1; q.treasures = 1;", "monster-on-treasure", 2, 31),
    "a string of 63 signs": (f'char *m = "{SIGNS[1:]}";\nq.monsters = map_to_board(m);', "unknown-name", 3, 27),
    "cut off": ("q.monsters = ", "truncated", 2, 14),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_told_is_refused(name: str) -> None:
    text, code, line, column = REFUSED[name]
    with pytest.raises(dnd.InputError) as raised:
        dnd.loads(CLUES + text)
    found = raised.value.diagnostic
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == (code, line, column)


@pytest.mark.parametrize("name", SOURCES)
def test_a_bracket_or_a_name_less_is_no_other_puzzle(name: str) -> None:
    """What is damaged is refused, or what is damaged has nothing to do with the problem."""
    text = SOURCES[name]
    for gone in re.finditer(r"[{}()]|\bmap_to_board\b", text):
        try:
            found = dnd.loads(text[: gone.start()] + " " * len(gone[0]) + text[gone.end() :])
        except dnd.InputError:
            continue
        assert dnd.dumps(found[0]).split(" ")[0] == P1, (gone, text)
