"""Physical effects, a folder each; which modules they have is reported in `tree.packages`."""

OWN = (
    *("given", "springs", "torsion", "bushings", "stops", "users", "beams", "modal", "blade_elements"),
    *("pushers", "releases", "catches", "drag"),
    *("propellant", "air", "guidance", "control", "performance", "heating"),
    *("contacts", "sensors", "interfaces", "ground_impact", "clearance"),
)
"""The effects that come with Interstage, in the order in which their kinds are listed."""
OPEN = ("forces", "devices")
"""Groups of a scenario to which other packages may add kinds: what acts on bodies, by whatever law."""
