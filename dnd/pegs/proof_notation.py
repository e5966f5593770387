"""Proofs as JSON, read back: what `Proof.as_json` writes, alone or in an answer of `dnd solve --json`.

Only the form is judged here, with the place of what is wrong; whether a proof holds, and for which puzzle, is for
`dnd.pegs.proofs.check_proof` to say. Unknown keys are left alone, and so is `kind` of a proof, which its parts tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dnd.diagnostic import Cell, input_error
from dnd.pegs.certificates import Leaf, Must, Node, Orders, Split
from dnd.pegs.draw import STEPS, Jump
from dnd.pegs.proofs import CALL, POSITION, ByClass, ByExhaustion, ByInteger, ByMarks, ByResource, Part, Proof
from dnd.texts.json import JsonText, Members, puzzle_objects
from dnd.texts.lines import decode, plain


def read(data: bytes, file: str = "") -> Iterator[Proof]:
    """The proofs of a file, one an object: answers or bare proofs, one after the other or in lists.

    Raises `InputError`: no-proof for an answer that has none, bad-json, missing-key or wrong-type.
    """
    text = plain(decode(data, file))
    for _, at, members in puzzle_objects(text, file):
        # The objects are walked by their own JsonText, which knows where it is; ours goes into them.
        yield _proof(_Object(JsonText(text, file), at, members))


class _Object:
    """An object in a JSON text. Its methods return members as they are meant to be, or raise `InputError`."""

    def __init__(self, source: JsonText, at: int, members: Members | None = None) -> None:
        if not source.text.startswith("{", at):
            raise input_error("wrong-type", "expected an object", source.places.span(at))
        self.source, self.at = source, at
        self.members = source.members(at) if members is None else members

    def get(self, key: str, fits: Callable[[object], bool], what: str) -> Any:  # what fits
        """A member that must be there."""
        if key not in self.members:
            raise input_error("missing-key", f"the key {key} is missing", self.source.places.span(self.at))
        start, value = self.members[key]
        if not fits(value):
            raise input_error("wrong-type", f"{key} must be {what}", self.source.places.span(start))
        return value

    def whole(self, key: str) -> int:
        """A whole number."""
        number: int = self.get(key, _is_whole, "a whole number")
        return number

    def objects(self, key: str) -> Iterator[_Object]:
        """The objects of a list."""
        self.get(key, _is_list, "a list of objects")
        return (_Object(self.source, start) for start in self.source.items(self.members[key][0]))

    def wholes(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(self._listed(key, _is_whole, "whole numbers"))

    def cells(self, key: str) -> tuple[Cell, ...]:
        """A list of cells."""
        return tuple(map(tuple, self._listed(key, _is_cell, "pairs [row, column]")))

    def jumps(self, key: str) -> tuple[Jump, ...]:
        """A list of jumps."""
        return tuple(map(tuple, self._listed(key, _is_jump, "jumps [row, column, direction]")))

    def _listed(self, key: str, fits: Callable[[object], bool], what: str) -> list[Any]:
        values: list[Any] = self.get(key, _is_list, f"a list of {what}")
        for index, value in enumerate(values):
            if not fits(value):
                start = list(self.source.items(self.members[key][0]))[index]
                raise input_error("wrong-type", f"{key} must be a list of {what}", self.source.places.span(start))
        return values


_FAR = 256  # rows and columns that no board has


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_whole(value: object) -> bool:
    # bool is an int to Python.
    return type(value) is int


def _is_cell(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int and 0 <= part < _FAR for part in value)


def _is_jump(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and _is_cell(value[:2]) and value[2] in range(len(STEPS))


def _proof(found: _Object) -> Proof:
    if "proof" in found.members:
        start, proof = found.members["proof"]
        if proof is None:
            hint = "only impossible puzzles have proofs; jumps are checked with --board"
            raise input_error("no-proof", "this answer has no proof", found.source.places.span(start), hint)
        found = _Object(found.source, start)
    parts = tuple(map(_part, found.objects("parts")))
    if not parts:
        raise input_error("wrong-type", "a proof must have parts", found.source.places.span(found.members["parts"][0]))
    return Proof(parts)


def _part(found: _Object) -> Part:
    kind = found.get("kind", lambda kind: isinstance(kind, str) and kind in _PARTS, f"one of {', '.join(_PARTS)}")
    return _PARTS[kind](found)


def _by_class(found: _Object) -> Part:
    first, second = found.get("class", _is_cell, "a pair of numbers from 0 to 3")
    return ByClass(found.cells("cells"), (first, second))


def _by_marks(found: _Object) -> Part:
    odd = found.get("odd", lambda odd: isinstance(odd, bool), "true or false")
    return ByMarks(found.cells("cells"), found.cells("marks"), odd)


def _by_resource(found: _Object) -> Part:
    return ByResource(found.cells("cells"), found.wholes("weights"), found.whole("start"), found.wholes("ends"))


def _by_integer(found: _Object) -> Part:
    return ByInteger(found.cells("cells"), tuple(map(_node, found.objects("tree"))))


def _by_exhaustion(found: _Object) -> Part:
    unit = CALL if f"{CALL}s" in found.members else POSITION
    return ByExhaustion(found.cells("cells"), found.whole(f"{unit}s"), unit)


_PARTS: dict[str, Callable[[_Object], Part]] = {
    "class": _by_class,
    "marks": _by_marks,
    "resource": _by_resource,
    "integer": _by_integer,
    "exhaustion": _by_exhaustion,
}


def _node(found: _Object) -> Node:
    if "jump" in found.members:
        jump = tuple(found.get("jump", _is_jump, "[row, column, direction]"))
        return Split(jump, found.whole("at_most"), found.whole("low"), found.whole("high"))
    if "orders" in found.members:
        return Orders()
    return Leaf(found.wholes("weights"), tuple(map(_must, found.objects("musts"))))


def _must(found: _Object) -> Must:
    return found.whole("price"), found.jumps("jumps")
