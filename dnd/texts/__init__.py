"""Texts with places: lines (`lines`), TOML (`toml`) and JSON (`json`). Knows no game."""
