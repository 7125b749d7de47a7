"""Initial states of a run: placed bodies, orbits, saved flights, and the consistency with the joints."""
