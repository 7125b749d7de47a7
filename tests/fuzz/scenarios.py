"""Scenarios, studies and missions with odd values, kinds, keys and tables, and odd options."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ._toml import written

QUICK = 4
EXAMPLES = Path(__file__).parents[2] / "examples"
VALUES: tuple[Any, ...] = (
    *(0, -1, 1, 2**63, 10**400, 1e308, -1e308, 5e-324, float("nan"), float("inf"), -float("inf"), True),
    *(
        "",
        " ",
        "nan m",
        "inf kg",
        "1e400 m",
        "1e-400 s",
        "-0 m",
        "1 parsec",
        "[1, 2] m",
        "[[1], [2, 3]]",
        "0x10",
    ),
    *(
        "9" * 400,
        "1 m" * 2000,
        "\x00",
        "\u202e",
        "🚀",
        "../../../etc/passwd",
        "/dev/zero",
        ".",
        "%s%n",
        "a.b",
        "${x}",
    ),
    *("start", "end", "ground", "deg", "kg m^-1e9", "1 m^(1/0)", "1 " + "/s" * 500, "1 " + "(" * 500),
    *(
        [],
        [[]],
        [1],
        [1, 2, 3],
        [1, 2, 3, 4],
        [[1, 2], [3, 4]],
        ["a"],
        [None],
        [1e308] * 3,
        [{}],
        [[[[1]]]],
        [1] * 5000,
    ),
    *(
        {},
        {"kind": "none"},
        {"kind": ""},
        {"a": {"b": {}}},
        {"file": "/dev/zero"},
        {"file": "/"},
        {"time": []},
    ),
    *(
        {"time": [0, 1], "value": [1]},
        {"time": [1, 0], "value": [1, 2]},
        {"axes": [], "values": []},
        {"count": 10**9},
    ),
)
"""Values that take the place of any other."""
OPTIONS = (
    "--set",
    "--units",
    "--from",
    "--at",
    "--along",
    "--vary",
    "--period",
    "--output-of",
    "--input",
    "--coordinate",
)


def cases(rng: np.random.Generator, folder: Path) -> Iterator[tuple[str, Path | list[str]]]:
    """Scenario and study files with one to three changes, and the commands that read them."""
    known = [*_known()]
    for number in range(10**9):
        name, data, command = known[number % len(known)]
        changed = copy.deepcopy(data)
        said = [change(rng, changed, data) for _ in range(int(rng.integers(1, 4)))]
        path = folder / "a.toml"
        path.write_text(written(changed), encoding="utf-8", errors="replace")
        if command != "check":
            (folder / "scenario.toml").write_text(written(known[0][1]), encoding="utf-8")
        label = f"{number} {name}: {'; '.join(said)}"
        if number % 5 == 4:
            yield f"{label}, with an option", _with_option(rng, path)
        else:
            yield label, [command, str(path)]


def _known() -> Iterator[tuple[str, dict[str, Any], str]]:
    import tomllib

    for path in sorted(EXAMPLES.glob("*.toml")):
        yield path.stem, tomllib.loads(path.read_text(encoding="utf-8")), "check"
    varied = {"path": "bodies.stage.mass", "low": "800 kg", "high": "900 kg"}
    yield (
        "a sweep",
        {
            "scenario": "scenario.toml",
            "design": "grid",
            "responses": {"v": {"quantity": "time", "at": "end"}},
            "variations": {"mass": varied | {"count": 3}},
        },
        "sweep",
    )
    yield (
        "an optimum",
        {
            "scenario": "scenario.toml",
            "objective": {"minimize": "time", "at": "end"},
            "variables": {"mass": varied},
            "constraints": {"late": {"quantity": "time", "at": "end", "max": "1 h"}},
        },
        "optimize",
    )


def _leaves(node: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Ways to all values of a tree, tables among them."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*way, key)
        yield from _leaves(value, (*way, key))


def change(rng: np.random.Generator, data: dict[str, Any], whole: dict[str, Any]) -> str:
    """Change a value, a key or a table of a tree, and say what."""
    ways = [*_leaves(data)]
    if not ways:
        return "nothing left"
    way = ways[int(rng.integers(len(ways)))]
    holder: Any = data
    for key in way[:-1]:
        holder = holder[key]
    place, last = ".".join(map(str, way)), way[-1]
    value = VALUES[int(rng.integers(len(VALUES)))]
    changes: list[Callable[[], str]] = [
        lambda: (holder.__setitem__(last, value), f"{place} = {repr(value)[:40]}")[1],
        lambda: (holder.pop(last), f"no {place}")[1],
        lambda: (holder.__setitem__(last, _other(rng, whole)), f"{place} from elsewhere")[1],
        lambda: (holder.__setitem__(last, _damaged(rng, holder[last])), f"{place} damaged")[1],
    ]
    if isinstance(holder, dict):
        name = ("", "x", f"{last}x", "a b", "ground", "9", "é")[int(rng.integers(7))]
        changes.append(lambda: (holder.__setitem__(name, holder[last]), f"{place} also as '{name}'")[1])
    return changes[int(rng.integers(len(changes)))]()


def _other(rng: np.random.Generator, whole: dict[str, Any]) -> Any:
    ways = [*_leaves(whole)]
    node: Any = whole
    for key in ways[int(rng.integers(len(ways)))]:
        node = node[key]
    return copy.deepcopy(node)


def _damaged(rng: np.random.Generator, value: Any) -> Any:
    if isinstance(value, str) and value:
        at = int(rng.integers(len(value)))
        return value[:at] + str(rng.choice(["", "0", "e", "-", ".", "[", "]", "µ", " "])) + value[at + 1 :]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return [value]
    return value * float(rng.choice([-1.0, 0.0, 1e9, 1e-9, 1e300]))


def _with_option(rng: np.random.Generator, path: Path) -> list[str]:
    """An option with an odd value, of a command that reads a scenario without a flight."""
    option = OPTIONS[int(rng.integers(len(OPTIONS)))]
    text = str(VALUES[int(rng.integers(len(VALUES)))])[:4000].replace("\x00", "?")
    if option == "--set":
        return ["check", str(path), "--set", f"bodies.stage.mass={text}"]
    if option == "--vary":
        return ["sweep", str(path), "--vary", f"bodies.stage.mass={text}"]
    if option in ("--units", "--from"):
        return ["run" if option == "--from" else "check", str(path), f"{option}={text}"]
    return ["linearize", str(path), f"{option}={text}"]
