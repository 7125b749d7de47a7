"""Impacts have no declarations: each body that moves over a planet can have an impact."""

from __future__ import annotations

KINDS: dict[str, tuple[type, ...]] = {}
