"""`interstage solve` and `interstage optimize`: find inputs for which quantities have required values, or
for which an objective is optimal.
"""

from .declared import OptimizationStudy as OptimizationStudy
from .result import Optimum as Optimum
from .run import optimize as optimize
from .targeting import OutOfReach as OutOfReach
from .targeting import Solved as Solved
from .targeting import find as find
