"""Interstage: launch vehicles that hold together, let go and must not touch again.

``import interstage as ist``. Every name below is imported when it is first used, so that the command line
starts quickly."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import BadInput as BadInput
    from .errors import FlightEnded as FlightEnded
    from .errors import InterstageError as InterstageError
    from .errors import Problem as Problem

_HOMES = {
    ".errors": "BadInput FlightEnded InterstageError Problem",
    ".scenario": "Scenario load",
    ".frames": "Attitude",
    ".environment.gravity": "NoGravity UniformGravity InverseSquareGravity",
    ".model.body": "Body State ThroughJoint FromFlight",
    ".model.joint": "Joint",
    ".model.motion": "ForceTable TorqueTable DrivenAxes LinearConstant LinearRamp LinearHarmonic LinearTable"
    " AngularConstant AngularRamp AngularHarmonic AngularTable",
    ".model.force": "Force Torque Spring TorsionSpring UserForce",
    ".model.device": "KickoffSpring LinearCharge",
    ".model.sequence": "Trigger Phase Event Replacement",
    ".model.settings": "Solver Output Requirement",
    ".model.values": "Value Parameters",
    ".results": "Flight open_flight",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [*_HOME_OF, "__version__"]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("interstage")
        except PackageNotFoundError:  # run from a checkout that is not installed
            return "0+unknown"
    if name not in _HOME_OF:
        raise AttributeError(f"module 'interstage' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
