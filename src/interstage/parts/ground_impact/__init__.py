"""Impacts on the ground: events at which the centre of mass of a body reaches the ground."""
