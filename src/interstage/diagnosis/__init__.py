"""Warn of probable mistakes in a scenario or a flight, and find out why a flight ended early."""
