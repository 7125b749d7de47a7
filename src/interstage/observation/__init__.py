"""From the steps of a flight to its record: samples, states between them, integrals and extremes."""
