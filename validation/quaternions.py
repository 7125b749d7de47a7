"""What several truths share of quaternions, scalar first, body to inertial, of any length. NumPy only, in the
precision of what is given."""

from __future__ import annotations

import numpy as np


def matrix(q):
    """Rotation matrix (3, 3), body to inertial components."""
    w, x, y, z = q / np.sqrt(q @ q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_rate(q, w):
    """Rate (4,) at the angular velocity w in body axes."""
    return np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)]) / 2
