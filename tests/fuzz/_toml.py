"""TOML of trees that no scenario has: any key, any value."""

from __future__ import annotations

import json
import math
from typing import Any


def written(data: dict[str, Any]) -> str:
    """A tree as TOML, all tables inline but the outermost."""
    return "".join(f"{json.dumps(str(key))} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    if value is None:
        return '"None"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(str(value))
