"""A rule of a game as a named validator, and rules that other packages add. Nothing here depends on a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dnd.diagnostic import Diagnostic
from dnd.plugins import plug_ins


@dataclass(frozen=True)
class Rule:
    """A named validator: `check(puzzle, board)` yields what `board`, complete or partial, does wrong."""

    code: str
    text: str
    check: Callable[[Any, Any], Iterator[Diagnostic]]  # a puzzle and a board of the rule's game


def with_plug_ins(rules: Sequence[Rule], group: str) -> tuple[Rule, ...]:
    """A game's rules in their order, then those of plug-ins.

    Raises RuntimeError when a plug-in is not a Rule or takes a code that is in use.
    """
    found = list(rules)
    for point in plug_ins(group):
        rule = point.load()
        if not isinstance(rule, Rule):
            raise RuntimeError(f"the entry point {point.name} = {point.value} of {group} is not a dnd.rule.Rule")
        if rule.code in {other.code for other in found}:
            raise RuntimeError(f"the plug-in rule {rule.code!r} ({point.value}) takes a code that is in use")
        found.append(rule)
    return tuple(found)


def judged(rules: Sequence[Rule], codes: Iterable[str] | None, puzzle: object, board: object) -> list[Diagnostic]:
    """What a board does wrong by the rules of those codes, None for all; ValueError for an unknown code."""
    wanted = {rule.code for rule in rules} if codes is None else {codes} if isinstance(codes, str) else set(codes)
    if unknown := wanted - {rule.code for rule in rules}:
        known = ", ".join(rule.code for rule in rules)
        raise ValueError(f"there is no rule {', '.join(map(repr, sorted(unknown)))}; the rules are {known}")
    return [diagnostic for rule in rules if rule.code in wanted for diagnostic in rule.check(puzzle, board)]
