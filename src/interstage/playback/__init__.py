"""Playback of a flight: one HTML page with a viewer, made from a record alone."""
