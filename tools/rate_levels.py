"""The ratings of the 64 levels: `python tools/rate_levels.py [--markdown] [--pin] [FILE...]`

FILE: fixtures; by default the levels of Last Call BBS, whose names tell their order. Prints rating and hardest
technique of each, how many are of each level of difficulty, and the rank correlations (Spearman) of number, and of
hardest technique, with the order of the levels. `--markdown` prints the table of docs/rating.md; `--pin` writes the
ratings into the fixtures.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from dnd.dungeon.explainer import LEVELS, TECHNIQUES, Rating, rate
from dnd.game import Entry
from dnd.reading import entries
from dnd.testing.updates import rewrite

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "bbs"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", default=sorted(FIXTURES.glob("*.toml")))
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--pin", action="store_true", help="write the ratings into the fixtures")
    options = parser.parse_args(arguments)
    rated = [(entry.name, rate(entry.puzzle)) for path in options.files for entry in entries(path)]
    print("\n".join(_table(rated) if options.markdown else _lines(rated)))
    if options.pin:
        for path in options.files:
            pin(path, list(entries(path)))
    return 0


def pin(path: Path, found: Sequence[Entry]) -> None:
    """Write ratings into the expectations of a fixture's puzzles, where they have any and the rating is another."""
    ratings = {number: rate(entry.puzzle).text for number, entry in enumerate(found) if entry.expect}
    changes: dict[int, dict[str, object]] = {
        number: {"rating": text} for number, text in ratings.items() if found[number].expect.get("rating") != text
    }
    if changes:
        rewrite(path, changes)


def _lines(rated: Sequence[tuple[str, Rating]]) -> Iterator[str]:
    for name, rating in rated:
        yield f"{name:6} {rating.level:13} {rating.number:5} {rating.hardest}"
    yield from _summary([rating for _, rating in rated])


def _table(rated: Sequence[tuple[str, Rating]]) -> Iterator[str]:
    """A row for each chapter: the first number of a level's name."""
    yield "| | " + " | ".join(str(number) for number in range(1, 9)) + " |"
    yield "|---|" + "---|" * 8
    for chapter in dict.fromkeys(name.partition("-")[0] for name, _ in rated):
        cells = [f"{rating.level} {rating.number}" for name, rating in rated if name.partition("-")[0] == chapter]
        yield f"| **{chapter}** | {' | '.join(cells)} |"
    yield ""
    yield from _summary([rating for _, rating in rated])


def _summary(ratings: Sequence[Rating]) -> Iterator[str]:
    levels = Counter(rating.level for rating in ratings)
    yield ", ".join(f"{levels[level]} {level}" for level in LEVELS)
    order = list(range(len(ratings)))
    if len(ratings) > 1:
        number = spearman([rating.number for rating in ratings], order)
        hardest = spearman([TECHNIQUES.index(rating.hardest) for rating in ratings], order)
        yield f"rank correlation with the order of the levels: number {number:.2f}, hardest technique {hardest:.2f}"


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """The rank correlation of two rows of numbers; equal numbers share their ranks' mean. 0 if one is all equal."""
    ranks = [_ranks(first), _ranks(second)]
    middle = (len(first) - 1) / 2
    products = sum((one - middle) * (other - middle) for one, other in zip(*ranks, strict=True))
    squares = [sum((rank - middle) ** 2 for rank in some) for some in ranks]
    return products / (squares[0] * squares[1]) ** 0.5 if all(squares) else 0.0


def _ranks(numbers: Sequence[float]) -> list[float]:
    ordered = sorted(numbers)
    return [ordered.index(number) + (ordered.count(number) - 1) / 2 for number in numbers]


if __name__ == "__main__":
    sys.exit(main())
