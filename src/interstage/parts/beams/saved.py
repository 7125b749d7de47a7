"""Check of beams on bodies that start from saved flights. The states of segments are not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...tree.errors import BadInput, Problem
from .declared import Beam

if TYPE_CHECKING:
    from ...starts.saved import Taken


def resume_scenario(scenario: Any, taken: Taken, name: str) -> Any:
    """Return the scenario without changes. Raises BadInput if a beam on the body would begin as drawn,
    without load, after the start of the saved flight."""
    for beam in scenario.forces:
        on = isinstance(beam, Beam) and taken.body.name in (beam.parent, beam.child)
        if on and beam.start == "drawn" and taken.time > 0:
            text = (
                f"'drawn' starts the beam without load, but '{taken.body.name}' starts from {taken.when}. The"
            )
            text += " shapes and rates of beams are not restored from saved flights. Set"
            text += ' start = "at rest", start from time 0, or use a leg of one mission'
            raise BadInput(Problem(f"forces.{beam.name}.start", text))
    return scenario
