"""Latches, rails, and hinges that let go."""
