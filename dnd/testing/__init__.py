"""The pytest plug-in: puzzle files are test files.

Any project that has dnd installed can run `pytest fixtures/`: each puzzle of a fixture file expands to items such as
`p1[solve-c]` or `p1[rule:dead-end]` (docs/harness.md).

    plugin.py    options, markers, which files are fixtures; imports nothing else until there is one
    items.py     files and items: from a game's checks to pytest's reports
    updates.py   `--update-fixtures`
    solvers.py   `--solver`: runs other people's programs; call.py does so for Python functions

What is tested is the games' business: the room `testing.py` of each (`dnd.game.Testing`).
"""
