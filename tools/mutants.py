"""Mutants of a Python source: each is the source with one thing broken, found by its syntax (for `tools/mutate.py`).

What is broken, by kind: a comparison turned or made strict, a whole number off by one, `and` for `or`, + for -, & for
|, a `not` dropped, True returned for False, the string of a key, a statement deleted, the body of an `if` emptied.
Types, docstrings, assertions and texts (f-strings) are left alone: to break them changes no answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_DELETED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Return, ast.Delete)


class Mutant(NamedTuple):
    """One broken source: the bytes from `start` to `end` of the file at `path` replaced by `text`.

    before, after: the line that is broken (the first, of several) and what becomes of it; with the function they name
    the mutant wherever its line moves.
    """

    path: str
    line: int
    function: str
    kind: str
    start: int
    end: int
    text: bytes
    before: str
    after: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.end :]

    def compiles(self, source: bytes) -> bool:
        try:
            compile(self.applied(source), self.path, "exec")
        except SyntaxError:
            return False
        return True


class _Edit(NamedTuple):
    first: ast.AST  # the replacement is for everything from the start of `first` to the end of `last`
    last: ast.AST
    kind: str
    text: str


def mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """All mutants of a source; some few do not compile."""
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    for function, edit in _edits(ast.parse(source), ""):
        start = starts[edit.first.lineno - 1] + edit.first.col_offset  # type: ignore[attr-defined]
        end = starts[edit.last.end_lineno - 1] + edit.last.end_col_offset  # type: ignore[attr-defined]
        line = source.count(b"\n", 0, start) + 1
        text = edit.text.encode()
        opened, closed = source[starts[line - 1] : start], source[end:].split(b"\n", 1)[0]
        before = source[starts[line - 1] :].split(b"\n", 1)[0].strip().decode()
        after = (opened + text + closed).strip().decode()
        yield Mutant(path, line, function, edit.kind, start, end, text, before, after)


def _edits(node: ast.AST, function: str) -> Iterator[tuple[str, _Edit]]:
    """What can be broken in a node and below it, with the name of the function around."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}".lstrip(".")
    for edit in _edits_of(node, in_function=bool(function)):
        yield function, edit
    for child in _children(node):
        yield from _edits(child, function)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that decide what the program does."""
    left_out = {"annotation", "returns", "decorator_list", "bases"}
    for name, value in ast.iter_fields(node):
        if name in left_out:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child


def _edits_of(node: ast.AST, *, in_function: bool) -> Iterator[_Edit]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                if turned := _TURNED.get(type(operator)):
                    operators = [*node.ops[:index], turned(), *node.ops[index + 1 :]]
                    yield _replaced(node, "comparison", ast.Compare(node.left, operators, node.comparators))
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield _replaced(node, "and/or", ast.BoolOp(other, node.values))
        case ast.UnaryOp(op=ast.Not()):
            yield _replaced(node, "not", node.operand)
        # At the top of a module `|` is a union of types.
        case ast.BinOp() if in_function and (swapped := _SWAPPED.get(type(node.op))):
            yield _replaced(node, "operator", ast.BinOp(node.left, swapped(), node.right))
        case ast.Constant(value=value) if type(value) is int:
            yield _Edit(node, node, "constant", str(value + 1))
            if value > 0:
                yield _Edit(node, node, "constant", str(value - 1))
        case ast.Return(value=ast.Constant(value=bool(value))):
            yield _Edit(node, node, "return", f"return {not value}")
        case ast.Dict():
            for key in node.keys:
                yield from _key(key)
        case ast.Subscript():
            yield from _key(node.slice)
        case ast.Call():
            yield from _flag(node)
        case ast.If():
            yield _Edit(node.body[0], node.body[-1], "body of if", "pass")
    if _is_worth_deleting(node):
        yield _Edit(node, node, "deleted", "pass")


def _replaced(node: ast.AST, kind: str, by: ast.AST) -> _Edit:
    return _Edit(node, node, kind, f"({ast.unparse(by)})")


def _key(key: ast.AST | None) -> Iterator[_Edit]:
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        yield _Edit(key, key, "key", repr(f"{key.value}_"))


def _flag(call: ast.Call) -> Iterator[_Edit]:
    """An argument that is True or False, swapped; not `strict` of a zip, which only repeats what is sure."""
    for keyword in call.keywords:
        if keyword.arg != "strict" and isinstance(keyword.value, ast.Constant) and type(keyword.value.value) is bool:
            yield _Edit(keyword.value, keyword.value, "flag", str(not keyword.value.value))


def _is_worth_deleting(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        # Without a name's first value it is undefined, which no test can overlook.
        return not any(isinstance(target, ast.Name | ast.Tuple) for target in node.targets)
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, _DELETED) and not is_docstring
