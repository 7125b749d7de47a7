"""Read XML files as trees of elements with line numbers. No other file is opened, and entities are not
expanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from ..tree.errors import BadInput, Problem
from ..tree.guarded_reader import MODEL, FileKind, Unreadable, read_bytes

DEEPEST = 200
"""Maximum nesting depth of elements."""


class Unfit(Exception):
    """Error: a file has unsupported content. The error states its line, counted from 1."""

    def __init__(self, line: int, message: str):
        self.line, self.message = line, message
        super().__init__(f"line {line}: {message}")


@dataclass
class Element:
    """XML element: its name without namespace, attributes, line, child elements, and the text directly in
    it.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *tags: str) -> list[Element]:
        """Return the child elements that have one of the names `tags`."""
        return [child for child in self.children if child.tag in tags]

    def every(self, tag: str) -> Iterator[Element]:
        """Yield all descendants with the name `tag`, in the order of the file."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.every(tag)

    def one(self, tag: str) -> Element:
        """Return the only child element with the name `tag`. Raises `Unfit` if there is none or more than
        one.
        """
        found = self.all(tag)
        if len(found) != 1:
            how = "has no" if not found else "has more than one"
            raise Unfit(
                (found[1] if found else self).line, f"<{self.tag}> {how} <{tag}>. Exactly one is required"
            )
        return found[0]

    def required_text(self, attribute: str) -> str:
        """Return the text of a required attribute. Raises `Unfit` if the attribute is missing."""
        found = self.attributes.get(attribute, "").strip()
        if not found:
            raise Unfit(self.line, f"<{self.tag}> has no {attribute}, which is required. Add the attribute")
        return found


def read(path: str | Path, kind: FileKind | None = None) -> Element:
    """Return the root element of a file. Raises `BadInput` if the file is not XML, declares entities, or is
    too large.

    kind: kind of the file, with its size limit. Default: DAVE-ML models."""
    source = str(path)
    content = _content(Path(path), source, kind or MODEL)
    try:
        return _Builder().build(content)
    except Unfit as error:
        raise BadInput(Problem("", error.message, error.line), source) from None
    except expat.ExpatError as error:
        text = f"the file is not well-formed XML: {expat.ErrorString(error.code)}"
        raise BadInput(Problem("", text, error.lineno), source) from None


def _content(path: Path, source: str, kind: FileKind) -> bytes:
    try:
        return read_bytes(path, kind)
    except Unreadable as error:
        raise BadInput(str(error), source) from None


class _Builder:
    """Builds the tree of elements from the events of the parser."""

    def __init__(self) -> None:
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._refuse_entity
        parser.ExternalEntityRefHandler = self._outside
        parser.SkippedEntityHandler = self._refuse_unknown_entity
        self.open: list[Element] = []
        self.root: Element | None = None

    def build(self, content: bytes) -> Element:
        self.parser.Parse(content, True)
        assert self.root is not None  # otherwise the parser has rejected the file
        return self.root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= DEEPEST:
            raise Unfit(self._line(), f"the file has more than {DEEPEST} nested levels of elements")
        local = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(" ")[2], local, self._line())
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].text += text

    def _refuse_entity(self, name: str, *rest: object) -> None:
        raise Unfit(
            self._line(),
            f"the file declares the entity '{name}', which is not supported. Write its text in place"
            " of the entity",
        )

    def _outside(self, *rest: object) -> int:
        raise Unfit(
            self._line(), "the file refers to an external entity. Write the text in place of the entity"
        )

    def _refuse_unknown_entity(self, name: str, *rest: object) -> None:
        raise Unfit(
            self._line(),
            f"the entity '{name}' is unknown. Replace the entity with the text that it stands for",
        )

    def _line(self) -> int:
        return self.parser.CurrentLineNumber
