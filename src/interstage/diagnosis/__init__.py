"""Warnings for probable mistakes in a scenario or a flight, and reasons for flights that ended early."""
