"""`interstage sweep`: one scenario with some of its inputs varied, all cases in one batch."""

from .declared import Response as Response
from .declared import Study as Study
from .declared import Variation as Variation
from .result import Measure as Measure
from .result import Sweep as Sweep
from .run import sweep as sweep
