"""Model of flexible beams. Geometrically exact two-node elements connect rigid segments with mass."""
