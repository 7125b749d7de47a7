"""`interstage compare`: one scenario flown by several formulations, and their differences."""

from .run import Comparison as Comparison
from .run import Run as Run
from .run import compare as compare
from .variants import Unfit as Unfit
from .variants import Variant as Variant
