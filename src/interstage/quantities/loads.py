"""Names of the quantities that determine the loads on a body in the atmosphere.

The maxima of these quantities are searched and recorded in every flight.
"""

LOADS = (
    *("dynamic_pressure", "q_alpha", "load_factor", "axial_load_factor"),
    *("mach", "altitude", "heat_rate_indicator"),
)
FAR = 1e3
"""Minimum range of altitudes [m] in the flight of a body with a trajectory in the atmosphere."""
