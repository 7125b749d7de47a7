"""Planet, gravity, atmosphere, wind and orbits. The modules of this package do not refer to bodies."""
