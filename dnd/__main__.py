"""`python -m dnd ...`: the command line."""

from dnd.cli import run

if __name__ == "__main__":
    run()
