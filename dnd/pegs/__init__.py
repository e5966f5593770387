"""Peg solitaire. The rooms: puzzle, draw, cells, dialects, notation, rules, oracle, certificates, programme, proofs,
proof_notation, solver, kernel, explain, generate, fixtures."""

from __future__ import annotations

import importlib

from dnd.game import Game, door
from dnd.pegs import notation

_ROOM = "dnd.pegs"

# Reading and converting puzzles needs neither solver nor kernels: most doors are opened when somebody comes.
GAME = Game(
    name="pegs",
    read_table=notation.read_table,
    detect=notation.detect,
    read=notation.read,
    write=notation.write,
    formats_in=notation.FORMATS_IN,
    formats_out=notation.FORMATS_OUT,
    line_formats=notation.LINE_FORMATS,
    byte_formats=notation.BYTE_FORMATS,
    suffixes=notation.SUFFIXES,
    guess=notation.guess,
    solve=door(f"{_ROOM}.solver", "solve"),
    solve_runs=door(f"{_ROOM}.solver", "solve_runs"),
    count=door(f"{_ROOM}.solver", "count"),
    backbone=None,
    engine=door(f"{_ROOM}.solver", "engine"),
    methods=("auto", "moves", "reference"),
    missing="jumps to go",
    options=("seconds", "memory", "final"),
    slow=True,
    rules=door(f"{_ROOM}.rules", "all_rules"),
    check=door(f"{_ROOM}.rules", "check"),
    as_board=door(f"{_ROOM}.rules", "as_board"),
    draw=door(f"{_ROOM}.puzzle", "picture"),
    frames=door(f"{_ROOM}.puzzle", "frames"),
    log=notation.log,
    outlook=door(f"{_ROOM}.explainer", "outlook"),
    read_proofs=door(f"{_ROOM}.proof_notation", "read"),
    verify=door(f"{_ROOM}.explainer", "verify"),
    hints=door(f"{_ROOM}.explainer", "hints"),
    negative_hints=("illegal-jump", "lost", "undecided"),
    explain=door(f"{_ROOM}.explainer", "explain"),
    rate=door(f"{_ROOM}.explainer", "rate"),
    requested=door(f"{_ROOM}.generator", "parse_request"),
    generate=door(f"{_ROOM}.generator", "generate"),
    fixtures=lambda: importlib.import_module(f"{_ROOM}.testing"),
)
