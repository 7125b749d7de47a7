"""Planet, gravity, atmosphere, wind and orbits. This room does not refer to bodies."""
