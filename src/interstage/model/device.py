"""Separation devices: what pushes bodies apart, and what lets them go."""

from __future__ import annotations

from typing import Annotated

from ..parts.catches.declared import HingeRelease, Latch, Rail
from ..parts.drag.declared import Parachute, Streamer
from ..parts.pushers.declared import GasChamber, KickoffSpring, Piston, PneumaticPusher, Umbilical
from ..parts.releases.declared import ClampBand, ExplosiveBolt, ExplosiveNut, FrangibleJoint, LinearCharge
from ..tree.declaration import OneOf

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
