"""Check a complete scenario before its flight."""
