"""Names of quantities that load a body in the atmosphere. Every flight searches their largest values."""

LOADS = (
    *("dynamic_pressure", "q_alpha", "load_factor", "axial_load_factor"),
    *("mach", "altitude", "heat_rate_indicator"),
)
FAR = 1e3
"""Minimum range of altitudes [m] of a body with a trajectory."""
