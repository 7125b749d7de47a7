"""Joints for bodies that another program integrates: ``from interstage.joints import Joint, Joints``.

The host gives states and loads of its bodies and gets the loads to add. NumPy in and out; no scenario, no
files, and JAX is not imported."""

from __future__ import annotations

from ..model.frames import Attitude
from ..model.joint import Joint
from ..tree.errors import BadInput
from .closed import Gaps
from .equations import State
from .held import Joints, Loads

__all__ = ["Attitude", "BadInput", "Gaps", "Joint", "Joints", "Loads", "State"]
