"""Drawn linkages: trees and loops of bodies on joints of all kinds, in poses that the joints allow.

Poses are made with scipy's rotations, from a table of what each joint leaves free that is written out here.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import packed
from mechanics import AXES, COAST, drawn_body


def general(locked, **options):
    return "generalized", {"locked": tuple(locked.split()), **options}


def kinds_of_joints():
    """(kind, options, free translations, free turns in order: of the parent's axis first) with a tree
    form."""
    yield "fixed", {}, "", ""
    yield "spherical", {}, "", "xyz"
    for axis in AXES:
        others = AXES.replace(axis, "")
        yield "revolute", {"axis": axis}, "", axis
        yield "cylindrical", {"axis": axis}, axis, axis
        yield "translational", {"axis": axis}, axis, ""
        yield "planar", {"axis": axis}, others, axis
        yield "planar", {"axis": axis, "rotates": False}, others, ""
    for a, b in itertools.permutations(AXES, 2):
        yield "universal", {"axes": a + b}, "", a + b
    yield *general("tx rx"), "yz", "yz"
    yield *general("tz rz", rotation_pair="ay.bx"), "xy", "yx"
    yield *general("ty rx rz"), "xz", "y"
    yield *general("rx ry rz"), "xyz", ""
    yield *general("tx tz"), "y", "xyz"


KINDS = list(kinds_of_joints())


class Linkage(NamedTuple):
    """A scenario with the pose of its bodies, on the joints: r, q (component, body, lane)."""

    scenario: Any
    r: np.ndarray
    q: np.ndarray


def _frame(rng):
    turn = Rotation.random(rng=rng)
    return turn, ist.Attitude(quaternion=turn.as_quat(scalar_first=True))


def _turned(rng, turns, lanes):
    if turns == "xyz":
        return Rotation.random(lanes, rng=rng)
    turned = Rotation.identity(lanes)
    for axis in turns:
        turned = turned * Rotation.from_rotvec(
            np.outer(rng.uniform(-3, 3, lanes), np.eye(3)[AXES.index(axis)])
        )
    return turned


class _Draft:
    """Bodies placed so far; the ground is one of them, at rest."""

    def __init__(self, rng, bodies, lanes):
        self.rng, self.lanes = rng, lanes
        self.bodies = {k: drawn_body(rng, f"b{k}", initial=ist.State()) for k in range(bodies)}
        self.r: dict[Any, Any] = {"ground": np.zeros((lanes, 3))}
        self.turn: dict[Any, Any] = {"ground": Rotation.identity(lanes)}
        self.joints: list[Any] = []

    def name(self, k):
        return k if k == "ground" else self.bodies[k].name

    def centre(self, k):
        return np.zeros(3) if k == "ground" else np.asarray(self.bodies[k].mass_centre)

    def hang(self, k, inner, kind, outward=True, **given):
        """Place body k through a new joint on `inner`."""
        rng, (name, options, slides, turns) = self.rng, kind
        (frame_a, said_a), (frame_b, said_b) = _frame(rng), _frame(rng)
        points = rng.uniform(-1, 1, (2, 3))
        shift = np.zeros((self.lanes, 3))
        for axis in slides:
            shift[:, AXES.index(axis)] = rng.uniform(-1, 1, self.lanes)
        between = frame_a * _turned(rng, turns, self.lanes) * frame_b.inv()
        parent, child = (inner, k) if outward else (k, inner)
        arm_a = points[0] - self.centre(parent) + frame_a.apply(shift)
        arm_b = points[1] - self.centre(child)
        if outward:
            self.turn[k] = self.turn[inner] * between
        else:
            self.turn[k] = self.turn[inner] * between.inv()
        ends = self.turn[parent].apply(arm_a), self.turn[child].apply(arm_b)
        gap = ends[0] - ends[1]
        self.r[k] = self.r[inner] + (gap if outward else -gap)
        self._joint(name, options, parent, child, points, (said_a, said_b), given)

    def _joint(self, kind, options, parent, child, points, frames, given):
        found: dict[str, Any] = {
            "name": f"j{len(self.joints)}",
            "kind": kind,
            "parent": self.name(parent),
            "child": self.name(child),
            "parent_at": points[0],
            "child_at": points[1],
            "parent_frame": frames[0],
            "child_frame": frames[1],
        }
        self.joints.append(ist.Joint(**found, **options, **given))

    def close(self, parent, child, kind):
        """A joint between bodies that are placed already (one lane): its frames coincide as they are."""
        (name, options, *_), rng = kind, self.rng
        frame, said = _frame(rng)
        point = rng.uniform(-1, 1, 3)
        own = self.turn[child][0].inv() * self.turn[parent][0] * frame
        there = self.r[parent][0] + self.turn[parent][0].apply(point - self.centre(parent))
        at = self.turn[child][0].inv().apply(there - self.r[child][0]) + self.centre(child)
        frames = said, ist.Attitude(quaternion=own.as_quat(scalar_first=True))
        self._joint(name, options, parent, child, (point, at), frames, {})

    def finished(self, **options) -> Linkage:
        order = range(len(self.bodies))
        r = np.stack([self.r[k].T for k in order], 1)
        q = np.stack([self.turn[k].as_quat(scalar_first=True).T for k in order], 1)
        given: dict[str, Any] = {"phases": COAST} | options
        scenario = ist.Scenario(
            bodies=tuple(self.bodies[k] for k in order), joints=tuple(self.joints), **given
        )
        return Linkage(scenario, r, q)


def drawn_linkage(seed, kinds, ground=True, loops=(), lanes=3, **options) -> Linkage:
    """A tree with one body for each of `kinds` (one more without ground), and joints `loops` that close it;
    with these there is one lane."""
    rng = np.random.default_rng(seed)
    lanes = 1 if loops else lanes
    bodies = len(kinds) + (not ground)
    draft = _Draft(rng, bodies, lanes)
    if not ground:
        draft.r[0] = rng.uniform(-1, 1, (lanes, 3))
        draft.turn[0] = Rotation.random(lanes, rng=rng)
    for kind in kinds:
        k = len(draft.r) - 1
        placed = [i for i in draft.r if i != "ground" or (ground and (k == 0 or rng.random() < 0.3))]
        inner = placed[int(rng.integers(len(placed)))]
        draft.hang(k, inner, kind, outward=inner == "ground" or bool(rng.random() < 0.5))
    for kind in loops:
        a, b = rng.choice(bodies, 2, replace=False)
        draft.close(int(a), int(b), kind)
    return draft.finished(**options)


def moving(rng, linkage: Linkage, jacobian, prescribed=0.0):
    """Velocities (v, w) that the rows allow (component, body, lane): a drawn motion without its part across
    them. jacobian (lane, row, 6 bodies), of the motion; prescribed (lane, row): A u."""
    bodies, lanes = linkage.r.shape[1:]
    u = rng.standard_normal((lanes, 6 * bodies))
    for k in range(lanes):
        a = jacobian[k]
        u[k] -= np.linalg.pinv(a, rcond=1e-10) @ (a @ u[k] - np.broadcast_to(prescribed, (lanes, len(a)))[k])
    u = u.reshape(lanes, bodies, 6)
    return np.moveaxis(u[:, :, :3], (2, 1), (0, 1)), np.moveaxis(u[:, :, 3:], (2, 1), (0, 1))


def state_of(linkage: Linkage, v, w):
    """The engine's flat state, lanes last."""
    return packed(linkage.r, v, linkage.q, w)
