"""The tools as the documents show them, on small inputs: they run, say what they should, and exit as they should."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT, SHARED, needs_compiled, needs_shared, run_tool

TOOLS = {
    "bench": ("bench.py --sets p1-p9 --repeat 1 --budget 0.05", "flat batch, one thread"),
    "agree": ("bench.py --sets p1-p9,bbs64 --agree", "bbs64: 64 boards, 0 disagreements"),
    "bench-suguru": ("bench.py suguru --sets codingame-4x5 --repeat 1 --budget 0.05", "flat batch, one thread"),
    "agree-suguru": ("bench.py suguru --sets codingame-8x8 --agree", "0 disagreements"),
    "bench-pegs": ("bench.py pegs --sets random17 --repeat 1 --budget 0.05", "those impossible"),
    "agree-pegs": (f"bench.py pegs {ROOT}/fixtures/pegs/small.toml --agree --peers seed", "0 disagreements"),
    "exact-pegs": ("exact_pegs.py winning", "1,679,072"),
    "fuzz-pegs": ("fuzz_pegs.py 20 3", "0 disagreements"),
    "fuzz": ("fuzz.py 20 3", "20 boards up to 5x5 (seed 3)"),
}


@needs_compiled
@pytest.mark.parametrize("name", TOOLS)
def test_tool(name: str, tmp_path: Path) -> None:
    command, said = TOOLS[name]
    assert said in run_tool(command, tmp_path)


@needs_shared
def test_coverage(tmp_path: Path) -> None:
    told = run_tool(f"technique_coverage_suguru.py --no-replay {SHARED / 'suguru-public.json.gz'}", tmp_path)
    assert "forbidden-neighbour" in told
