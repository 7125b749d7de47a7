"""Joints between bodies that another program integrates: ``from interstage.joints import Joint, Joints``.

The host program passes states and loads of its bodies, and receives the joint loads. Arrays are NumPy arrays.
Neither a scenario nor a file is needed, and JAX is not imported.
"""

from __future__ import annotations

from ..model.frames import Attitude
from ..model.joint import Joint
from ..tree.errors import BadInput
from .closed import Gaps
from .equations import State
from .held import Joints, Loads

__all__ = ["Attitude", "BadInput", "Gaps", "Joint", "Joints", "Loads", "State"]
