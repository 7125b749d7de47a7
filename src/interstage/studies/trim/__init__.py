"""`interstage trim`: find operating points at which a scenario is at rest, moves steadily, or repeats its
motion.
"""

from .result import NoTrim as NoTrim
from .result import Trimmed as Trimmed
from .run import trim as trim
