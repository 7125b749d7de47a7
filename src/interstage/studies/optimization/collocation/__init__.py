"""Optimal control of what flies as one point, by collocation: states at many nodes are variables."""
