"""The equations of a scenario: one instant, the flow between events, and the jumps at them."""
