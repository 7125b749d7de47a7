"""Many flights: sweeps, comparisons of formulations, validation cases."""
