"""The contract between the engine and the effects that act on bodies.

An effect is a subclass of `Part` and of the capabilities that it has. The engine knows effects by these
classes only, in the order of the catalogue.

| class | an effect that |
|---|---|
| `Part` | has loads, quantities, energy |
| `HasState` | has continuous states |
| `HasSwitches` | has values that change at events only |
| `HasEvents` | adds events, or acts at events |
| `Watches` | watches many values at once |
| `Sampled` | takes samples at its own times |
| `HasReference` | has values from the initial pose |
| `ChecksStart` | examines the starts of many cases at once |
| `Stacked` | stacks the declared numbers of its items |
| `Tabulated` | looks up tables |
| `ChangesMass` | changes the masses of bodies |
| `MovingMass` | has masses that move in bodies |
| `Impulsive` | applies impulses at events |
| `Linearizable` | has other coordinates in linear analysis |
| `Commands` | commands other effects |
"""

from .events import Fired, HasEvents, Sampled, Watches
from .found import CAPABILITIES, parts_of, present, without_law
from .linear import Commands, Linearizable, LinearState
from .motion import ChangesMass, Impulsive, MovingMass
from .part import Break, Makers, Part
from .state import ChecksStart, HasReference, HasState, HasSwitches, Kept, Persistent, Stacked
from .tables import Range, Tabulated

__all__ = [
    "CAPABILITIES",
    "Break",
    "ChangesMass",
    "ChecksStart",
    "Commands",
    "Fired",
    "HasEvents",
    "HasReference",
    "HasState",
    "HasSwitches",
    "Impulsive",
    "Kept",
    "LinearState",
    "Linearizable",
    "Makers",
    "MovingMass",
    "Part",
    "Persistent",
    "Range",
    "Sampled",
    "Stacked",
    "Tabulated",
    "Watches",
    "parts_of",
    "present",
    "without_law",
]
