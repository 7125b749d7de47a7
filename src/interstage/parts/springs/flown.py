"""Springs and dampers along the line between two points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.contract import Makers, Part
from ...engine.quantity import makers
from ...engine.stacks import stacked
from ...maths.arrays import jax
from ...model import attachments
from . import law as springs
from .quantities import spring_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout


class Lines(NamedTuple):
    """All springs, (spring, *lanes): the states of their lines, and their tensions on the children [N],
    positive where they push apart; share (6, body, *lanes): what they do to the bodies."""

    line: springs.LineState
    tension: jax.Array
    share: jax.Array


class Springs(Part):
    """Springs along a line."""

    name = "springs"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return bool(layout.springs)

    def find(self, here: Here) -> Lines:
        """Their lines and tensions."""
        layout, numbers, motion = self.layout, here.numbers, here.motion
        parent, child = layout.ends(layout.springs)
        pairs = attachments.kinematics(motion, parent, child, numbers.spring_a, numbers.spring_b)
        line = springs.along_points(pairs)
        lanes, declared = motion.position.ndim - 2, here.equations.declared("spring")
        stiffness, damping = (stacked([getattr(s, n) for s in declared], lanes) for n in FIELDS)
        force = springs.spring_force(line, stiffness, damping, here.equations.reference.spring_length)
        on_a, on_b = attachments.lever(pairs, line.direction)
        share = attachments.gathered(on_a * force, on_b * force, parent, child, motion.position.shape[1])
        return Lines(line, force, share)

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        return here[self.name].share

    def stored(self, here: Here) -> Any:
        """Energy of all."""
        total: Any = 0.0
        for k, spring in enumerate(here.equations.declared("spring")):
            stretch = here[self.name].line.length[k] - here.equations.reference.spring_length[k]
            total = total + 0.5 * spring.stiffness * stretch**2
        return total

    def quantities(self) -> Makers:
        """Of each."""
        return makers("forces", self.layout.springs, spring_quantities)


FIELDS = "stiffness", "damping"
