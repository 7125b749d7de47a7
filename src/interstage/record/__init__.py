"""Records of flights, their files, and results computed from them."""
