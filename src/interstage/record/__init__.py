"""Data model of simulated flights: records, saved files, and results computed from the records."""
