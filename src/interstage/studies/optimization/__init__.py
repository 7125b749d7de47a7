"""`interstage solve` and `interstage optimize`: inputs so that quantities have given values, or the best."""

from .declared import OptimizationStudy as OptimizationStudy
from .find import OutOfReach as OutOfReach
from .find import Solved as Solved
from .find import find as find
from .result import Optimum as Optimum
from .run import optimize as optimize
