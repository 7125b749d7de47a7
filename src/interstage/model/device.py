"""Separation devices: what pushes bodies apart, and what lets them go."""

from __future__ import annotations

from typing import Annotated

from ..tree import OneOf
from .catches import HingeRelease, Latch, Rail
from .drag_device import Parachute, Streamer
from .pusher import GasChamber, KickoffSpring, Piston, PneumaticPusher, Umbilical
from .release import ClampBand, ExplosiveBolt, ExplosiveNut, FrangibleJoint, LinearCharge

AnyDevice = Annotated[
    KickoffSpring
    | Piston
    | GasChamber
    | PneumaticPusher
    | Umbilical
    | LinearCharge
    | ExplosiveBolt
    | ExplosiveNut
    | FrangibleJoint
    | ClampBand
    | HingeRelease
    | Latch
    | Rail
    | Parachute
    | Streamer,
    OneOf(),
]
