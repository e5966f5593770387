"""Dungeons & Diagrams. The rooms: puzzle, draw, cells, dialects, notation, rules, oracle, solver, kernel, fixtures."""

from __future__ import annotations

import importlib

from dnd.dungeon import notation
from dnd.game import AnswerForm, Game, door

_ROOM = "dnd.dungeon"

# Reading and converting puzzles needs neither solver nor kernels: most doors are opened when somebody comes.
GAME = Game(
    name="dungeon",
    read_table=notation.read_table,
    detect=notation.detect,
    read=notation.read,
    write=notation.write,
    formats_in=notation.FORMATS_IN,
    formats_out=notation.FORMATS_OUT,
    line_formats=notation.LINE_FORMATS,
    solve=door(f"{_ROOM}.solver", "solve"),
    solve_runs=door(f"{_ROOM}.solver", "solve_runs"),
    count=door(f"{_ROOM}.solver", "count"),
    backbone=door(f"{_ROOM}.solver", "backbone"),
    engine=door(f"{_ROOM}.solver", "engine"),
    methods=("auto", "reference"),
    rules=door(f"{_ROOM}.rules", "all_rules"),
    check=door(f"{_ROOM}.rules", "check"),
    as_board=door(f"{_ROOM}.rules", "as_board"),
    draw=door(f"{_ROOM}.puzzle", "picture"),
    answers={"course": AnswerForm(door("dnd.course", "answer"), method="reference", limit=None)},
    hints=door(f"{_ROOM}.explainer", "hints"),
    negative_hints=("impossible", "wrong-cell", "several-solutions"),
    explain=door(f"{_ROOM}.explainer", "explain"),
    rate=door(f"{_ROOM}.explainer", "rate"),
    requested=door(f"{_ROOM}.generator", "parse_request"),
    generate=door(f"{_ROOM}.generator", "generate"),
    fixtures=lambda: importlib.import_module(f"{_ROOM}.testing"),
)
