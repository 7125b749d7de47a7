"""Names of quantities that determine the loads on a body in the atmosphere. Every flight records their
largest values."""

LOADS = (
    *("dynamic_pressure", "q_alpha", "load_factor", "axial_load_factor"),
    *("mach", "altitude", "heat_rate_indicator"),
)
FAR = 1e3
"""Minimum range of altitudes [m] in the flight of a body. Below this range the body has no trajectory in the
atmosphere."""
