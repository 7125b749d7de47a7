"""`interstage compare`: run one scenario with several formulations of the equations of motion, and compare
the flights.
"""

from .run import Comparison as Comparison
from .run import Run as Run
from .run import compare as compare
from .variants import Unfit as Unfit
from .variants import Variant as Variant
