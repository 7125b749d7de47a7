"""Forces of the user's own: Python classes, named by a scenario."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ...model import user_class
from ...model.effect import ALL, Effect
from ...model.user_class import ClassPath
from ...model.values import Parameters
from ...tree.names import Name


class UserForce(Effect):
    """A force of the user's own: a Python class of an installed package. It is imported only when a scenario
    is run."""

    outside: ClassVar[frozenset[str]] = ALL

    kind: Literal["user"] = "user"
    """A class of the user's own."""
    name: Name
    """Name of the force in paths and tables."""
    class_path: ClassPath = Field(alias="class")
    """The class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """What is handed to the class: numbers (SI), lists of numbers, texts, true or false."""

    def from_elsewhere(self) -> str | None:
        """What the class computes."""
        return user_class.described(self.class_path, self.parameters)


KINDS = {"forces": (UserForce,)}
