"""`interstage solve` and `interstage optimize`: inputs so that quantities have given values, or the best."""

from .declared import OptimizationStudy as OptimizationStudy
from .result import Optimum as Optimum
from .run import optimize as optimize
from .targeting import OutOfReach as OutOfReach
from .targeting import Solved as Solved
from .targeting import find as find
