"""The package as a whole: lazy names, what an import costs, the chooser, the versions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import dnd
import dnd.dungeon
import dnd.pegs
import dnd.suguru
from conftest import FAMILIES, PURE_RUN, ROOT, needs_compiled
from dnd import kernels as chooser
from dnd.dungeon import kernel as kernels


def run_python(code: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=cwd, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("name", dnd.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(dnd, name) is not None
    assert name in dir(dnd)


@pytest.mark.parametrize("package", [dnd, dnd.dungeon, dnd.suguru, dnd.pegs], ids=lambda package: package.__name__)
def test_the_type_checkers_view_names_the_same(package: ModuleType) -> None:
    """`TYPE_CHECKING` imports repeat the lazy table; they must not drift apart."""
    source = Path(package.__file__ or "").read_text(encoding="utf-8")
    seen = set(re.findall(r"^    from \S+ import (\w+) as \1$", source, re.MULTILINE))
    assert seen == set(package.__all__) - {"__version__"}
    assert all(getattr(package, name) is not None for name in seen)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        dnd.nonsense  # noqa: B018


def test_import_brings_nothing_along(tmp_path: Path) -> None:
    code = "import sys; before = set(sys.modules); import dnd; print(sorted(set(sys.modules) - before))"
    brought = eval(run_python(code, tmp_path).stdout)
    assert [name for name in brought if name.partition(".")[0] not in sys.stdlib_module_names] == ["dnd", "dnd.lazy"]


def test_the_main_job_needs_only_tomli(tmp_path: Path) -> None:
    code = (
        "import sys, runpy\n"
        "for name in ('rich', 'pytest', 'numpy', 'hypothesis', 'Cython'): sys.modules[name] = None\n"
        "from dnd.cli import main\n"
        "sys.exit(main(['44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m']))\n"
    )
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 solution, unique" in done.stdout


LOAD_ALL = f"from dnd.kernels import kernel_module\nfor family in {FAMILIES}: print(kernel_module(family).__name__)"


def test_pure_kernels_can_be_forced(tmp_path: Path) -> None:
    done = run_python(LOAD_ALL, tmp_path, DND_KERNEL="py")
    assert done.stdout.split() == [f"{family}_py" for family in FAMILIES]


@needs_compiled
@pytest.mark.parametrize("wish", ["c", "auto", ""])
def test_compiled_kernels_run_by_wish_and_by_default(wish: str, tmp_path: Path) -> None:
    done = run_python(LOAD_ALL, tmp_path, DND_KERNEL=wish)
    assert done.stdout.split() == [f"{family}_c" for family in FAMILIES]


@pytest.mark.parametrize(("asked", "environment"), [("py", "c"), ("c", "py"), ("py", "fortran"), ("auto", "py")])
def test_the_argument_beats_the_environment(asked: str, environment: str, tmp_path: Path) -> None:
    if PURE_RUN and asked != "py":
        pytest.skip("this run is for the pure build")
    code = f"from dnd.dungeon import kernel; print(kernel.load('search', {asked!r}).__name__)"
    runs = "py" if asked == "py" else "c"
    assert run_python(code, tmp_path, DND_KERNEL=environment).stdout == f"dnd.dungeon.kernel.search_{runs}\n"


def test_forced_kernel_never_falls_back(tmp_path: Path) -> None:
    package = tmp_path / "twinless" / "__init__.py"
    package.parent.mkdir()
    package.write_text("")
    (tmp_path / "twinless" / "x_py.py").write_text("")
    code = "from dnd.kernels import kernel_module; print(kernel_module('twinless.x').__name__)"
    assert run_python(code, tmp_path, DND_KERNEL="auto").stdout == "twinless.x_py\n"
    forced = run_python(code, tmp_path, DND_KERNEL="c")
    assert "twinless.x_c was asked for, but it is not built" in forced.stderr


@pytest.mark.parametrize("fault", ["raise ImportError('bad symbol')", "import a_module_that_is_missing"])
def test_broken_kernel_is_loud(fault: str, tmp_path: Path) -> None:
    package = tmp_path / "broken"
    package.mkdir()
    for name, text in (("__init__", ""), ("x_py", ""), ("x_c", fault)):
        (package / f"{name}.py").write_text(text)
    code = "from dnd.kernels import kernel_module; kernel_module('broken.x')"
    done = run_python(code, tmp_path, DND_KERNEL="auto")
    assert done.returncode == 1
    assert "bad symbol" in done.stderr or "a_module_that_is_missing" in done.stderr


def test_unknown_kernel() -> None:
    with pytest.raises(chooser.KernelError, match="no kernel 'fortran'"):
        kernels.load("search", "fortran")


def test_version_says_which_kernel_runs(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "dnd", "--version"], capture_output=True, text=True, cwd=tmp_path)
    kernel = "py (pure Python)" if PURE_RUN else "c (compiled)"
    assert done.stdout == f"dnd {dnd.__version__}, kernel {kernel}\n"


def test_each_environment_of_tox_builds_its_own_wheel() -> None:
    """Its section says what is built; a compiled wheel of one Python is of no use to another."""
    pythons = re.findall(r"Python :: 3\.(\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (ROOT / "tox.ini").read_text(encoding="utf-8")
    sections = re.findall(r"^\[testenv:\.pkg-\{(.*)\}\]\nset_env = DND_BUILD = (.*)$", text, re.MULTILINE)
    built = {name: mode for names, mode in sections for name in names.split(",")}
    wanted = {"c": "require", "slow": "require", "pure": "pure", "coverage": "pure"}
    for python in pythons:
        wanted |= {f"py3{python}-c": "require", f"py3{python}-pure": "pure"}
    assert built == wanted
