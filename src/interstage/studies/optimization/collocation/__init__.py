"""Optimal control of point masses by direct collocation. The states at many nodes are variables of a
nonlinear program.
"""
