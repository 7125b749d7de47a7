"""Declarations of the sources of scenario values, with their confidence."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused
from ..tree.names import Text

Confidence = Literal["published", "read", "secondary", "derived", "judgement"]


class Source(Declaration):
    """The source of one value, or of all values whose paths begin with a path. A source does not affect the
    flight. Reports and `interstage check --sources` list this text.
    """

    path: str
    """Path of a value, "bodies.stage.mass", or of a table, "bodies.stage". * matches any one step of a path.
    If several entries cover a value, the entry with the most steps applies. If several paths have the same
    number of steps, the last entry applies."""
    source: Text
    """Document with table, figure or equation. For a derived value, give its inputs; for a judgement, give
    the reason."""
    confidence: Confidence
    """Confidence. "published": printed in the source. "read": read from a figure. "secondary": quoted by the
    source from another document. "derived": computed from other values. "judgement": an engineering estimate
    without an open source."""
    note: Text = ""
    """Notes: accuracy, conflicts between sources, sensitivity of the flight."""

    @model_validator(mode="after")
    def _says_something(self) -> Source:
        for field in ("path", "source"):
            if not getattr(self, field).strip():
                raise Refused(
                    (
                        field,
                        "the text is empty. Set path to the path of a value, and source to the origin of"
                        " this value",
                    )
                )
        return self

    @property
    def steps(self) -> tuple[str, ...]:
        """Parts of the path between the points, for example ("bodies", "stage", "mass")."""
        return tuple(self.path.split("."))
