"""Choose the number of cases in one result file of a campaign, if the study does not set it.

A large chunk is faster, because each chunk has a fixed cost and a wide program uses the processor better.
Small chunks report progress often, divide the work evenly, and lose little if a process is killed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...missions.mission import Mission
from .plan import Plan

LEAST, MOST = 128, 1024
"""Smallest and largest default number of cases in a chunk."""
WIDTH = 64
"""Number of cases that one compiled program runs together. A chunk of 128 cases needs two such groups."""
WIDEST = 128
"""The same for large chunks."""
FILES = 8
"""Smallest number of chunks for each process, if the campaign has enough cases."""
PARTS = 40
"""Default number of parts of a campaign on a cluster. A campaign with fewer chunks has one part for each
chunk.
"""
OF_BODY = 13
"""Number of state variables of a rigid body: position, quaternion, velocity and angular velocity."""
LARGEST = 2**23
"""Largest number of state variables in all integration steps of a chunk: 64 MiB. Two bodies with 300 steps
reach the limit with 1024 cases. Such a case takes several milliseconds, so a larger chunk would not be
faster."""


def width_of(chunk: int) -> int:
    """Return the number of cases that one compiled program runs together, from the number in a chunk.

    A wider program uses the processor better, but it needs several groups for several threads.
    """
    return WIDEST if chunk >= 2 * WIDEST else WIDTH


def largest_chunk(plan: Plan, steps: Mapping[str, float], cases: int) -> int:
    """Return the number of cases in a chunk if one process runs the campaign.

    - plan: plan of the campaign. A number that the study declares is returned unchanged.
    - steps: integration steps of all cases together in each leg, by name of the leg. Without steps, the
      smallest default is returned.
    - cases: number of these cases.

    The result does not depend on the machine. It decides how many cases a program runs together, and thus the
    last digits of results.
    """
    if plan.campaign.chunk is not None:
        return plan.campaign.chunk
    legs = Mission.of(plan.scenario).legs
    numbers = sum(count * OF_BODY * len(legs[leg].scenario.bodies) for leg, count in steps.items()) / cases
    return _power_of_two(min(cases / FILES, LARGEST / numbers)) if numbers else LEAST


def chunk_for(plan: Plan, steps: Mapping[str, float], cases: int, processes: int) -> int:
    """Return the number of cases in a chunk if several processes of one machine or cluster run the campaign.

    - plan, steps, cases: see `largest_chunk`.
    - processes: number of processes. Each process has some chunks, but a chunk has at least two groups of
      cases for the threads of the first process.
    """
    largest = largest_chunk(plan, steps, cases)
    if plan.campaign.chunk is not None:
        return largest
    return min(largest, max(_power_of_two(cases / (FILES * processes)), 2 * WIDEST))


def chunk_of_parts(plan: Plan, steps: Mapping[str, float] | None = None) -> int:
    """Return the number of cases in a chunk if the option --part divides a campaign.

    All parts must have the same chunks, on any machine. The number is chosen for 40 parts.

    steps: see `largest_chunk`. Without steps, the result is the largest number that the parts can have.
    """
    if plan.campaign.chunk is not None:
        return plan.campaign.chunk
    most = MOST if steps is None else largest_chunk(plan, steps, plan.cases)
    return min(most, _power_of_two(plan.cases / (FILES * PARTS)))


def _power_of_two(cases: float) -> int:
    """The largest power of two that is not above a number of cases, within the limits of a default."""
    return min(MOST, max(LEAST, 2 ** int(math.log2(max(cases, 1.0)))))
