"""`interstage compare`: run one scenario with several formulations of the equations of motion, and compare
the flights; or compare two saved flights.
"""

from .run import Comparison as Comparison
from .run import Run as Run
from .run import compare as compare
from .two_flights import FlightComparison as FlightComparison
from .two_flights import compare_flights as compare_flights
from .variants import Unfit as Unfit
from .variants import Variant as Variant
