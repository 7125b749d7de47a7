"""Preloads, loads and strain energies of release devices. The docstrings of module `declared` have the
formulas.
"""

from __future__ import annotations

from ...maths.arrays import jnp
from .declared import ClampBand, ReleaseDevice


def preload(device: ReleaseDevice):
    """Return the clamping force of a preloaded device [N]."""
    if isinstance(device, ClampBand):
        return 2 * jnp.pi * device.radius * line_preload(device)
    assert device.preload is not None
    return device.preload


def line_preload(band: ClampBand):
    """Return the clamping force of a clamp band per length of the ring [N/m]: T / (2 R tan(phi + rho)).

    T is the band tension, R the radius, phi the flank angle, and tan rho the coefficient of friction.
    """
    lean = jnp.tan(band.half_angle)
    return band.tension / (2 * band.radius) * (1 - band.friction * lean) / (lean + band.friction)


def line_load(band: ClampBand, tension, moment):
    """Return the maximum line load of a tensile force and a bending moment on a thin ring [N/m]: P / (2 pi R)
    + M / (pi R^2).

    `tension`: tensile force P [N]. `moment`: bending moment M [N m]. R is the radius of the band.
    """
    return tension / (2 * jnp.pi * band.radius) + moment / (jnp.pi * band.radius**2)


def segment_force(band: ClampBand):
    """Return the radial force of the band on each of n segments [N]: 2 T sin(pi/n), with the band tension T.

    The band changes its direction by 2 pi / n at each segment.
    """
    assert band.segments is not None
    return 2 * band.tension * jnp.sin(jnp.pi / band.segments)


def strain_energy(device: ReleaseDevice):
    """Return the strain energy of a preloaded device [J]: F^2 / (2 k), with preload F and stiffness k."""
    assert device.stiffness is not None
    return preload(device) ** 2 / (2 * device.stiffness)
