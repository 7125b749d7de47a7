"""`interstage symbols`: the reduced equations of motion of small machines, as symbolic equations."""

from .result import Symbols as Symbols
from .run import symbols as symbols
