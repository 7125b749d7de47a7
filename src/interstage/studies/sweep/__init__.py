"""`interstage sweep`: run one scenario with several values of some inputs. All cases run in one batch."""

from .declared import Response as Response
from .declared import Study as Study
from .declared import Variation as Variation
from .result import Measure as Measure
from .result import Sweep as Sweep
from .run import sweep as sweep
