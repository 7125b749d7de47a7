"""What loads a body on its way through the atmosphere: the quantities whose largest values a flight tells."""

LOADS = (
    *("dynamic_pressure", "q_alpha", "load_factor", "axial_load_factor"),
    *("mach", "altitude", "heat_rate_indicator"),
)
FAR = 1e3
"""Range of altitudes [m] from which on a body is on its way."""
