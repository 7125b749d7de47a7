"""`interstage linearize`: linearize the equations of motion about operating points of a flight."""

from .floquet import Periodic as Periodic
from .result import Linear as Linear
from .result import Series as Series
from .run import linearize as linearize
