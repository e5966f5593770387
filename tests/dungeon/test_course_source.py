"""The course's C sources: problems that are filled in after their initialiser, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    "the second listing": f"""problem q = {{
    {ROWS},
    {COLUMNS}
}};

map monsters = {{
    {CELLS},
}};
map treasures = {{ [17] = 1 }}; // index 17, the rest 0

{AFTER}""",
    "suffixes in any case": f"struct problem q = {{ {ROWS}, {COLUMNS} }};\nq.monsters = {MONSTERS:#x}ull;\n"
    f"q.treasures = {TREASURES:#x}UL;\n",
    "comments between": f"/* a */ problem /* ; */ q // {{\n = {{ {ROWS}, /* , */ {COLUMNS} }};\n"
    f"q /* . */ . monsters = /* 5 */ {MONSTERS} /* + 1 */;\nq.treasures = {TREASURES}; /* q.treasures = 0; */\n",
    "names for numbers": f"#define M {MONSTERS:#x}ULL\n#define T (1ULL << 17) /* one */\n{CLUES}"
    "q.monsters = M; q.treasures = T;\n",
    "include guard": f"#ifndef P_H\n#define P_H\n{CLUES}q.monsters = {MONSTERS}; q.treasures = {TREASURES};\n#endif\n",
    "left out": f"#if 0\nproblem old = {{ 1 }};\n#else\n{CLUES}q.monsters = {MONSTERS}; q.treasures = {TREASURES};\n"
    "#endif\n",
    "a literal assigned": f"problem q;\nq = (problem){{ {ROWS}, {COLUMNS}, .monsters = {MONSTERS}, "
    f".treasures = {TREASURES} }};\n",
    "two in one declaration": f"problem q = {{ {ROWS}, {COLUMNS}, .monsters = {MONSTERS}, .treasures = {TREASURES} }}, "
    "z = { 0 };\n",
    "other names of the type": f"typedef struct problem pb;\npb q = {{ {ROWS}, {COLUMNS}, .monsters = {MONSTERS}, "
    f".treasures = {TREASURES} }};\nproblem z = {{ 0 }};\n",
    "fields in another order": "struct problem { constraint columns; constraint rows; board treasures, monsters; };\n"
    f"problem q = {{ {{ 4, 4, 2, 6, 2, 3, 4, 7 }}, {{ 7, 3, 4, 1, 7, 1, 6, 3 }}, {TREASURES}, {MONSTERS} }};\n",
    "a word that grows": f"board m = 0;\nm |= bit(5); m = m | bit(40) | bit(58);\nm |= bit(63);\n{CLUES}"
    f"q.monsters = m; q.treasures = {TREASURES};\n",
    "parameters of the same name": f"map m = {{ {CELLS} }};\nvoid board_to_map(board b, map m)\n{{\n"
    "    for (int i = 0; i < 64; i++) { m[i] = b % 2 == 1; b = b / 2; }\n}\n"
    f"{CLUES}q.monsters = map_to_board(m); q.treasures = {TREASURES};\n",
    "other code around it": "int a[2][2] = { { 1 }, { 3 } };\nstruct point { int x, y; } o = { .x = 1, .y = 2 };\n"
    "void print_board(problem *p, board b);\nvoid f(void) { putchar('\"'); putchar('{'); g((pt){ 1 }, 3); }\n"
    f"{CLUES}q.monsters = {MONSTERS}; q.treasures = {TREASURES};\nint main(void)\n{{\n    int x, y = 3;\n    y = 4;\n"
    '    printf("%d %lx", q.rows[0], q.monsters & 5);\n    assert(q.treasures == 4);\n'
    "    if (q.rows[0] == 3) { x = y; }\n"
    "    problem *all[] = { &q };\n    do { solve(&q, 0, 0); } while (x);\n    return 0;\n}\n",
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
    second = CLUES.replace("q = {", "r = { .monsters = 0,").replace("7, 1, 6", "0, 1, 6")
    first, other = dnd.loads(f"{CLUES}map monsters = {{ [0] = 1 }};\n{second}q.monsters = map_to_board(monsters);\n")
    assert (first.monsters, other.monsters) == (1, 0)
    again, latest = dnd.loads(f"{CLUES}q.monsters = 1;\n{CLUES}q.monsters = 2;\n")  # two functions, a name
    assert (again.monsters, latest.monsters) == (1, 2)


REFUSED = {
    "less a number": ("q.monsters = 5 - 1;", "bad-field", 2, 16),
    "times a number": ("q.monsters = 5 * 2;", "bad-field", 2, 16),
    "one or the other": ("q.monsters = 5 ? 2 : 1;", "bad-field", 2, 16),
    "a word that a loop fills": (
        "board m = 0;\nfor (int i = 0; i < 3; i++) m |= bit(i);\nq.monsters = m;",
        "unknown-name",
        4,
        14,
    ),
    "a cell that is or-ed": ("map m = { 0 };\nm[5] |= 1;\nq.monsters = map_to_board(m);", "unknown-name", 4, 27),
    "a map that a function fills": (
        "map m = { 0 };\nfill(m);\nq.monsters = map_to_board(m);",
        "unknown-name",
        4,
        27,
    ),
    "a map that is read": (
        'map m = { 0 };\nscanf("%d", &m[3]);\nq.monsters = map_to_board(m);',
        "unknown-name",
        4,
        27,
    ),
    "a map as a word": ("map m = { 1 };\nq.monsters = m;", "unknown-name", 3, 14),
    "a word as a map": ("board m = 1;\nq.monsters = map_to_board(m);", "unknown-name", 3, 27),
    "an item of an array": ("problem a[] = { { 0 } };\na[0].monsters = 5;", "unknown-name", 3, 5),
    "through a pointer": ("problem *p = &q;\n(*p).monsters = 5;", "unknown-name", 3, 5),
    "read from a file": ('scanf("%lx", &q.monsters);', "unknown-name", 2, 15),
    "clues copied": ("q.monsters = 1;\nmemcpy(q.rows, r, 8);", "unknown-name", 3, 8),
    "a function that may fill it": ("fill(&q);", "unknown-name", 2, 7),
    "a problem from elsewhere": ("q = other();", "unknown-name", 2, 5),
    "a problem made by a function": ("problem r = make();", "unknown-name", 2, 13),
    "only if": ("if (x) { q.monsters = 5; }", "unknown-name", 2, 10),
    "only if, without braces": ("if (x) q.monsters = 5;\nelse q.monsters = 6;", "unknown-name", 2, 8),
    "counted up": ("q.monsters++;", "unknown-name", 2, 11),
    "under a condition": ("#ifdef X\nq.monsters = 5;\n#endif", "unknown-name", 3, 1),
    "a comment that is not closed": ("q.monsters = 5; /* q.treasures = 2;", "truncated", 2, 17),
    "a block that is not closed": ("q.monsters = 5; void f() {", "truncated", 2, 26),
    "a brace too much": ("q.monsters = 5; }", "bad-field", 2, 17),
    "clues alone": ("", "missing-key", 1, 9),
    "a map that is not used": ("q.monsters = 1;\nmap treasures = { [3] = 1 };", "missing-key", 3, 5),
    "a point less": ("q.monsters = 1;\nqtreasures = 2;", "unknown-name", 3, 1),
    "a type less": ("q.monsters = 1;\nr = { 1 };", "bad-field", 3, 1),
    "parentheses": ("q.monsters = " + "(" * 5000, "bad-number", 2, 65),
    "blocks": ("q.monsters = 1;" + "{" * 5000, "bad-field", 2, 115),
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


def broken(text: str) -> Iterator[tuple[str, str]]:
    """The text without one of its tokens, and up to one: what it was and what is left. Those alike are taken once.

    Left out are changes that make another source that is as good: other cells and numbers, `=` for `|=`, `(17)` for
    `bit(17)`, and a cut between statements.
    """
    tokens = re.findall(r'\w+|"[^"\n]*"|//[^\n]*|\s+|.', text, re.DOTALL)
    seen = set()
    for at, token in enumerate(tokens):
        around = tuple(tokens[max(0, at - 2) : at + 3])
        if token.isspace() or around in seen:
            continue
        seen.add(around)
        if not re.fullmatch(r'\w*[0-9]\w*|".*"|true|bit|\|', token):
            yield f"{around} without {token}", "".join(tokens[:at] + tokens[at + 1 :])
        start = "".join(tokens[:at])
        is_digit = re.search(r"(\.treasures|\.monsters) = \w+$", start.rstrip()) and "q." not in start
        if not re.sub(r"//.*", "", start).rstrip().endswith((";", "{")) and not is_digit:
            yield f"{around} up to {token}", start


@pytest.mark.parametrize("name", SOURCES)
def test_a_token_less_is_no_other_puzzle(name: str) -> None:
    """What is damaged is refused, or what is damaged has nothing to do with the problem."""
    for what, text in broken(SOURCES[name]):
        try:
            found = dnd.loads(text)
        except dnd.InputError:
            continue
        assert dnd.dumps(found[0]).split(" ")[0] == P1, what
