"""Measure our solvers beside their peers, or compare what they answer.

    python tools/bench.py [GAME] [FILE...] [--sets p1-p9,bbs64] [--peers minicard,cadical,cpsat,clingo]
                          [--repeat N] [--budget SECONDS] [--json OUT] [--markdown OUT]
    python tools/bench.py [GAME] [FILE...] --agree

GAME is dungeon, the default, suguru or pegs. FILE is a data file (.json, .jsonl, packed or not) or anything that `dnd`
reads; files joined by a comma are one set. All contenders are measured on the same boards in the same run. Of a large
set the slow ones take a sample, as large as the budget allows, and are compared with our engine on just that.

`--agree` measures nothing: both kernels and the peers solve every board up to two solutions, and every disagreement
is printed. Exit code 1 if there is any.

The game's part is a module beside this one, `bench_GAME`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import table

GAMES = ("dungeon", "suguru", "pegs")
FLAGS = "-O3 -march=x86-64-v2"


def main(arguments: Sequence[str]) -> int:
    """Run; the exit code."""
    named = bool(arguments) and arguments[0] in GAMES
    game = importlib.import_module(f"bench_{arguments[0] if named else GAMES[0]}")
    options = parser(game).parse_args(arguments[named:])
    chosen = options.sets if options.sets is not None else [] if options.files else list(game.SETS)
    sets = game.sets(chosen, options.files)
    return compare(game, sets, options) if options.agree else bench(game, sets, options)


def parser(game: Any) -> argparse.ArgumentParser:
    """The command line of one game."""

    def names(text: str) -> list[str]:
        return [name for name in text.split(",") if name]

    def peers(text: str) -> list[str]:
        if unknown := set(names(text)) - set(game.PEERS):
            raise argparse.ArgumentTypeError(f"no peer is called {', '.join(sorted(unknown))}")
        return names(text)

    own = argparse.ArgumentParser(prog="bench.py", description="Measure our solvers beside their peers.")
    own.add_argument("files", nargs="*", metavar="FILE", help="a data file; files joined by commas are one set")
    own.add_argument("--sets", type=names, metavar="NAMES", help=f"of {', '.join(game.SETS)} (all, without files)")
    own.add_argument("--peers", type=peers, metavar="NAMES", default=list(game.PEERS), help="default: %(default)s")
    own.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds; times are their medians")
    own.add_argument("--budget", type=float, default=10, metavar="SECONDS", help="for one slow contender on one set")
    own.add_argument("--flags", default=FLAGS, help="what the kernels were compiled with, to be printed")
    own.add_argument("--json", type=Path, metavar="OUT", help="write the figures there")
    own.add_argument("--markdown", type=Path, metavar="OUT", help="write the tables there too")
    own.add_argument("--agree", action="store_true", help="compare answers instead of measuring")
    own.add_argument("--kernels", type=names, default=["c", "py"], metavar="NAMES", help="to compare, default c,py")
    return own


def bench(game: Any, sets: Any, options: argparse.Namespace) -> int:
    """Measure and print a table for each set."""
    text: list[str] = []

    def say(part: str) -> None:
        text.append(part)
        print(part, end="\n\n", flush=True)

    facts = game.machine(options.flags)
    say("\n".join(f"- {name}: {value}" for name, value in facts.items()))
    figures = {}
    for name, cases in sets:
        rows = list(game.rows([case.puzzle for case in cases], options))
        say(f"### {name}: {len(cases):,} boards\n\n{table(rows)}")
        figures[name] = {"boards": len(cases), "rows": [row._asdict() for row in rows]}
    if absent := [name for name in options.peers if game.PEERS[name] is None]:
        say(f"Not installed: {', '.join(absent)}.")
    if options.markdown:
        options.markdown.write_text("\n\n".join(text) + "\n", encoding="utf-8")
    if options.json:
        report = {"machine": facts, "sets": figures}
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def compare(game: Any, sets: Any, options: argparse.Namespace) -> int:
    """Compare and print every disagreement."""
    wrong = 0
    print(f"compared: {', '.join(game.solvers(options.kernels, options.peers))}", flush=True)
    for name, cases in sets:
        faults = 0
        for line in game.agree(cases, options):
            faults += 1
            print(line, flush=True)
        print(f"{name}: {len(cases):,} boards, {faults} disagreements", flush=True)
        wrong += faults
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
