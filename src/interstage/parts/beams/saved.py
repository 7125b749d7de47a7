"""Check beams on bodies that start from saved flights. A saved flight does not contain the states of
segments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...tree.errors import BadInput, Problem
from .declared import Beam

if TYPE_CHECKING:
    from ...starts.saved import Taken


def resume_scenario(scenario: Any, taken: Taken, name: str) -> Any:
    """Return the scenario without changes, after a check of the beams on a body.

    - `taken`: the body and time from the saved flight.
    - name: name of the body in the scenario (not used).

    Raises BadInput if the flight starts after time 0, but a beam on the body starts as drawn, without load.
    """
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
