"""Run the README's first command in a fresh clone of this repository and look at what it prints.

The clone has no build products, no virtual environment and no installed package, so a missing step shows.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run; the exit code."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = re.findall(r"```\n(python3 -m venv .*-m dnd .*)\n```", readme)[0]
    picture = re.findall(r"```\n\$ dnd fixtures/p1.toml\n(.*?)```", readme, re.DOTALL)[0]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", folder], check=True)
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
        version = subprocess.run(
            [".venv/bin/python", "-m", "dnd", "--version"], cwd=folder, capture_output=True, text=True, check=False
        ).stdout
    print(done.stdout + done.stderr[-2000:] + version)
    return 0 if done.stdout.endswith(picture) and "kernel c (compiled)" in version else 1


if __name__ == "__main__":
    sys.exit(main())
