"""What a flight or a scenario does that is likely a mistake, and why a flight ended early."""
