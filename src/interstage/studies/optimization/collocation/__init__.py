"""Optimal control of point masses by collocation: states at many nodes are variables."""
