"""Models of physical effects, one package for each effect. `tree.packages` reports the modules of each
package.
"""

OWN = (
    *("given", "springs", "torsion", "bushings", "stops", "users", "beams", "modal", "blade_elements"),
    *("pushers", "releases", "catches", "drag"),
    *("propellant", "air", "guidance", "control", "performance", "heating"),
    *("contacts", "sensors", "interfaces", "ground_impact", "clearance"),
)
"""The packages of the built-in models, in the order in which their kinds are listed."""
OPEN = ("forces", "devices")
"""Groups of a scenario to which plug-in packages may add kinds. Items of these groups act on bodies."""
