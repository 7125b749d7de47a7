"""Conversion of the integration steps of a flight to its record: samples, states between samples, integrals
and extremes.
"""
