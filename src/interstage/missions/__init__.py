"""A mission as an object: its legs in order, and each leg as a scenario of its own."""
