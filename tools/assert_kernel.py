"""Exit with an error unless every kernel of the installed package is the one named: `assert_kernel.py c|py`."""

from __future__ import annotations

import sys

import dnd
from dnd.dungeon import kernel

wanted = sys.argv[1]
for family in ("reference", "search", "clause_learning"):
    module = kernel.load(family)
    if not module.__name__.endswith(f"_{wanted}"):
        sys.exit(f"expected the kernel {wanted!r}, but {module.__name__} runs")
print(f"dnd {dnd.__version__} from {dnd.__path__[0]}, kernel {wanted}")
