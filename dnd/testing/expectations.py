"""What the readers of all games check in a fixture's expectations. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dnd.diagnostic import counted, input_error
from dnd.texts.toml import Table

MANY = "many"


def check_plain(table: Table) -> None:
    """Expectations are values; a table among them is an error."""
    for key in table.tables:
        raise input_error("wrong-type", f"{key} must not be a table", table.span(key))


def check_count(table: Table, key: str, or_else: str = "") -> None:
    """A whole number from 0, if the key is there; or_else: what else is allowed, for the message."""
    count = table.optional(key, int, f"a whole number from 0{or_else}", 0)
    if count < 0:
        raise input_error("wrong-type", f"{key} must be a whole number from 0{or_else}", table.span(key))


def check_solutions(table: Table, read: Callable[[int | None], object]) -> None:
    """`solution`, a drawn board or several, and `solutions`, their number or "many", which must agree.

    read(index) reads a drawing, index None where there is only one; it raises an error for a wrong one.
    """
    if table.get("solutions") != MANY:
        check_count(table, "solutions", f' or "{MANY}"')
    if "solution" not in table:
        return
    seen = list(_drawn(table, read))
    stated = table.get("solutions", len(seen))
    if stated != len(seen) and not (stated == MANY and len(seen) > 1):
        message = f"{counted(len(seen), 'solution')} drawn, which is not the number that solutions gives"
        raise input_error("expect-conflict", message, table.span("solutions"))


def _drawn(table: Table, read: Callable[[int | None], object]) -> Iterator[object]:
    """The drawn solutions, all different."""
    drawings = table.get("solution")
    if isinstance(drawings, str):
        yield read(None)
        return
    if not isinstance(drawings, list) or not all(isinstance(drawing, str) for drawing in drawings):
        raise input_error("wrong-type", "solution must be a drawn board or a list of them", table.span("solution"))
    seen = set()
    for index in range(len(drawings)):
        solution = read(index)
        if solution in seen:
            raise input_error("expect-conflict", "this solution is drawn twice", table.item_span("solution", index))
        seen.add(solution)
        yield solution


def check_faults(table: Table, codes: Callable[[], list[str]]) -> None:
    """`faults`: codes of rules, each once, in the order of the rules. codes() gives the known ones."""
    faults = table.optional("faults", list, "a list of rule codes", [])
    known = codes() if faults else []
    for index, code in enumerate(faults):
        place = table.item_span("faults", index)
        if code not in known:
            raise input_error("unknown-rule", "there is no rule of that code", place, f"rules: {', '.join(known)}")
        if code in faults[:index]:
            raise input_error("expect-conflict", f"{code} is listed twice", place)
        if index and known.index(code) < known.index(faults[index - 1]):
            raise input_error(
                "expect-conflict", f"{code} comes before {faults[index - 1]} in the order of the rules", place
            )
