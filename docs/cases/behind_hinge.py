"""Room between two straight bellies behind the hinge at which they hang, in the plane."""

from __future__ import annotations

import numpy as np

from interstage.record.record import Record

FT = 0.3048


def room(record: Record, gap: float, lengths: tuple[float, float]) -> tuple[float, float]:
    """(least room [ft], its time [s]) over a flight that hangs on the joint "aft".

    The hinge is in the middle of the gap [ft] between two bellies, straight and parallel at the start, the
    parent's and the child's, of these lengths [ft]; x counts from their noses. Looked at are the rear edges
    of both, as long as they stand over the other's belly."""
    joint = next(joint for joint in record.scenario.joints if joint.name == "aft")
    noses = [-float(at[0]) / FT for at in (joint.parent_at, joint.child_at)]
    parent, child = ((length - ahead, ahead) for length, ahead in zip(lengths, noses, strict=True))
    way = record.series["joints.aft.displacement"][:, [0, 2]] / FT
    angle = record.series["joints.aft.rotation"][:, 1]
    of_child = way + _turned(angle, -child[0], gap / 2)
    of_parent = _turned_back(angle, np.array([-parent[0], -gap / 2]) - way)
    rooms = [
        np.where((-ends[0] < edge[:, 0]) & (edge[:, 0] < ends[1]), side * edge[:, 1] + gap / 2, np.inf)
        for edge, side, ends in ((of_child, 1, parent), (of_parent, -1, child))
    ]
    least = np.minimum(*rooms)
    row = int(np.argmin(least))
    return float(least[row]), float(record.time[row])


def _turned(angle: np.ndarray, x: float, z: float) -> np.ndarray:
    """A vector (x, z) of the child in the parent's axes."""
    return np.stack([x * np.cos(angle) + z * np.sin(angle), z * np.cos(angle) - x * np.sin(angle)], axis=1)


def _turned_back(angle: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (x, z) of the parent's axes in those of the child."""
    x, z = vectors.T
    return np.stack([x * np.cos(angle) - z * np.sin(angle), z * np.cos(angle) + x * np.sin(angle)], axis=1)
