"""Classes of the user's own, named by a scenario as "package.module:Class"."""

from __future__ import annotations

import importlib
import re
from typing import Annotated, Any

from pydantic import AfterValidator

from ..errors import BadInput, Problem
from .values import Parameters


def _class_path(text: str) -> str:
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*", text):
        raise ValueError(
            f"'{text[:60]}' does not name a class; allowed: package.module:Class, of an installed package"
        )
    return text


ClassPath = Annotated[str, AfterValidator(_class_path)]
"""The name of a class, as "package.module:Class"."""


def made(class_path: str, parameters: Parameters, place: str) -> Any:
    """The object of a class, called with the parameters. `place` is the input path of the class's name, for
    errors. Raises BadInput if it cannot be had."""
    module, _, name = class_path.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadInput(
            Problem(place, f"cannot import '{class_path}': {error}. Install the package or mend the name")
        ) from None
    try:
        return found(**dict(parameters))
    except Exception as error:  # noqa: BLE001 - whatever the user's class raises is reported as bad input
        raise BadInput(Problem(place, f"{class_path} refused its parameters: {error}")) from None
