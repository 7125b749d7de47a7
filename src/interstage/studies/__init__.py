"""Studies of a scenario: sweeps, campaigns, optimizations, trim, linearization, comparisons of formulations,
and validation cases.
"""
