"""Malformed input of all kinds: each gives one clear error with its code and place, and nothing else happens."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT
from dnd import reading
from dnd.diagnostic import InputError, Span, render
from dnd.dungeon import notation
from dnd.game import Entry
from test_dungeon_notation import FORMS, P1_DDN, SOLVED, fixture_of, tokyo


def fail(source: str | bytes, format: str | None = None) -> InputError:
    """The error that reading gives."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    with pytest.raises(InputError) as caught:
        list(reading.entries(data, file="bad", format=format))
    return caught.value


def toml(**changes: str | None) -> str:
    """A small fixture with keys changed, added or, for None, left out."""
    keys = {"rows": "[1, 2]", "columns": "[0, 1, 2]", "board": '"..M\\n.#."'} | changes
    return "".join(f"{key} = {value}\n" for key, value in keys.items() if value is not None)


def js(**changes: str | None) -> str:
    """A small JSON object, over several lines."""
    keys = {"rows": "[1, 2]", "columns": "[0, 1, 2]", "monsters": "[[0, 2]]", "treasures": "[]"} | changes
    return "{" + ",\n".join(f'"{key}": {value}' for key, value in keys.items() if value is not None) + "}"


def c(inside: str) -> str:
    return "problem p = {\n" + inside + "\n};\n"


CLOSE = " 012\n1..M\n2.#.\n"
SPACED = "* 0 1 2\n1 . . M\n2 . # .\n"
BAD_SOLUTION = SOLVED.replace("M", "#", 1)
TOKYO = tokyo(("p", "." * 64), ("q", "#" * 64))

# name of the kind: (input, code, line, column), line and column from 1.
KINDS: dict[str, tuple[str | bytes, str, int, int]] = {
    # the input as a whole
    "nothing": ("", "empty-input", 1, 1),
    "blanks": (" \n\t\n", "empty-input", 1, 1),
    "byte-order mark": (b"\xef\xbb\xbf", "empty-input", 1, 1),
    "comments": ("# one\n# two\n", "no-puzzle", 1, 1),
    "prose": ("Lorem ipsum dolor sit amet,\nconsectetur.\n", "unknown-format", 1, 1),
    "png": (b"\x89PNG\r\n\x1a\n\0\0", "encoding", 1, 1),
    "utf-16": ("rows".encode("utf-16"), "encoding", 1, 1),
    "latin-1": ("# ä\n# für\n".encode() + "name = 'für'".encode("latin-1"), "encoding", 3, 10),
    "latin-1 name": (P1_DDN.encode() + b" name=\xfc", "encoding", 1, 48),
    "surrogate": (P1_DDN + " name=\ud800", "encoding", 1, 48),
    "broken gzip": (gzip.compress(b"x" * 100)[:20], "unreadable-file", 1, 1),
    "wrong gzip": (b"\x1f\x8bxxxxxxxxxxxxxxxxxxx", "unreadable-file", 1, 1),
    # TOML
    "toml: syntax": (toml(rows="[1,, 2]"), "toml-syntax", 1, 11),
    "toml: open string": (toml(board='"""\n..M'), "toml-syntax", 5, 1),
    "toml: same key": (toml() + "rows = [1, 2]", "toml-syntax", 4, 14),
    "toml: deep": (toml(note="[" * 100000), "toml-syntax", 4, 40),
    "toml: endless number": (toml(rows=f"[1, {'9' * 5000}]"), "toml-syntax", 1, 12),
    "toml: control character": (toml(name='"a\x07"'), "toml-syntax", 4, 10),
    "toml: unknown key": (toml(colums="[1]"), "unknown-key", 4, 1),
    "toml: unknown table": (toml() + "[expects]\n", "unknown-key", 4, 1),
    "toml: key outside puzzles": ("name = 'x'\n[[puzzle]]\n" + toml(), "unknown-key", 1, 1),
    "toml: no rows": ("# top\n" + toml(rows=None), "missing-key", 2, 1),
    "toml: no columns in the second": (
        "[[puzzle]]\n" + toml() + "\n[[puzzle]]\n" + toml(columns=None), "missing-key", 6, 1
    ),
    "toml: neither board nor monsters": (toml(board=None), "missing-key", 1, 1),
    "toml: monsters without treasures": (toml(board=None, monsters='"0x4"'), "missing-key", 1, 1),
    "toml: no puzzles": ("puzzle = []", "no-puzzle", 1, 1),
    "toml: puzzle as a table": ("[puzzle]\n" + toml(), "wrong-type", 1, 1),
    "toml: rows as text": (toml(rows='"12"'), "wrong-type", 1, 8),
    "toml: board as list": (toml(board='["..M", "..."]'), "wrong-type", 3, 9),
    "toml: board as table": (toml(board=None) + "[board]\nx = 1", "wrong-type", 3, 1),
    "toml: monsters as number": (toml(monsters="4"), "wrong-type", 4, 12),
    "toml: name as number": (toml(name="4"), "wrong-type", 4, 8),
    "toml: game as number": (toml(game="4"), "wrong-type", 4, 8),
    "toml: unknown game": (toml(game='"chess"'), "unknown-game", 4, 8),
    "toml: clue as text": (toml(rows='[1, "2"]'), "clue-type", 1, 12),
    "toml: clue true": (toml(rows="[true, 2]"), "clue-type", 1, 9),
    "toml: clue 1.0": (toml(columns="[0, 1.0, 2]"), "clue-type", 2, 15),
    "toml: clue too large": (toml(rows="[1,\n # the second\n 4]"), "clue-range", 3, 2),
    "toml: clue negative": (toml(columns="[-1, 1, 2]"), "clue-range", 2, 12),
    "toml: clue enormous": (toml(rows="[1, 0x" + "f" * 9000 + "]"), "clue-range", 1, 12),
    "toml: no clues": (toml(rows="[]"), "empty-board", 1, 8),
    "toml: no columns": (toml(columns="[]"), "empty-board", 2, 11),
    "toml: 33 rows": (toml(rows=str([1] * 33)), "too-large", 1, 8),
    "toml: 33 columns": (toml(columns=str([1] * 33)), "too-large", 2, 11),
    "toml: short row": (toml(board="'''\n..M\n.#\n'''"), "row-length", 5, 3),
    "toml: long row": (toml(board="'''\n ..M\n .#..\n'''"), "row-length", 5, 5),
    "toml: long row with escapes": (toml(board='"..M\\n.\\u0023.."'), "row-length", 3, 23),
    "toml: row missing": (toml(board="'''\n..M\n'''"), "row-number", 3, 9),
    "toml: row too many": (toml(board='"""\n..M\n.#.\n...\n"""'), "row-number", 6, 1),
    "toml: empty board": (toml(board="''"), "row-number", 3, 9),
    "toml: bad letter": (toml(board="'''\n  ..M\n  .X.\n'''"), "bad-letter", 5, 4),
    "toml: letter beyond ASCII": (toml(board="'''\n..\u041c\n...\n'''"), "bad-letter", 4, 3),
    "toml: blank within a row": (toml(board="'''\n. M\n...\n'''"), "bad-letter", 4, 2),
    "toml: bad hexadecimal": (toml(board=None, monsters='"0x4g"', treasures='"0"'), "bad-hexadecimal", 3, 16),
    "toml: hexadecimal negative": (toml(board=None, monsters='"-4"', treasures='"0"'), "bad-hexadecimal", 3, 13),
    "toml: hexadecimal empty": (toml(board=None, monsters='"4"', treasures='""'), "bad-hexadecimal", 4, 14),
    "toml: hexadecimal outside": (toml(board=None, monsters='"0x40"', treasures='"0"'), "outside-board", 3, 12),
    "toml: hexadecimal enormous": (toml(monsters=f'"{"f" * 100000}"'), "outside-board", 4, 12),
    "toml: monster on treasure": (toml(board=None, monsters='"5"', treasures='"4"'), "monster-on-treasure", 4, 13),
    "toml: board without the monster": (toml(monsters='"0x6"'), "board-conflict", 3, 11),
    "toml: board with another treasure": (toml(treasures='"0x1"'), "board-conflict", 3, 10),
    "toml: unknown expectation": (fixture_of("solution_count = 1"), "unknown-key", 14, 1),
    "toml: expect no table": (toml(expect="1"), "wrong-type", 4, 1),
    "toml: solutions negative": (fixture_of("solutions = -1"), "wrong-type", 14, 13),
    "toml: solutions as word": (fixture_of('solutions = "few"'), "wrong-type", 14, 13),
    "toml: nodes as text": (fixture_of('nodes = "1"'), "wrong-type", 14, 9),
    "toml: nodes as table": (fixture_of("nodes.x = 1"), "wrong-type", 14, 1),
    "toml: solution as number": (fixture_of("solution = 7"), "wrong-type", 14, 12),
    "toml: solution with unknown": (fixture_of(f"solution = '''\n{SOLVED[:-1]}?'''"), "bad-letter", 22, 8),
    "toml: solution too short": (fixture_of(f"solution = '''\n{SOLVED[:-1]}'''"), "row-length", 22, 8),
    "toml: second solution too long": (
        fixture_of(f"solution = ['''{SOLVED}''', '''\n{SOLVED}.''']"), "row-length", 29, 9
    ),
    "toml: solution with a wall on a monster": (
        fixture_of(f"solution = '''\n{BAD_SOLUTION}'''"), "expect-conflict", 15, 6
    ),
    "toml: solution with another treasure": (fixture_of(f"solution = '''\nT{SOLVED[1:]}'''"), "expect-conflict", 15, 1),
    "toml: same solution twice": (
        fixture_of(f"solution = ['''{SOLVED}''',\n'''{SOLVED}''']"), "expect-conflict", 22, 1),
    "toml: solutions and solution": (
        fixture_of(f"solution = '''\n{SOLVED}'''\nsolutions = 2"), "expect-conflict", 23, 13
    ),
    "toml: many and one solution": (
        fixture_of(f"solutions = 'many'\nsolution = '''\n{SOLVED}'''"), "expect-conflict", 14, 13
    ),
    "toml: faults of no board": (fixture_of("faults = []"), "expect-conflict", 14, 1),
    "toml: unknown rule": (toml(expect="{ faults = ['no-rule'] }"), "unknown-rule", 4, 22),
    "toml: rules in wrong order": (
        toml(expect="{ faults = ['dead-end', 'row-count'] }"), "expect-conflict", 4, 34
    ),
    "toml: rule twice": (toml(expect="{ faults = ['dead-end', 'dead-end'] }"), "expect-conflict", 4, 34),
    # DDN
    "ddn: two fields": ("012:12", "bad-ddn", 1, 7),
    "ddn: four fields": ("012:12:2m/3:x", "bad-ddn", 1, 12),
    "ddn: after a good line": ("012:12:2m/3\n# x\n012:12:2m/4\n", "row-length", 3, 11),
    "ddn: clue letter": ("0A2:12:2m/3", "clue-type", 1, 2),
    "ddn: clue in list": ("0,x,2:12:2m/3", "clue-type", 1, 3),
    "ddn: clue 07": ("0,1,2:1,07:2m/3", "clue-type", 1, 9),
    "ddn: clue too large": ("012:1z:2m/3", "clue-range", 1, 6),
    "ddn: clue too large in list": ("0,1,44:12:2m/3", "clue-range", 1, 5),
    "ddn: no columns": (":12:2m/3", "empty-board", 1, 1),
    "ddn: no rows": ("012::2m/3", "empty-board", 1, 5),
    "ddn: 33 columns": ("0" * 33 + ":1:33", "too-large", 1, 1),
    "ddn: short row": ("012:12:2m/2", "row-length", 1, 12),
    "ddn: empty row": ("012:12:/3", "row-length", 1, 8),
    "ddn: long row": ("012:12:2m/2mt", "row-length", 1, 13),
    "ddn: enormous run": ("012:12:2m/" + "9" * 6000, "row-length", 1, 11),
    "ddn: row missing": ("012:12:2m", "row-number", 1, 10),
    "ddn: row too many": ("012:12:2m/3/3", "row-number", 1, 13),
    "ddn: bad letter": ("012:12:2m/1x1", "bad-ddn", 1, 12),
    "ddn: capital letter": ("012:12:2M/3", "bad-ddn", 1, 9),
    "ddn: digit beyond ASCII": ("012:12:2m/\uff13", "bad-ddn", 1, 11),
    "ddn: zero": ("012:12:2m0/3", "bad-ddn", 1, 10),
    "ddn: leading zero": ("012:12:02m/3", "bad-ddn", 1, 8),
    "ddn: field without value": ("012:12:2m/3 name=x rating", "bad-field", 1, 20),
    "ddn: field without key": ("012:12:2m/3 =x", "bad-field", 1, 13),
    "ddn: field twice": ("012:12:2m/3 a=1 a=2", "bad-field", 1, 17),
    "ddn: two names": ("012:12:2m/3 x name=y", "bad-field", 1, 15),
    "ddn: bad link": ("https://x.y/#012:12:2m/2", "row-length", 1, 25),
    "ddn: long line": (P1_DDN + " x=" + "y" * 70000, "line-too-long", 1, 65537),
    # text grids
    "text: short row": (CLOSE[:-2], "row-length", 3, 4),
    "text: long row": (CLOSE.replace("..M", "..M  #"), "row-length", 2, 7),
    "text: no rows": ("// x\n\n 012\n\nend", "row-number", 3, 1),
    "text: bad letter": (CLOSE.replace("#", "x"), "bad-letter", 3, 3),
    "text: letter beyond ASCII": (CLOSE.replace("#", "█"), "bad-letter", 3, 3),
    "text: tab": (CLOSE.replace("#", "\t"), "bad-letter", 3, 3),
    "text: column clue": (CLOSE.replace("012", "0x2"), "clue-type", 1, 3),
    "text: row clue": (CLOSE.replace("2.#", "x.#"), "clue-type", 3, 1),
    "text: row clue missing": (CLOSE.replace("2.#", " .#"), "clue-type", 3, 1),
    "text: row clue too large": (CLOSE.replace("2.#", "4.#"), "clue-range", 3, 1),
    "text: column clue too large": (CLOSE.replace("012", "013"), "clue-range", 1, 4),
    "text: title and no grid": (CLOSE + "\nThe end\n", "trailing-data", 5, 1),
    "text: bad second": (CLOSE + "\n0x2\n1...\n", "clue-type", 5, 2),
    "text: 33 rows": (" 0\n" + "0.\n" * 33, "too-large", 1, 1),
    "text: many columns": (" " + "0" * 50000 + "\n0.\n", "too-large", 1, 1),
    "spaced: short row": (SPACED.replace(" M", ""), "row-length", 2, 6),
    "spaced: long row": (SPACED.replace("M", "M M"), "row-length", 2, 9),
    "spaced: two cells in one": (SPACED.replace(". #", ".#"), "row-length", 3, 7),
    "spaced: two cells in one, one more": (SPACED.replace(". #", ".# ."), "bad-letter", 3, 3),
    "spaced: clue": (SPACED.replace("1 2", "1x2"), "clue-type", 1, 6),
    "spaced: enormous clue": (SPACED.replace("1 2", "1 " + "2" * 5000), "clue-type", 1, 7),
    "spaced: clue of nine digits": (SPACED.replace("1 2", "1 222222222"), "clue-range", 1, 7),
    # Daily-D&D
    "daily: no rows": ("x!.012", "truncated", 1, 7),
    "daily: no dot": ("x!012!1..m!2", "bad-letter", 1, 3),
    "daily: column clue": ("x!.0a2!1..m!2", "clue-type", 1, 5),
    "daily: row clue": ("x!.012!1..m!z", "clue-type", 1, 13),
    "daily: row clue beyond ASCII": ("x!.012!1..m!²", "clue-type", 1, 13),
    "daily: empty row": ("x!.012!1..m!", "clue-type", 1, 13),
    "daily: row clue too large": ("x!.012!1..m!4", "clue-range", 1, 13),
    "daily: column clue too large": ("x!.013!1..m!2", "clue-range", 1, 6),
    "daily: long row": ("x!.012!1..m.!2", "row-length", 1, 12),
    "daily: bad letter": ("x!.012!1..m!2.?", "bad-letter", 1, 15),
    "daily: no columns": ("x!.!1!2", "empty-board", 1, 3),
    "daily: 33 rows": ("x!.012" + "!1" * 33, "too-large", 1, 3),
    "daily: bad letter in a link": ("https://x.y/?puzzle=x%21.012%211..m%212.%3F", "bad-letter", 1, 41),
    "daily: broken link": ("?puzzle=x!.012!1..m!2%2", "bad-link", 1, 22),
    "daily: link that is no text": ("?puzzle=%ff!.012!1..m!2", "bad-link", 1, 9),
    "daily: empty link": ("https://x.y/?puzzle=&a=1", "truncated", 1, 21),
    # JSON
    "json: syntax": ('{"rows": [1, 2}', "bad-json", 1, 15),
    "json: cut off": (js()[:-1], "bad-json", 4, 16),
    "json: no colon": ('{"rows" [1]}', "bad-json", 1, 9),
    "json: no comma": ('{"rows": [1] "columns": [1]}', "bad-json", 1, 14),
    "json: key without quotes": ('{\n1: 2}', "bad-json", 2, 1),
    "json: key twice": (js() .replace("}", ',\n"rows": [1, 2]}'), "bad-json", 5, 1),
    "json: something behind": (js() + "\nx", "bad-json", 5, 1),
    "json: list of numbers": ("[\n1, 2]", "bad-json", 2, 1),
    "json: deep": ('{"rows": ' + "[" * 200000, "bad-json", 1, 10),
    "json: deep list": ("[" * 200000, "bad-json", 1, 2),
    "json: no treasures": ("\n" + js(treasures=None), "missing-key", 2, 1),
    "json: misspelled key": (js(monsters=None, monster="[]"), "missing-key", 1, 1),
    "json: rows as text": (js(rows='"12"'), "wrong-type", 1, 10),
    "json: monsters as number": (js(monsters="3"), "wrong-type", 3, 13),
    "json: cell as number": (js(monsters="[[0, 2], 3]"), "wrong-type", 3, 22),
    "json: cell of three": (js(monsters="[[0, 2, 1]]"), "wrong-type", 3, 14),
    "json: cell true": (js(monsters="[[0, true]]"), "wrong-type", 3, 14),
    "json: name as number": (js(name="3"), "wrong-type", 5, 9),
    "json: half a surrogate pair": (js(name='"\\ud800"'), "encoding", 5, 9),
    "json: puzzles as number": ('{"puzzles": 3}', "wrong-type", 1, 13),
    "json: clue 1.5": (js(rows="[1, 1.5]"), "clue-type", 1, 14),
    "json: clue as text": (js(columns='[0, 1, "2"]'), "clue-type", 2, 19),
    "json: clue too large": (js(columns="[0, 3, 2]"), "clue-range", 2, 16),
    "json: enormous clue": (js(rows=f"[1, {'9' * 6000}]"), "clue-range", 1, 14),
    "json: NaN": (js(rows="[1, NaN]"), "clue-type", 1, 14),
    "json: no rows": (js(rows="[]"), "empty-board", 1, 10),
    "json: 33 columns": (js(columns=str([0] * 33)), "too-large", 2, 12),
    "json: cell outside": (js(treasures="[[0, 0], [2, 0]]"), "outside-board", 4, 23),
    "json: cell negative": (js(treasures="[[0, -1]]"), "outside-board", 4, 15),
    "json: enormous cell": (js(treasures=f"[[0, {'9' * 6000}]]"), "outside-board", 4, 15),
    "json: cell twice": (js(monsters="[[0, 2], [1, 0], [0, 2]]"), "repeated-cell", 3, 30),
    "json: monster on treasure": (js(treasures="[[0, 0], [0, 2]]"), "monster-on-treasure", 4, 23),
    "json: board as text": (js(board='"..M"'), "wrong-type", 5, 10),
    "json: short row": (js(board='["..M",\n ".#"]'), "row-length", 6, 5),
    "json: row missing": (js(board='["..M"]'), "row-number", 5, 10),
    "json: bad letter": (js(board='["..M", "x.."]'), "bad-letter", 5, 19),
    "json: wall on a monster": (js(board='["..#", "..."]'), "board-conflict", 5, 14),
    "json: treasure that is none": (js(board='["...", "..T"]'), "board-conflict", 5, 21),
    "json: solution with unknown": (js(solution='["..M", "..?"]'), "bad-letter", 5, 24),
    "json: second line": (js().replace("\n", "") + "\n" + js(rows="[1, 4]").replace("\n", ""), "clue-range", 2, 14),
    # the course's C
    "course: not closed": ("problem p = { 1, 2, { 1 }", "truncated", 1, 26),
    "course: unknown field": (c(".walls = 3"), "unknown-key", 2, 2),
    "course: field twice": (c(".rows = {1}, .rows = {2}"), "bad-field", 2, 14),
    "course: five fields": (c("1, 2, {3}, {4}, 5"), "trailing-data", 2, 17),
    "course: nine clues": (c(".rows = {1,2,3,4,5,6,7,8,9}"), "clue-count", 2, 26),
    "course: clues without braces": (c(".rows = 1"), "wrong-type", 2, 9),
    "course: a map that is not there": (c(".monsters = map_to_board(m)"), "unknown-name", 2, 26),
    "course: an unknown function": (c(".monsters = monsters_of(m)"), "unknown-name", 2, 13),
    "course: map of 65 cells": ("map m = { [64] = 1 };\n" + c(".monsters = map_to_board(m)"), "unknown-name", 3, 26),
    "course: fraction": (c(".rows = { 1.5 }"), "bad-field", 2, 12),
    "course: suffix": (c(".monsters = 0x12G"), "bad-number", 2, 13),
    "course: negative": (c(".rows = { 1, -1 }"), "bad-number", 2, 14),
    "course: no comma": (c(".rows = { 1 2 }"), "bad-field", 2, 13),
    "course: clue too large": (c("// x\n.columns = { 1, 9 }"), "clue-range", 3, 17),
    "course: enormous clue": (c(f".rows = {{ {'9' * 9000} }}"), "clue-range", 2, 11),
    "course: too many bits": (c(".treasures = 0x10000000000000000"), "outside-board", 2, 14),
    "course: monster on treasure": (c("/* x */ .monsters = 3, .treasures = 2"), "monster-on-treasure", 2, 37),
    # tokyo.dat
    "tokyo: four billion puzzles": (b"\xff\xff\xff\xff" + b"\0" * 100, "truncated", 1, 1),
    "tokyo: one puzzle too few": (b"\3" + TOKYO[1:], "truncated", 1, 1),
    "tokyo: one puzzle too many": (b"\1" + TOKYO[1:], "trailing-data", 1, 4 + 85 + 1),
    "tokyo: no puzzles": (b"\0\0\0\0", "no-puzzle", 1, 1),
    "tokyo: cut in the count": (b"\1\0", "truncated", 1, 1),
    "tokyo: cut in the cells": (TOKYO[:50] + b"", "truncated", 1, 1),
    "tokyo: cut at the end": (TOKYO[:-1], "truncated", 1, len(TOKYO) - 15),
    "tokyo: endless title": (b"\1\0\0\0" + struct.pack("<I", 10**9) + b"x" * 100, "truncated", 1, 5),
    "tokyo: title beyond ASCII": (b"\1\0\0\0\1\0\0\0\xe9" + b"\0" * 80, "bad-letter", 1, 9),
    "tokyo: title with a control character": (b"\1\0\0\0\1\0\0\0\x1b" + b"\0" * 80, "bad-letter", 1, 9),
    "tokyo: cell 4": (TOKYO.replace(b"\1" * 64, b"\1" * 63 + b"\4"), "bad-letter", 1, 89 + 5 + 64),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_malformed(kind: str) -> None:
    source, code, line, column = KINDS[kind]
    error = fail(source)
    found = error.diagnostic
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column, found.span.file) == (code, line, column, "bad")
    shown = str(error)
    assert shown == render(found)
    assert len(shown) < 600
    assert shown.isprintable() or set(filter(lambda char: not char.isprintable(), shown)) == {"\n"}


def test_a_long_cell_is_shown_in_part() -> None:
    for length, shown in ((10, "'xxxxxxxxxx'"), (11, "'xxxxxxxxxx...'")):
        assert fail(SPACED.replace("#", "x" * length)).diagnostic.message == f"{shown} is not a cell"


def test_there_are_kinds_of_all_codes() -> None:
    """Each code of the documentation's table has its case, those apart that need a file or a writer."""
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    rows = text[text.index("## Errors of reading") :].splitlines()
    codes = {word for row in rows if row.startswith("| `") for word in row.split("`")[1::2] if " " not in word}
    assert codes - {", "} == {code for _, code, _, _ in KINDS.values()} | {"not-writable"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"1" * 10_000_000, "unknown-format"),
        (b"a" * 10_000_000, "unknown-format"),
        (b"\xff" * 10_000_000, "encoding"),
        (P1_DDN.encode() + b" name=" + b"x" * 10_000_000, "line-too-long"),
        (P1_DDN.encode() + b"\n" + b"x" * 10_000_000, "line-too-long"),
        (b"x!.012!1" + b"." * 10_000_000, "line-too-long"),
        (b"012:12:" + b"9" * 10_000_000, "line-too-long"),
        (b" " + b"0" * 10_000_000 + b"\n0.", "unknown-format"),
        (b'{"rows": "' + b"x" * 10_000_000, "bad-json"),
        (b"rows = '" + b"x" * 10_000_000, "toml-syntax"),
        (b"board = '''\n" + b"x" * 10_000_000 + b"'''\nrows=[1]\ncolumns=[1]", "row-length"),
        (b"problem p = {" + b" " * 10_000_000, "truncated"),
        (b"problem p = { " + b"9" * 10_000_000 + b"}", "outside-board"),
    ],
)
def test_ten_megabytes_in_a_line(line: bytes, code: str) -> None:
    error = fail(line)
    assert error.diagnostic.code == code
    assert len(str(error)) < 600


def test_paths(tmp_path: Path) -> None:
    for path in (tmp_path / "none.ddn", str(tmp_path / "none.ddn"), tmp_path, str(tmp_path), "none.toml", ""):
        with pytest.raises(InputError) as caught:
            list(reading.entries(path))
        assert caught.value.diagnostic.code == "unreadable-file"
        assert caught.value.diagnostic.span is not None


def test_a_file_is_named_in_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("rows = [1]\n")
    with pytest.raises(InputError) as caught:
        reading.load(path)
    assert str(caught.value).splitlines()[1] == f" --> {path}:1:1"


# ---------------------------------------------------------------- nothing but entries and InputErrors


def read(data: bytes, format: str | None = None) -> list[Entry] | InputError:
    try:
        return list(reading.entries(data, format=format))
    except InputError as error:
        return error


def read_or_refuse(data: bytes, format: str | None = None) -> list[Entry]:
    """The entries; [] after an error, which must have a place that can be shown."""
    found = read(data, format)
    if isinstance(found, list):
        return found
    span = found.diagnostic.span
    assert isinstance(span, Span)
    assert 1 <= span.line <= 1 + data.count(b"\n") + data.count(b"\r")
    assert 1 <= span.column <= (len(span.text) if span.text else len(data)) + 1
    assert str(found)
    return []


FORMATS = [None, "toml", *notation.FORMATS_IN]


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.binary(max_size=200) | st.text("0123.:/!mtwfMT#?*{}[]\",= \n'\\xp", max_size=200).map(str.encode))
def test_any_bytes(format: str | None, data: bytes) -> None:
    read_or_refuse(data, format)


VALID = [text.encode() for text in FORMS.values()] + [
    TOKYO,
    fixture_of(f"solutions = 1\nsolution = '''\n{SOLVED}'''\nnodes = 1").encode(),
    js(board='["..M", "?#."]').encode(),
]


@settings(max_examples=300)
@given(data=st.data())
def test_any_mutation(data: st.DataObject) -> None:
    """A valid text with a few pieces cut out, doubled, replaced or put in."""
    text = data.draw(st.sampled_from(VALID))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 10)))
        signs = [text[start:end] * 2, b"\n", b" ", b'"', b"[", b"9", b"\xc3\xa9"]
        new = data.draw(st.binary(max_size=3) | st.sampled_from(signs))
        text = text[:start] + new + text[end:]
    for entry in read_or_refuse(text):
        assert reading.loads(reading.dumps(entry.puzzle)) == [entry.puzzle]
