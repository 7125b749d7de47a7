"""The equations of a scenario: one time of a flight, the flow between events, and the jumps at events."""
