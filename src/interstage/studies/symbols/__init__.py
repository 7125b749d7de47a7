"""`interstage symbols`: the reduced equations of motion of small machines, in symbols."""

from .result import Symbols as Symbols
from .run import symbols as symbols
