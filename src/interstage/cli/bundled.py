"""Folders of the repository that an installed package contains: examples, validation cases and pages."""

from __future__ import annotations

from pathlib import Path


def folder(name: str) -> Path:
    """Return the folder `name`: in the root of a checkout, or `_name` in the installed package."""
    package = Path(__file__).resolve().parents[1]
    places = (package.parents[1] / name, package / f"_{name}")
    return next((place for place in places if place.is_dir()), places[-1])
