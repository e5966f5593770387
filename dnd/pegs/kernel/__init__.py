"""Peg solitaire's kernels: `search` (beam, depth first, the seed's), `levels` (exact), `moves` (few)."""

from dnd.kernels import loader

load = loader(__name__)
