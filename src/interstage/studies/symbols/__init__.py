"""`interstage symbols`: derive symbolic equations of motion of small multibody systems."""

from .result import Symbols as Symbols
from .run import symbols as symbols
