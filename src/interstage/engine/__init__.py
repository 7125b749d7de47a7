"""Equations of motion of a scenario: values at one time of a flight, the flow between events, and the jumps
at events.
"""
