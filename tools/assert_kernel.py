"""Exit with an error unless every kernel of the installed package is the one named: `assert_kernel.py c|py`."""

from __future__ import annotations

import sys
from pathlib import Path

import dnd
from dnd.kernels import kernel_module, kernel_name

wanted = sys.argv[1]
package = Path(dnd.__path__[0])
families = sorted(path.relative_to(package.parent) for path in package.glob("*/kernel/*_py.py"))
for family in families:
    module = kernel_module(".".join(family.parts).removesuffix("_py.py"))
    if kernel_name(module) != wanted:
        sys.exit(f"expected the kernel {wanted!r}, but {module.__name__} runs")
if not families:
    sys.exit(f"no kernel found in {package}")
print(f"dnd {dnd.__version__} from {package}, {len(families)} kernels, all {wanted}")
