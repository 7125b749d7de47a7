"""Whether beams begin with their ends as far apart as they are long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.stacks import quaternions, stacked_attitudes
from ...maths.rotations import matrix_of
from ...record.posed import Posed
from ...tree.names import GROUND
from .declared import Beam

if TYPE_CHECKING:
    from ...scenario import Scenario

STRETCHED = 0.05
"""Strain that no structure begins with: metals yield at 0.01 and less. A beam whose ends are nearer by this
part, and that bows between them, rises by a seventh of its length: by (2/pi) sqrt(0.05) of a sine."""

ROUND = 0.75 * np.pi
"""Angle [rad] between an end and the chord beyond which no arc is meant: three quarters of a circle."""

Pose = Callable[[str], Posed | None]


def misplaced(scenario: Scenario, beam: Beam, pose: Pose) -> Iterator[str]:
    """What is reported of a beam whose ends are not as far apart as it is long; of one with a curvature only
    if they are farther."""
    ends = [_end(scenario, beam, end, pose) for end in ("parent", "child")]
    if any(end is None for end in ends):
        return
    (first, along), (last, on) = ends  # type: ignore[misc]
    way, length = last - first, float(beam.length)
    gap = float(np.linalg.norm(way))
    tilts = [np.arccos(np.clip(axis @ way / gap, -1, 1)) if gap > 0 else np.pi for axis in (along, on)]
    # An arc whose ends turn by such an angle away from its chord has a chord of sin(a)/a of its length.
    arc = np.sinc(max(tilts) / np.pi) if max(tilts) <= ROUND else 1.0
    off = gap / length - 1
    if off <= STRETCHED and (beam.curvature is not None or gap / length >= arc - STRETCHED):
        return
    than, what = ("farther", "stretched") if off > 0 else ("nearer", "pushed together, or in a bow,")
    if off < 0 and beam.start == "drawn":
        what = "pushed together"
    yield (
        f"{beam.name}: its ends begin {gap:.4g} m apart, {100 * abs(off):.2g} % {than} than its length of"
        f" {length:.4g} m: it begins {what} by that, and metals yield at 1 %. Look at its length, parent_at,"
        " child_at and where its bodies start."
    )


def axes(frame: Any) -> np.ndarray:
    """Of a declared frame, as columns."""
    return np.asarray(matrix_of(quaternions([frame], stacked_attitudes([frame], 0), 0)[:, 0]))


def _end(scenario: Scenario, beam: Beam, end: str, pose: Pose) -> tuple[np.ndarray, np.ndarray] | None:
    """Place of an end [m] and the direction of the beam there, inertial axes; None where these are not
    known, as of a free end."""
    name, at, frame = (getattr(beam, field) for field in (end, f"{end}_at", f"{end}_frame"))
    turn = axes(frame)
    if name == GROUND:
        return np.asarray(at), turn[:, 0]
    found = pose(name) if name is not None else None
    return None if found is None else (found.at(at), found.turn @ turn[:, 0])
