"""Where the numbers of a scenario come from, and how far they can be trusted."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused
from ..tree.names import Text

Confidence = Literal["published", "read", "secondary", "derived", "judgement"]


class Source(Declaration):
    """Where a number comes from, or all the numbers below a path. It says nothing to the flight: reports and
    `interstage check --sources` list it."""

    path: str
    """Path of a number, "bodies.stage.mass", or of what holds numbers, "bodies.stage"; * in a step stands for
    anything. Of several entries that cover a number the one with the most steps counts, then the last."""
    source: Text
    """The document with its table, figure or equation; what a derived number follows from; the reason of a
    judgement."""
    confidence: Confidence
    """published: stands in the source; read: read off a figure of it; secondary: the source only passes it
    on; derived: computed from others; judgement: an engineer's choice, which no open source gives."""
    note: Text = ""
    """What else to know: accuracy, conflicts between sources, how the flight depends on it."""

    @model_validator(mode="after")
    def _says_something(self) -> Source:
        for field in ("path", "source"):
            if not getattr(self, field).strip():
                raise Refused((field, "is empty; say where the number stands and where it comes from"))
        return self

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the path."""
        return tuple(self.path.split("."))
