"""Base classes of the models that act on bodies: the contract between the engine and a model.

A model computes one physical effect, for example springs or engines. A model is a subclass of `Part` and
of the capability classes that it needs. The engine calls only the members of these classes, in the order of
the catalogue. `*cases` in a shape stands for the trailing case axes of an array.

| class | a model of this class |
|---|---|
| `Part` | has loads, quantities, stored energy |
| `HasState` | has continuous states |
| `HasSwitches` | has values that change only at events |
| `HasEvents` | adds events, or acts at events |
| `Watches` | watches an array of values for zero crossings |
| `Sampled` | takes samples at its own times |
| `HasReference` | has values that follow from the initial pose |
| `ChecksStart` | examines the initial states of many cases at once |
| `Stacked` | stacks the declared numbers of its items in arrays |
| `Tabulated` | interpolates tables |
| `ChangesMass` | changes the masses of bodies |
| `MovingMass` | has masses that move relative to the bodies |
| `Impulsive` | applies impulses at events |
| `Linearizable` | has other coordinates in linear analysis |
| `Commands` | commands other models |"""

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
