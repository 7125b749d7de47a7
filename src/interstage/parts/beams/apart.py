"""Compare the initial distance between the ends of a beam with its length."""

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
"""The largest plausible initial strain. Metals yield at a strain of 0.01 or less. If the distance of the ends
is smaller than the length by this fraction, the beam can bow. A sine curve then has a height of (2/pi)
sqrt(0.05), about a seventh of the length.
"""

ROUND = 0.75 * np.pi
"""The largest plausible angle [rad] between the end of an arc and its chord. At this angle, the arc is three
quarters of a circle.
"""

Pose = Callable[[str], Posed | None]


def misplacement(scenario: Scenario, beam: Beam, pose: Pose) -> Iterator[str]:
    """Yield a warning if the initial distance between the ends of a beam differs from its length.

    For a beam with `curvature`, only a distance that is larger than the length is reported. pose: function
    that returns the initial pose of a body by name, or None if the pose is unknown.
    """
    ends = [_end(scenario, beam, end, pose) for end in ("parent", "child")]
    if any(end is None for end in ends):
        return
    (first, along), (last, on) = ends  # type: ignore[misc]
    way, length = last - first, float(beam.length)
    gap = float(np.linalg.norm(way))
    tilts = [np.arccos(np.clip(axis @ way / gap, -1, 1)) if gap > 0 else np.pi for axis in (along, on)]
    # An arc whose ends are rotated by the angle a from its chord has a chord of sin(a)/a of its length.
    arc = np.sinc(max(tilts) / np.pi) if max(tilts) <= ROUND else 1.0
    off = gap / length - 1
    if off <= STRETCHED and (beam.curvature is not None or gap / length >= arc - STRETCHED):
        return
    than, what = ("more", "stretched") if off > 0 else ("less", "compressed or bowed")
    if off < 0 and beam.start == "drawn":
        what = "compressed"
    yield (
        f"{beam.name}: the initial distance of its ends is {gap:.4g} m, {100 * abs(off):.2g} % {than} than"
        f" its length of {length:.4g} m. The beam starts {what}, but metals yield at a strain of 1 %. Check"
        " length, 'parent_at', 'child_at' and the initial positions of the bodies at its ends."
    )


def axes(frame: Any) -> np.ndarray:
    """Return the rotation matrix (3, 3) of a declared frame. The columns of the matrix are the axes of the
    frame. `frame`: a declared attitude, or None for parallel axes.
    """
    return np.asarray(matrix_of(quaternions([frame], stacked_attitudes([frame], 0), 0)[:, 0]))


def _end(scenario: Scenario, beam: Beam, end: str, pose: Pose) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the position of an end [m] and the direction of the beam there, inertial axes. None if unknown,
    or for a free end."""
    name, at, frame = (getattr(beam, field) for field in (end, f"{end}_at", f"{end}_frame"))
    turn = axes(frame)
    if name == GROUND:
        return np.asarray(at), turn[:, 0]
    found = pose(name) if name is not None else None
    return None if found is None else (found.at(at), found.turn @ turn[:, 0])
