"""Where a run begins: placed bodies, orbits, saved flights, and the consistency with the joints."""
