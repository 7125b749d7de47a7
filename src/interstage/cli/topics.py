"""The command `interstage explain`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ..tree.errors import BadInput
from ..tree.sentences import count_text, list_text
from ..tree.similar_names import near
from . import complete
from .shared import app

if TYPE_CHECKING:
    from .reference.find import Node, Topics
    from .reference.pages import QuantityText
    from .reference.text import Describer

MOST_IN_FULL = 3
"""Number of descriptions that are printed in full. If there are more topics than this, each topic has one
line."""


@app.command()
def explain(
    topic: Annotated[
        str,
        typer.Argument(
            metavar="TOPIC",
            autocompletion=complete.topics,
            help="Path of a key, such as devices.kickoff_spring.stroke, a path from a message, a key, "
            "a kind, a group, or a quantity, such as bodies.dynamic_pressure.",
            show_default=False,
        ),
    ],
) -> None:
    """Describe a key, a kind or a quantity of scenarios.

    The description has the meaning, the unit or the allowed values, the default, an example and the page of
    the documentation.
    """
    print("\n\n".join("\n".join(lines) for lines in descriptions(topic)))


def descriptions(topic: str) -> Iterator[list[str]]:
    """Yield the lines of each description of a topic. Raises BadInput for an unknown topic."""
    from .reference.find import Topics
    from .reference.pages import quantities
    from .reference.text import Describer
    from .schema import schema

    topics = Topics(schema())
    outputs = [one for one in quantities() if one.matches(topic)]
    found = _nodes(topics, topic, bool(outputs))
    if not found and not outputs:
        if pages := _study_pages(topic):
            raise BadInput(f"'{topic}' is a key of study files, not of scenarios. See {list_text(pages, 3)}")
        names = [*topics.known(), *(one.path.rpartition(".")[2] for one in quantities())]
        raise BadInput(f"there is no key, kind or quantity '{topic}'; {near(topic, names, 'groups')}")
    yield from _of_keys(Describer(topics), found)
    yield from _of_quantities(outputs)


def _study_pages(topic: str) -> list[str]:
    """Return the pages of the documentation that describe a key of study files; none for other topics."""
    from ..studies.campaign.declared import Campaign
    from ..studies.optimization.declared import OptimizationStudy
    from ..studies.sweep.declared import Study as Sweep

    pages = {
        "docs/campaigns.md": Campaign,
        "docs/sweeps.md": Sweep,
        "docs/optimization.md": OptimizationStudy,
    }
    return [page for page, kind in pages.items() if topic.partition(".")[0] in kind.model_fields]


def _nodes(topics: Topics, topic: str, is_output: bool) -> list[Node]:
    try:
        return topics.find(topic)
    except BadInput:
        if is_output:
            return []
        raise


def _of_keys(describer: Describer, found: list[Node]) -> Iterator[list[str]]:
    """Yield the descriptions of keys and tables. Equal keys of several kinds have one description."""
    alike: dict[str, list[Node]] = {}
    for node in found:
        text = str(describer.topics.entry(node)) + node.word if not node.table else node.table
        alike.setdefault(f"{node.key} {text}", []).append(node)
    if len(alike) > MOST_IN_FULL:
        yield [f"{count_text(len(alike), 'descriptions')}. For more, run interstage explain with a path."]
        yield [describer.short(nodes[0]) for nodes in alike.values()]
        return
    for one, *others in alike.values():
        yield [*describer.lines(one, [other.path for other in others])]


def _of_quantities(outputs: list[QuantityText]) -> Iterator[list[str]]:
    from .reference.text import paragraph

    for one in outputs:
        lines = [f"{one.path} (quantity)", *paragraph(one.meaning[:1].upper() + one.meaning[1:])]
        yield [*lines, *paragraph(one.unit, "Unit"), *paragraph(one.address, "Page")]
