"""Preloads, loads and strain energies of release devices. The module `declared` has the formulas."""

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
    """Return the clamping force of a clamp band per length of the ring [N/m]: T / (2 R tan(phi + rho)), with
    the coefficient of friction tan rho."""
    lean = jnp.tan(band.half_angle)
    return band.tension / (2 * band.radius) * (1 - band.friction * lean) / (lean + band.friction)


def line_load(band: ClampBand, tension, moment):
    """Return the largest line load of a tensile force P [N] and a bending moment M [N m] on a thin ring
    [N/m]: P / (2 pi R) + M / (pi R^2)."""
    return tension / (2 * jnp.pi * band.radius) + moment / (jnp.pi * band.radius**2)


def segment_force(band: ClampBand):
    """Return the radial force of the band on each of n segments [N]: 2 T sin(pi/n). The band changes its
    direction by 2 pi / n at each segment."""
    assert band.segments is not None
    return 2 * band.tension * jnp.sin(jnp.pi / band.segments)


def strain_energy(device: ReleaseDevice):
    """Return the strain energy of the preload F [J]: F^2 / (2 k)."""
    assert device.stiffness is not None
    return preload(device) ** 2 / (2 * device.stiffness)
