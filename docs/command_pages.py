"""Write docs/commands.md, all commands with arguments and options, from their declarations:
python docs/command_pages.py"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from interstage.cli import main

PAGE = Path(__file__).parent / "commands.md"
INTRO = """\
# Commands

This page lists all commands of `interstage` with their options. `interstage COMMAND --help` prints the same
text in the terminal. `python docs/command_pages.py` writes this page from the declarations of the commands.

| command | purpose |
|---|---|
"""
LATER = """
Values with spaces or brackets need quotation marks in a shell: `--set "devices.spring.preload=400 N"`.

## Exit codes

| code | meaning |
|---|---|
| 0 | The command succeeded, and all requirements are met. |
| 1 | A validation case failed. |
| 2 | The input is invalid. The message lists each fault with its location and a fix. |
| 3 | A requirement is violated or not demonstrated, or an optimum is not confirmed. |
| 4 | The flight ended early, or the command was interrupted. |
"""


def page() -> str:
    """Return the page."""
    group: Any = get_command(main.app)
    commands = {name: one for name, one in group.commands.items() if not one.hidden}
    rows = [
        f"| [`interstage {name}`](#interstage-{name}) | {first(one.help)} |" for name, one in commands.items()
    ]
    text = INTRO + "\n".join(rows) + "\n" + LATER
    return text + "\n".join(line for name, one in commands.items() for line in section(name, one))


def first(text: str) -> str:
    """Return the first sentence of a help text."""
    return sentences(text).partition(". ")[0].removesuffix(".") + "."


def sentences(text: str) -> str:
    """Return a help text in one line, with characters of Markdown escaped."""
    return re.sub(r"([*|<>\[\]])", r"\\\1", " ".join(text.split()))


def section(name: str, command: Any) -> Iterator[str]:
    """Yield the lines of one command."""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join([f"interstage {name}", "[OPTIONS]" * bool(options), *map(metavar, arguments)])
    yield f"\n## interstage {name}\n"
    yield f"```text\n{' '.join(usage.split())}\n```\n"
    for paragraph in re.split(r"\n\s*\n", command.help):
        yield sentences(paragraph) + "\n"
    if arguments or options:
        yield "| argument or option | value | meaning |\n|---|---|---|"
    for one in arguments:
        yield f"| `{metavar(one).strip('[].')}` | | {sentences(one.help or '')} |"
    for one in options:
        names = ", ".join(f"`{name}`" for name in (*one.secondary_opts, *sorted(one.opts, key=len)))
        yield f"| {names} | {value_of(one)} | {sentences(one.help or '')}{default_of(one)} |"


def metavar(parameter: Any) -> str:
    """Return the name of an argument as the usage line has it."""
    return parameter.metavar or parameter.name.upper()


def value_of(option: Any) -> str:
    """Return the form of the value of an option."""
    if option.is_flag:
        return ""
    kind = option.type_descriptor.annotation
    return f"`{option.metavar or ('NUMBER' if kind in (int, float) else 'FILE')}`".replace("|", "\\|")


def default_of(option: Any) -> str:
    """Return the default of an option as a sentence, or nothing if the help has it."""
    given = option.default
    if option.is_flag or given is None or callable(given) or isinstance(given, list | tuple):
        return ""
    return "" if "Default:" in (option.help or "") else f" Default: {given}."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
