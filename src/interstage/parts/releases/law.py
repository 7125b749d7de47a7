"""What release devices hold with, and what their release gives; the formulas are derived in `release`."""

from __future__ import annotations

from ...maths.arrays import jnp
from .declared import ClampBand, ReleaseDevice


def preload(device: ReleaseDevice):
    """Force with which a preloaded device draws the two sides together [N]."""
    if isinstance(device, ClampBand):
        return 2 * jnp.pi * device.radius * line_preload(device)
    assert device.preload is not None
    return device.preload


def line_preload(band: ClampBand):
    """Force with which a clamp band presses the flanges together for each length of the ring [N/m]: T / (2 R
    tan(phi + rho)) with friction tan rho."""
    lean = jnp.tan(band.half_angle)
    return band.tension / (2 * band.radius) * (1 - band.friction * lean) / (lean + band.friction)


def line_load(band: ClampBand, tension, moment):
    """Largest line load [N/m] of a force [N] that pulls the rings apart and a bending moment [N m] on a thin
    ring: P / (2 pi R) + M / (pi R^2)."""
    return tension / (2 * jnp.pi * band.radius) + moment / (jnp.pi * band.radius**2)


def segment_force(band: ClampBand):
    """Radial force of the band on each segment [N]: 2 T sin(pi/n), as it turns by 2 pi / n over each."""
    assert band.segments is not None
    return 2 * band.tension * jnp.sin(jnp.pi / band.segments)


def strain_energy(device: ReleaseDevice):
    """Strain energy of the preload [J]: F^2 / (2 k)."""
    assert device.stiffness is not None
    return preload(device) ** 2 / (2 * device.stiffness)
