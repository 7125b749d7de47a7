"""`interstage trim`: operating points that rest or move steadily."""

from .result import NoTrim as NoTrim
from .result import Trimmed as Trimmed
from .run import trim as trim
