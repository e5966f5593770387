"""Malformed input of peg solitaire: each gives one clear error with its code and place, and nothing else happens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT
from dnd import reading
from dnd.diagnostic import InputError, render
from dnd.game import Entry
from dnd.pegs.notation import FORMATS_IN, read, write
from dnd.pegs.puzzle import Play, Puzzle

ENGLISH = Puzzle.of(["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"])
PLAY = Play(7, 7, ((5, 3, 0), (4, 1, 3)))
SOLVED, UNSOLVED = "Решение:", "решений нет"
EDGE = b"\2" * 16
STATE = EDGE + b"\2\1\1\0\1\1\2" + b"\2" * 9 + EDGE * 14


def toml(**changes: str | None) -> str:
    """A small fixture with keys changed, added or, for None, left out."""
    keys = {"game": '"pegs"', "board": '"""\noo.\n..o\n"""'} | changes
    return "".join(f"{key} = {value}\n" for key, value in keys.items() if value is not None)


def js(**changes: str | None) -> str:
    """A small JSON object, over several lines."""
    keys = {"game": '"pegs"', "board": '["oo.", "..o"]'} | changes
    return "{" + ",\n".join(f'"{key}": {value}' for key, value in keys.items() if value is not None) + "}"


# (format or None for finding out, input, code, line, column), line and column from 1.
CASES: list[tuple[str | None, str | bytes, str, int, int]] = [
    # state files
    ("bgs", STATE[:-1], "truncated", 1, 256),
    ("bgs", STATE[:40], "truncated", 1, 41),
    (None, STATE[:40], "truncated", 1, 41),
    (None, STATE[:255], "truncated", 1, 256),
    ("bgs", b"\2", "truncated", 1, 2),
    ("bgs", b"garbage", "truncated", 1, 8),
    ("bgs", b"garbage" * 40, "no-pegs", 1, 1),
    ("bgs", b"\2" * 256, "no-pegs", 1, 1),
    (None, b"\0" * 256, "no-pegs", 1, 1),
    (None, b"\0" * 10_000_000, "no-pegs", 1, 1),
    (None, b"\2" * 255 + b"\0", "no-pegs", 1, 1),
    # logs
    (None, f"1.1.2020\n12\n{SOLVED}\n1 2\n", "bad-log", 4, 1),
    (None, f"1.1.2020\n12\n{SOLVED}\n4 6 0\n16 2 1\n", "bad-log", 5, 1),
    (None, f"1.1.2020\n12\n{SOLVED}\n1 2 4\n", "bad-log", 4, 1),
    (None, f"1.1.2020\n12\n{UNSOLVED}\n1 2 0\n", "bad-log", 4, 1),
    (None, f"1.1.2020\n12\n{UNSOLVED}\n\n2.1.2020\n", "bad-log", 5, 1),
    (None, f"1.1.2020\n12\n{UNSOLVED}\n\n2.1.2020\nnever\n", "bad-log", 6, 1),
    (None, f"1.1.2020\n12\n{UNSOLVED}\n\n2.1.2020\n13\n", "bad-log", 6, 1),
    (None, f"1.1.2020\n12\n{UNSOLVED}\n\n2.1.2020\n13\nSolution:\n", "bad-log", 7, 1),
    (None, f"1.1.2020\n12\n{UNSOLVED}\n\n", "no-puzzle", 1, 1),
    ("log", b"\xd0\x98", "bad-log", 1, 1),
    ("log", b"1\n2\n\xff\x98", "encoding", 3, 1),
    ("log", "oo.", "bad-log", 1, 1),
    # drawn boards
    (None, "oo.\noo?\n", "unknown-format", 1, 1),
    ("text", "oo.\noo?\n", "bad-letter", 2, 3),
    ("text", "o o .\no o ?\n", "bad-letter", 2, 5),
    ("text", "o\to.\n", "bad-letter", 1, 2),
    ("text", "o O .\n", "bad-letter", 1, 3),
    (None, "o" * 17, "too-large", 1, 17),
    (None, "o " * 17, "too-large", 1, 33),
    (None, "oo.\n" * 17, "too-large", 17, 1),
    (None, "x.x\noo.\n", "final-twice", 1, 3),
    ("text", "#..\n...\n", "no-pegs", 1, 1),
    (None, "oo.\n\n...\n", "no-pegs", 3, 1),
    (None, "oo.\n\nr1c1 right\nr1c3 sideways\n", "bad-jump", 4, 1),
    (None, "oo.\n\nr1c1 right\n\nr1c1 right", "bad-jump", 5, 1),
    ("text", "r1c1 right\n", "bad-jump", 1, 1),
    ("text", "// a name\n", "no-puzzle", 1, 1),
    # one line
    (None, "3x1/2o.:0,2::", "bad-line", 1, 13),
    (None, "  3x1/2o.:r1c3", "bad-line", 1, 11),
    (None, "3x1/2o.:0,3", "final-outside", 1, 9),
    (None, "3x1/2o_:0,2", "final-outside", 1, 9),
    (None, "3x/2o.", "unknown-format", 1, 1),
    ("pegs", "3x/2o.", "bad-size", 1, 1),
    (None, "17x1/17o", "too-large", 1, 1),
    (None, "0x1/", "empty-board", 1, 1),
    (None, "3x2/2o.", "row-number", 1, 8),
    (None, "3x1/2o./3o", "row-number", 1, 9),
    (None, "3x1/2o", "row-length", 1, 7),
    (None, "3x1/2o2.", "row-length", 1, 7),
    (None, "3x1/2o0..", "row-length", 1, 7),
    (None, "3x1/2o.99999999999o", "bad-letter", 1, 8),
    (None, "3x1/2o#", "bad-letter", 1, 7),
    (None, "3x1/2o1", "bad-letter", 1, 7),
    (None, "3x1/3.", "no-pegs", 1, 5),
    (None, "3x1/2o.::00r,00x", "bad-jump", 1, 14),
    (None, "3x1/2o. a=1 b", "bad-field", 1, 13),
    (None, "# one\n3x1/2o.\n3x1/2o\n", "row-length", 3, 7),
    # JSON
    (None, js(board=None, puzzles='[{"board": ["oo."]}, {"boards": 1}]'), "missing-key", 2, 33),
    (None, js(board='"oo."'), "wrong-type", 2, 10),
    (None, js(board='["oo.", 3]'), "wrong-type", 2, 10),
    (None, js(board='["oo.",\n"o?"]'), "bad-letter", 3, 3),
    (None, js(board="[]"), "empty-board", 2, 10),
    (None, js(board='["..."]'), "no-pegs", 2, 12),
    (None, js(final="[0]"), "wrong-type", 3, 10),
    (None, js(final="[0, 7]"), "final-outside", 3, 10),
    (None, js(final="[0, true]"), "wrong-type", 3, 10),
    (None, js(jumps="7"), "wrong-type", 3, 10),
    (None, js(jumps="[[0, 0, 3],\n[0, 0]]"), "bad-jump", 4, 1),
    (None, js(jumps="[[0, 0, 3], [0, 0, 4]]"), "bad-jump", 3, 22),
    (None, js(jumps='"up"'), "bad-jump", 3, 10),
    ("json", js(game='"chess"'), "wrong-type", 1, 10),
    (None, js(name="7"), "wrong-type", 3, 9),
    (None, js() + "]", "bad-json", 2, 25),
    # fixtures
    (None, toml(board=None), "missing-key", 1, 1),
    (None, toml(board="7"), "wrong-type", 2, 9),
    (None, toml(bord='""'), "unknown-key", 6, 1),
    (None, toml(board='"""\noo.\n..\n"""'), "row-length", 4, 3),
    (None, toml(board='"""\noo.\no o\n"""'), "bad-letter", 4, 2),
    (None, toml(board='""'), "empty-board", 2, 9),
    (None, toml(board='"..."'), "no-pegs", 2, 10),
    (None, toml(board='"xox"'), "final-twice", 2, 12),
    (None, toml(board=f'"{"o" * 17}"'), "too-large", 2, 9),
    (None, toml(final="3"), "wrong-type", 6, 9),
    (None, toml(final="[1, 0.5]"), "wrong-type", 6, 9),
    (None, toml(final="[1, 3]"), "final-outside", 6, 9),
    (None, toml(jumps='"r1c1 righ"'), "bad-jump", 6, 10),
    (None, toml(jumps='"""\n  r1c1 right,\n  r9c9\n"""'), "bad-jump", 8, 3),
    (None, toml(jumps="[]"), "wrong-type", 6, 9),
    (None, toml(expect="7"), "wrong-type", 6, 1),
    (None, toml() + '[expect]\nverdict = "undecided"', "wrong-type", 7, 11),
    (None, toml() + '[expect]\nproof = "class"', "expect-conflict", 7, 9),
    (None, toml() + '[expect]\nverdict = "impossible"\nproof = "magic"', "wrong-type", 8, 9),
    (None, toml() + '[expect]\nverdict = "impossible"\nsolution = "r1c1 right r1c3 down"', "expect-conflict", 8, 12),
    (None, toml() + '[expect]\nsolution = "r1c1 right"', "expect-conflict", 7, 12),
    (None, toml() + "[expect]\nlevels = [1, -1]", "wrong-type", 7, 14),
    (None, toml() + "[expect]\nsequences = -1", "wrong-type", 7, 13),
    (None, toml() + "[expect]\nmoves = true", "wrong-type", 7, 9),
    (None, toml() + '[expect]\nfaults = ["no-such"]', "unknown-rule", 7, 11),
    (None, toml() + '[expect]\nfaults = ["too-many-left", "illegal-jump"]', "expect-conflict", 7, 28),
    (None, toml() + '[expect]\nfaults = ["illegal-jump", "illegal-jump"]', "expect-conflict", 7, 27),
    (None, toml() + "[expect]\nlevel = []", "unknown-key", 7, 1),
    (None, toml() + "[expect.levels]\na = 1", "wrong-type", 6, 1),
    # the input as a whole
    (None, b"\xff\xfeo\0o\0.\0", "encoding", 1, 1),
    ("text", b"oo.\n\xff", "encoding", 2, 1),
    ("pegs", "", "empty-input", 1, 1),
]


@pytest.mark.parametrize(("format", "source", "code", "line", "column"), CASES, ids=lambda value: repr(value)[:30])
def test_malformed(format: str | None, source: str | bytes, code: str, line: int, column: int) -> None:
    data = source if isinstance(source, bytes) else source.encode()
    game = "pegs" if format in ("text", "json", "jsonl") else None
    with pytest.raises(InputError) as caught:
        list(reading.entries(data, file="bad", format=format, game=game))
    found = caught.value.diagnostic
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column, found.span.file) == (code, line, column, "bad")
    shown = str(caught.value)
    assert shown == render(found)
    assert len(shown) < 600
    assert shown.isprintable() or set(filter(lambda char: not char.isprintable(), shown)) == {"\n"}


def test_there_are_kinds_of_all_codes() -> None:
    """Each code of the documentation's table has its case, that of the writers apart."""
    text = (ROOT / "docs" / "pegs.md").read_text(encoding="utf-8")
    rows = text[text.index("## Errors of reading") :].splitlines()
    codes = {word for row in rows if row.startswith("| `") for word in row.split("`")[1::2] if " " not in word}
    assert codes - {", "} == {code for _, _, code, _, _ in CASES} | {"line-too-long", "not-writable", "board-conflict"}


@pytest.mark.parametrize(
    ("line", "format", "code"),
    [
        (b"o" * 10_000_000, None, "line-too-long"),
        (b"oo.\n\nr1c1 right" + b" right" * 1_000_000, None, "line-too-long"),
        (b"3x1/2o.::" + b"00r," * 3_000_000, None, "line-too-long"),
        (b"3x1/2o. name=" + b"x" * 10_000_000, None, "line-too-long"),
        (b'{"game": "pegs", "board": ["' + b"o" * 10_000_000 + b'"]}', None, "too-large"),
        (b'{"game": "pegs",\n"board": ["' + b"o" * 10_000_000 + b'"]}', None, "too-large"),
        (b'game = "pegs"\nboard = "' + b"o" * 10_000_000 + b'"', None, "too-large"),
        (b"1.1.2020\n1\n" + b"x" * 10_000_000, "log", "bad-log"),
        (b"1.1.2020\n" + b"1" * 10_000_000, "log", "bad-log"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_ten_megabytes_in_a_line(line: bytes, format: str | None, code: str) -> None:
    with pytest.raises(InputError) as caught:
        list(reading.entries(line, format=format))
    assert caught.value.diagnostic.code == code
    assert len(str(caught.value)) < 600


SAMPLES = {
    format: write(ENGLISH, None if format == "bgs" else PLAY, "", "json" if format == "jsonl" else format).encode()
    for format in FORMATS_IN
}


@pytest.mark.parametrize("format", FORMATS_IN)
@settings(max_examples=60)
@given(data=st.data())
def test_any_damage_is_one_input_error(format: str, data: st.DataObject) -> None:
    """Bytes of a good text are cut out, doubled or replaced: it is read, or refused as it should be."""
    sample = SAMPLES[format]
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, min(len(sample), start + 8)))
    put = data.draw(
        st.binary(max_size=4) | st.sampled_from([b"o", b"99", b"\n", b":", b'"', b"]", sample[start:end] * 2])
    )
    damaged = sample[:start] + put + sample[end:]
    assert all(entry.puzzle.pegs for entry in read_or_refused(damaged, format))


def read_or_refused(data: bytes, format: str) -> list[Entry]:
    """The entries, [] where one `InputError` with a place refuses the input."""
    try:
        return list(read(data, format))
    except InputError as error:
        # Anything else would not do.
        return [] if error.diagnostic.code and error.diagnostic.span else [None]  # type: ignore[list-item]


@pytest.mark.parametrize("format", FORMATS_IN)
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_in_a_format_that_they_are_not_in(format: str, data: bytes) -> None:
    assert None not in read_or_refused(data, format)
