"""Model of convective heating at stagnation points."""
