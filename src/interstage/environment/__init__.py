"""The world around the bodies; it knows none of them."""
