"""Suguru's kernel: `search`, the exact engine, for grids of any shape."""

from dnd.kernels import loader

load = loader(__name__)
