"""The dungeon's kernels: `reference` (the course), `search` (up to 64 cells), `clause_learning` (beyond), `logic`,
`generate`."""

from dnd.kernels import loader

load = loader(__name__)
