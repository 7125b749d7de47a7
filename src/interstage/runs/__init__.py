"""Flights: one, many cases, and missions."""
