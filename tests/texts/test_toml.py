"""TOML with places: the scanner finds what tomli has read, and edits change nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from dnd.diagnostic import InputError, Span
from dnd.texts import toml
from dnd.texts.toml import Table

EXAMPLE = """\
# a comment with [brackets] and "quotes"
[[puzzle]]            # one
name = "a # no comment ] \\" }"
'quoted "key"' = [1, [2, "]"], # three
   { x = 3, y = '''}''' }, 0xff
]
"\\u0061b" . c = 1979-05-27 07:32:00
board = '''
  ab
  cd
'''
drawings = ["\\u0041\\tB\\nCD", \"\"\"\\
    EF
\tG\\\"\"\"\", 'H']
inline = { solutions = 1, b.c = [] }
[puzzle.expect]
solutions = 2
[puzzle.expect.deep]
x = +1_000.5e3

[[puzzle]]
name = ''
expect.solutions = "many"
[[puzzle.more]]
a = 1
[[puzzle.more]]
a = 2
"""


def at(table: Table, span: Span) -> str:
    """The text from a span to its line's end, to compare with."""
    line = table.text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")[span.line - 1]
    assert span.text == line
    return line[span.column - 1 :]


@pytest.mark.parametrize("change", ["", "bom", "crlf", "both"])
def test_places(change: str) -> None:
    text = "\ufeff" * (change in ("bom", "both")) + EXAMPLE
    one, two = toml.read(text.replace("\n", "\r\n") if change in ("crlf", "both") else text, "f.toml")
    assert str(one.span()) == "f.toml:2:1"
    assert one.get("name") == 'a # no comment ] " }'
    assert at(one, one.span("name")) == '"a # no comment ] \\" }"'
    assert at(one, one.key_span("name")).startswith("name = ")
    assert at(one, one.span('quoted "key"')) == '[1, [2, "]"], # three'
    assert [at(one, one.item_span('quoted "key"', index))[:3] for index in range(4)] == ["1, ", "[2,", "{ x", "0xf"]
    assert at(one, one.tables["ab"].span("c")) == "1979-05-27 07:32:00"
    assert at(one, one.tables["ab"].key_span("c")).startswith('"\\u0061b" . c')
    assert at(one, one.tables["inline"].span("solutions")) == "1, b.c = [] }"
    assert at(one, one.tables["inline"].tables["b"].span("c")) == "[] }"
    expect = one.tables["expect"]
    assert at(one, expect.span("solutions")) == "2"
    assert at(one, expect.span("nothing")) == "[puzzle.expect]"
    assert at(one, expect.tables["deep"].span("x")) == "+1_000.5e3"
    assert at(two, two.span("name")) == "''"
    assert at(two, two.tables["expect"].span("solutions")) == '"many"'
    assert at(two, two.key_span("more")) == "[[puzzle.more]]"
    assert two.get("more") == [{"a": 1}, {"a": 2}]


def test_drawn_cells() -> None:
    one, _ = toml.read(EXAMPLE)
    assert one.drawn("board") == ["ab", "cd"]
    assert [at(one, one.drawn_span("board", 1, column)) for column in range(3)] == ["cd", "d", ""]
    assert at(one, one.drawn_span("board", 2, 0)) == "'''"
    assert [one.drawn("drawings", index) for index in range(3)] == [["A\tB", "CD"], ["EF", 'G"'], ["H"]]
    assert at(one, one.drawn_span("drawings", 0, 0, 0)).startswith("\\u0041\\t")
    assert at(one, one.drawn_span("drawings", 0, 2, 0)).startswith("B\\nCD")
    assert at(one, one.drawn_span("drawings", 1, 1, 0)).startswith('D", ')
    assert at(one, one.drawn_span("drawings", 0, 1, 1)) == "F"
    assert at(one, one.drawn_span("drawings", 1, 1, 1)).startswith('\\""')
    assert at(one, one.drawn_span("drawings", 0, 1, 2)) == "']"


# ---------------------------------------------------------------- anything that tomli reads

KEYS = st.text("abc", min_size=1, max_size=3) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
VALUES = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"])) | st.text("\"\\\n\r\t'#]}") | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(KEYS.filter(lambda key: key != "puzzle"), VALUES, min_size=1, max_size=5)


@given(document=DOCUMENTS)
def test_literals_read_back(document: dict[str, Any]) -> None:
    text = "".join(f"k{index} = {toml.literal(value)}\n" for index, value in enumerate(document.values()))
    assert list(tomli.loads(text).values()) == list(document.values())


def tables(table: Table) -> Iterator[Table]:
    yield table
    for inner in table.tables.values():
        yield from tables(inner)


@given(document=st.dictionaries(st.text("abcdef", min_size=1), VALUES, min_size=1, max_size=5))
def test_the_scanner_finds_every_value(document: dict[str, Any]) -> None:
    """The text between a value's offsets is that value, and nothing more."""
    (top,) = toml.read(written_bare(document))
    assert top.plain() == document
    for table in tables(top):
        for value in table.values.values():
            assert tomli.loads(f"x = {table.text[value.value_start : value.end]}") == {"x": value.value}
            if isinstance(value.value, list):
                assert len(value.items) == len(value.value)


def written_bare(document: dict[str, Any]) -> str:
    return "".join(f"{key} = {toml.literal(value)}  # comment ]\n" for key, value in document.items())


STRINGS = st.lists(
    st.sampled_from(["a", "#", "'", "ü", r"\n", "\\\\", r"\"", r"\u00fc", r"\U0001F600", "\\\n  ", "\\ \n", "\n"]),
    max_size=12,
)  # fmt: skip


@given(pieces=STRINGS, newline=st.sampled_from(["\n", "\r\n"]), first=st.booleans(), quotes=st.integers(0, 2))
def test_each_character_of_a_string_is_found(pieces: list[str], newline: str, first: bool, quotes: int) -> None:
    """Every character that stands for itself is found where it stands."""
    text = f'x = """{newline * first}{"".join(pieces).replace(chr(10), newline)}{chr(34) * quotes}"""{newline}'
    (table,) = toml.read(text)
    offsets = list(toml._offsets(text, 4))
    value = table.get("x")
    assert len(offsets) == len(value) + 1
    assert text[offsets[-1] :] == '"""' + newline
    for char, offset in zip(value, offsets, strict=False):
        assert text[offset] == char or text[offset] in "\\\r"


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a = 1\nb = [1,\n 2", "toml-syntax", 3, 3),
        ("a = 1\nb = ", "toml-syntax", 2, 5),
        ("a = 1\r\n\ufeffb = 2", "toml-syntax", 2, 1),
        ("a = 1\na = 2", "toml-syntax", 2, 6),
        ("a = " + "[" * 1000, "toml-syntax", 1, 37),
        ("a = 'x['\nb = " + "{x=" * 1000, "toml-syntax", 2, 101),
        ("a = '" + "9" * 5000 + "'\nb = " + "9" * 5000, "toml-syntax", 2, 5),
        ("# nothing", "no-puzzle", 1, 1),
        ("puzzle = []", "no-puzzle", 1, 1),
        ("puzzle = 3", "wrong-type", 1, 1),
        ("[puzzle]\nrows = []", "wrong-type", 1, 1),
        ("x = 1\n[[puzzle]]", "unknown-key", 1, 1),
        ("\na" + ".a" * 5000 + " = 1", "toml-syntax", 1, 1),
    ],
)
def test_errors(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(InputError) as caught:
        toml.read(text, "f.toml")
    found = caught.value.diagnostic
    assert found.span is not None
    assert (found.code, found.span.file, found.span.line, found.span.column) == (code, "f.toml", line, column)
    assert len(str(caught.value)) < 1000


# ---------------------------------------------------------------- edits


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("a = 1 # one\nb = 2", {"a": 3}, "a = 3 # one\nb = 2"),
        ("a = 1 # one\nb = 2", {"a": None}, "b = 2"),
        ("a = 1 # one\nb = 2", {"c": [1, "x"]}, 'a = 1 # one\nb = 2\nc = [1, "x"]\n'),
        ("a = 1\n\n# end\n", {"c": True}, "a = 1\nc = true\n\n# end\n"),
        ("a = 1\r\nb = '''\r\nx'''\r\n", {"b": "y\nz\n"}, 'a = 1\r\nb = """\r\ny\r\nz\r\n"""\r\n'),
        ("a = 1\n[expect]\nx = 1\n", {"b": 2}, "a = 1\nb = 2\n[expect]\nx = 1\n"),
        ("a = 1\n[expect]\n\n# end", {"expect": {"x": 1}}, "a = 1\n[expect]\nx = 1\n\n# end"),
        ("a = 1\n", {"expect": {"x": 1}, "b": 2}, "a = 1\nb = 2\n[expect]\nx = 1\n"),
        ("a = 1\nexpect.x = 1 #\n", {"expect": {"x": 2, "y": 3}}, "a = 1\nexpect.x = 2 #\nexpect.y = 3\n"),
        ("expect = { x = 1,y=2 }", {"expect": {"x": 3, "y": None, "z": 4}}, "expect = {x = 3, z = 4}"),
        ("\ufeffa = 1", {"a": ["x\n"]}, '\ufeffa = [\n"""\nx\n""",\n]'),
        ("a = 1", {"needs quotes": 1}, 'a = 1\n"needs quotes" = 1\n'),
    ],
)
def test_edits(text: str, changes: dict[str, Any], expected: str) -> None:
    (table,) = toml.read(text)
    assert toml.edited(table, changes) == expected


def test_edits_of_one_puzzle_of_several() -> None:
    one, two = toml.read(EXAMPLE)
    text = toml.edited(one, {"expect": {"solutions": 3, "new": "x\n"}, "late": {"y": 1}})
    again, other = toml.read(text)
    plain: dict[str, Any] = one.plain()
    assert again.plain() == {
        **plain, "expect": {**plain["expect"], "solutions": 3, "new": "x\n"}, "late": {"y": 1}
    }  # fmt: skip
    assert other.plain() == two.plain()
    new = ['new = """', "x", '"""', "[puzzle.late]", "y = 1"]
    kept = [line for line in text.split("\n") if line not in new]
    assert [line.replace("solutions = 3", "solutions = 2") for line in kept] == EXAMPLE.split("\n")
    text = toml.edited(two, {"expect": {"solutions": 0, "new": 1}})
    assert text == EXAMPLE.replace('expect.solutions = "many"', "expect.solutions = 0\nexpect.new = 1")


@given(document=DOCUMENTS, changes=st.dictionaries(KEYS.filter(lambda key: key != "puzzle"), VALUES, max_size=3))
def test_edits_read_back(document: dict[str, Any], changes: dict[str, Any]) -> None:
    """Whatever is set is read, what is not set stays as it was."""
    text = "".join(f"{toml._key(key)} = {toml.literal(value)}\n" for key, value in document.items())
    (table,) = toml.read("# before\n" + text + "# behind")
    edited = toml.edited(table, changes)
    expected = dict(document)
    for key, value in changes.items():
        nested = isinstance(value, dict) and isinstance(document.get(key), dict)
        expected[key] = {**document[key], **value} if nested else value
    assert tomli.loads(edited) == expected
    assert edited.startswith("# before\n")
