"""Interstage: launch vehicles that hold together, release and must not touch again.

``import interstage as ist``. The names below are imported at first use, so that the command line starts
quickly."""

from __future__ import annotations

# Few imports here, so that the command line handles signals early.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .environment.atmosphere import NRLMSIS as NRLMSIS
    from .environment.atmosphere import ExponentialAtmosphere as ExponentialAtmosphere
    from .environment.atmosphere import FactorTable as FactorTable
    from .environment.atmosphere import Gas as Gas
    from .environment.atmosphere import NoAtmosphere as NoAtmosphere
    from .environment.atmosphere import TabulatedAtmosphere as TabulatedAtmosphere
    from .environment.atmosphere import USStandard1976 as USStandard1976
    from .environment.gravity import HarmonicGravity as HarmonicGravity
    from .environment.gravity import InverseSquareGravity as InverseSquareGravity
    from .environment.gravity import NoGravity as NoGravity
    from .environment.gravity import UniformGravity as UniformGravity
    from .environment.gravity import ZonalGravity as ZonalGravity
    from .environment.gusts import AltitudeGust as AltitudeGust
    from .environment.gusts import TimeGust as TimeGust
    from .environment.wind import NoWind as NoWind
    from .environment.wind import ShearedWind as ShearedWind
    from .environment.wind import SteadyWind as SteadyWind
    from .environment.wind import WindTable as WindTable
    from .environment.world import Earth as Earth
    from .environment.world import FlatGround as FlatGround
    from .environment.world import Planet as Planet
    from .model.body import Body as Body
    from .model.frames import Attitude as Attitude
    from .model.geometry import Box as Box
    from .model.geometry import Capsule as Capsule
    from .model.geometry import Cone as Cone
    from .model.geometry import Cylinder as Cylinder
    from .model.geometry import Mesh as Mesh
    from .model.geometry import Ogive as Ogive
    from .model.geometry import Shell as Shell
    from .model.geometry import Sphere as Sphere
    from .model.initial import FromFlight as FromFlight
    from .model.initial import FromOrbitMessage as FromOrbitMessage
    from .model.initial import Incidence as Incidence
    from .model.initial import OrbitStart as OrbitStart
    from .model.initial import OverGround as OverGround
    from .model.initial import State as State
    from .model.initial import ThroughJoint as ThroughJoint
    from .model.joint import Joint as Joint
    from .model.leg import After as After
    from .model.leg import Leg as Leg
    from .model.motion import AngularConstant as AngularConstant
    from .model.motion import AngularHarmonic as AngularHarmonic
    from .model.motion import AngularRamp as AngularRamp
    from .model.motion import AngularTable as AngularTable
    from .model.motion import DrivenAxes as DrivenAxes
    from .model.motion import ForceTable as ForceTable
    from .model.motion import LinearConstant as LinearConstant
    from .model.motion import LinearHarmonic as LinearHarmonic
    from .model.motion import LinearRamp as LinearRamp
    from .model.motion import LinearTable as LinearTable
    from .model.motion import TorqueTable as TorqueTable
    from .model.pair import Pair as Pair
    from .model.rate_motion import PrescribedRates as PrescribedRates
    from .model.rate_motion import SpeedConstant as SpeedConstant
    from .model.rate_motion import SpeedHarmonic as SpeedHarmonic
    from .model.rate_motion import SpeedRamp as SpeedRamp
    from .model.rate_motion import SpeedTable as SpeedTable
    from .model.rate_motion import SpinConstant as SpinConstant
    from .model.rate_motion import SpinHarmonic as SpinHarmonic
    from .model.rate_motion import SpinRamp as SpinRamp
    from .model.rate_motion import SpinTable as SpinTable
    from .model.sequence import Event as Event
    from .model.sequence import Phase as Phase
    from .model.sequence import Replacement as Replacement
    from .model.sequence import Trigger as Trigger
    from .model.settings import Output as Output
    from .model.settings import Requirement as Requirement
    from .model.settings import Solver as Solver
    from .model.site import Site as Site
    from .model.source import Source as Source
    from .model.trim import Trim as Trim
    from .model.values import Parameters as Parameters
    from .model.values import Value as Value
    from .parts.air.coefficient_table import Axis as Axis
    from .parts.air.coefficient_table import CoefficientTable as CoefficientTable
    from .parts.air.declared import Aerodynamics as Aerodynamics
    from .parts.air.declared import Blend as Blend
    from .parts.air.declared import Coefficients as Coefficients
    from .parts.air.function_model import FunctionModel as FunctionModel
    from .parts.beams.declared import Beam as Beam
    from .parts.beams.declared import Rectangle as Rectangle
    from .parts.beams.declared import Section as Section
    from .parts.beams.declared import Tube as Tube
    from .parts.blade_elements.declared import BladeElement as BladeElement
    from .parts.bushings.declared import BeamSpring as BeamSpring
    from .parts.bushings.declared import Bushing as Bushing
    from .parts.catches.declared import HingeRelease as HingeRelease
    from .parts.catches.declared import Latch as Latch
    from .parts.catches.declared import Rail as Rail
    from .parts.clearance.declared import Clearance as Clearance
    from .parts.contacts.declared import Contact as Contact
    from .parts.contacts.declared import Ring as Ring
    from .parts.control.actuator import Actuator as Actuator
    from .parts.control.declared import PID as PID
    from .parts.control.declared import AttitudeHold as AttitudeHold
    from .parts.control.declared import RateHold as RateHold
    from .parts.control.declared import ThrottleLimit as ThrottleLimit
    from .parts.control.declared import UserControl as UserControl
    from .parts.drag.declared import Parachute as Parachute
    from .parts.drag.declared import Streamer as Streamer
    from .parts.given.declared import Force as Force
    from .parts.given.declared import Torque as Torque
    from .parts.guidance.declared import AngleGuidance as AngleGuidance
    from .parts.guidance.declared import Burn as Burn
    from .parts.guidance.declared import DirectionGuidance as DirectionGuidance
    from .parts.guidance.declared import DragProfile as DragProfile
    from .parts.guidance.declared import EntryGuidance as EntryGuidance
    from .parts.guidance.declared import GlideGuidance as GlideGuidance
    from .parts.guidance.declared import GravityTurn as GravityTurn
    from .parts.guidance.declared import IncidenceGuidance as IncidenceGuidance
    from .parts.guidance.declared import Insertion as Insertion
    from .parts.guidance.declared import PoweredGuidance as PoweredGuidance
    from .parts.guidance.declared import Reversals as Reversals
    from .parts.guidance.declared import TangentSteering as TangentSteering
    from .parts.guidance.declared import UserGuidance as UserGuidance
    from .parts.guidance.functions import AnglePolynomial as AnglePolynomial
    from .parts.guidance.functions import AngleSchedule as AngleSchedule
    from .parts.guidance.functions import DirectionTable as DirectionTable
    from .parts.heating.declared import Chapman as Chapman
    from .parts.heating.declared import PowerLaw as PowerLaw
    from .parts.heating.declared import SuttonGraves as SuttonGraves
    from .parts.interfaces.declared import Allowables as Allowables
    from .parts.interfaces.declared import Interface as Interface
    from .parts.modal.declared import ModalBody as ModalBody
    from .parts.modal.declared import ModalPoint as ModalPoint
    from .parts.propellant.elements import CylinderTank as CylinderTank
    from .parts.propellant.elements import Grain as Grain
    from .parts.propellant.elements import PointTank as PointTank
    from .parts.propellant.elements import RigidItem as RigidItem
    from .parts.propellant.elements import ShiftedTable as ShiftedTable
    from .parts.propellant.elements import SphereTank as SphereTank
    from .parts.propellant.engines import Engine as Engine
    from .parts.propellant.engines import Motor as Motor
    from .parts.pushers.declared import ForceByStroke as ForceByStroke
    from .parts.pushers.declared import ForceByTime as ForceByTime
    from .parts.pushers.declared import GasChamber as GasChamber
    from .parts.pushers.declared import KickoffSpring as KickoffSpring
    from .parts.pushers.declared import Piston as Piston
    from .parts.pushers.declared import PneumaticPusher as PneumaticPusher
    from .parts.pushers.declared import Umbilical as Umbilical
    from .parts.releases.declared import ClampBand as ClampBand
    from .parts.releases.declared import ExplosiveBolt as ExplosiveBolt
    from .parts.releases.declared import ExplosiveNut as ExplosiveNut
    from .parts.releases.declared import FrangibleJoint as FrangibleJoint
    from .parts.releases.declared import LinearCharge as LinearCharge
    from .parts.sensors.declared import Sensor as Sensor
    from .parts.springs.declared import Spring as Spring
    from .parts.stops.declared import HingeStop as HingeStop
    from .parts.stops.declared import Stop as Stop
    from .parts.torsion.declared import TorsionSpring as TorsionSpring
    from .parts.users.declared import UserForce as UserForce
    from .reading import load as load
    from .record.results import Flight as Flight
    from .record.results import open_flight as open_flight
    from .scenario import Scenario as Scenario
    from .studies.campaign import Campaign as Campaign
    from .studies.campaign import CampaignResult as CampaignResult
    from .studies.campaign import Correlation as Correlation
    from .studies.campaign import Dispersion as Dispersion
    from .studies.comparison import Comparison as Comparison
    from .studies.comparison import compare as compare
    from .studies.sweep import Response as Response
    from .studies.sweep import Study as Study
    from .studies.sweep import Sweep as Sweep
    from .studies.sweep import Variation as Variation
    from .tree.errors import BadInput as BadInput
    from .tree.errors import FlightEnded as FlightEnded
    from .tree.errors import InterstageError as InterstageError
    from .tree.errors import Problem as Problem

_HOMES = {
    ".tree.errors": "BadInput FlightEnded InterstageError Problem",
    ".reading": "load",
    ".scenario": "Scenario",
    ".studies.comparison": "Comparison compare",
    ".studies.campaign": "Campaign CampaignResult Correlation Dispersion",
    ".studies.sweep": "Response Study Sweep Variation",
    ".model.frames": "Attitude",
    ".environment.gravity": "NoGravity UniformGravity InverseSquareGravity ZonalGravity HarmonicGravity",
    ".environment.world": "Earth Planet FlatGround",
    ".environment.atmosphere": "NoAtmosphere USStandard1976 ExponentialAtmosphere TabulatedAtmosphere"
    " NRLMSIS FactorTable Gas",
    ".environment.wind": "NoWind SteadyWind ShearedWind WindTable",
    ".environment.gusts": "AltitudeGust TimeGust",
    ".parts.propellant.elements": "RigidItem CylinderTank SphereTank Grain PointTank ShiftedTable",
    ".parts.propellant.engines": "Engine Motor",
    ".parts.air.declared": "Aerodynamics Coefficients Blend",
    ".parts.air.coefficient_table": "CoefficientTable Axis",
    ".parts.air.function_model": "FunctionModel",
    ".parts.sensors.declared": "Sensor",
    ".parts.guidance.declared": "AngleGuidance Burn DirectionGuidance DragProfile EntryGuidance GlideGuidance"
    " GravityTurn IncidenceGuidance Insertion PoweredGuidance Reversals TangentSteering UserGuidance",
    ".parts.guidance.functions": "AnglePolynomial AngleSchedule DirectionTable",
    ".parts.control.declared": "PID RateHold AttitudeHold ThrottleLimit UserControl",
    ".parts.control.actuator": "Actuator",
    ".model.body": "Body",
    ".parts.clearance.declared": "Clearance",
    ".parts.contacts.declared": "Contact Ring",
    ".model.geometry": "Sphere Capsule Cylinder Cone Ogive Box Shell Mesh",
    ".parts.beams.declared": "Beam Rectangle Section Tube",
    ".parts.modal.declared": "ModalBody ModalPoint",
    ".parts.blade_elements.declared": "BladeElement",
    ".parts.bushings.declared": "Bushing BeamSpring",
    ".model.initial": "State OverGround OrbitStart Incidence ThroughJoint FromFlight FromOrbitMessage",
    ".parts.interfaces.declared": "Interface Allowables",
    ".parts.heating.declared": "SuttonGraves Chapman PowerLaw",
    ".model.joint": "Joint",
    ".model.pair": "Pair",
    ".model.motion": "ForceTable TorqueTable DrivenAxes LinearConstant LinearRamp LinearHarmonic LinearTable"
    " AngularConstant AngularRamp AngularHarmonic AngularTable",
    ".model.rate_motion": "PrescribedRates SpeedConstant SpeedRamp SpeedHarmonic SpeedTable"
    " SpinConstant SpinRamp SpinHarmonic SpinTable",
    ".parts.drag.declared": "Parachute Streamer",
    ".parts.given.declared": "Force Torque",
    ".parts.springs.declared": "Spring",
    ".parts.torsion.declared": "TorsionSpring",
    ".parts.users.declared": "UserForce",
    ".parts.stops.declared": "Stop HingeStop",
    ".parts.pushers.declared": "KickoffSpring Piston GasChamber PneumaticPusher Umbilical ForceByStroke"
    " ForceByTime",
    ".parts.releases.declared": "LinearCharge ExplosiveBolt ExplosiveNut FrangibleJoint ClampBand",
    ".parts.catches.declared": "HingeRelease Latch Rail",
    ".model.leg": "Leg After",
    ".model.sequence": "Trigger Phase Event Replacement",
    ".model.settings": "Solver Output Requirement",
    ".model.site": "Site",
    ".model.source": "Source",
    ".model.trim": "Trim",
    ".model.values": "Value Parameters",
    ".record.results": "Flight open_flight",
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
    import importlib

    value = getattr(importlib.import_module(_HOME_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
