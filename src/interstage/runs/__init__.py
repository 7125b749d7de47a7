"""Simulate single flights, batches of cases, and missions."""
