"""Prepare a release: collect the changelog, build the packages, and check them on each Python.

    make release VERSION=0.2.0

The command writes the entries of `changes/` into `CHANGELOG.md`, sets the version, and builds a wheel and a
source distribution in `dist`. It installs them without this checkout in a new environment of each Python from
3.11 to 3.13, and runs the first example, a compiled flight and two validation cases there. It neither commits
nor uploads. Without a version, it only builds and checks.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
KINDS = ("breaking", "added", "changed", "fixed", "removed")
"""Kinds of changelog fragments, in the order of the changelog."""
UNRELEASED = "(not released)"
CASES = ("tp2016-fixed", "torque-free")


class Refused(Exception):
    """Error: the release cannot be prepared. The message names the fix."""


# --- the changelog


def fragments(folder: Path) -> dict[str, list[tuple[Path, str]]]:
    """Return the fragments of a folder with their texts, by kind. Raises Refused with all faults."""
    found: dict[str, list[tuple[Path, str]]] = {kind: [] for kind in KINDS}
    faults = []
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        kind = path.name.split(".")[-2] if path.name.count(".") > 1 else ""
        text = " ".join(path.read_text(encoding="utf-8").split())
        if kind not in KINDS:
            faults.append(f"{path.name}: the kind '{kind}' is not one of {', '.join(KINDS)}")
        elif not text:
            faults.append(f"{path.name}: the file is empty. Write one entry")
        else:
            found[kind].append((path, text))
    if faults:
        raise Refused("\n".join(faults))
    return found


def entries(found: dict[str, list[tuple[Path, str]]]) -> str:
    """Return the fragments as sections of a changelog."""
    parts = []
    for kind, some in found.items():
        if some:
            parts.append(f"### {kind.capitalize()}\n\n" + "".join(f"- {text}\n" for _, text in some))
    return "\n".join(parts)


def released(changelog: str, version: str, date: str, new: str) -> str:
    """Return the text of the changelog with a section for a version.

    An unreleased section of this version gets the date and the new entries. Otherwise the section is added
    before the others. Raises Refused if the version was released before.
    """
    heading = f"## {version} ({date})"
    waiting = f"## {version} {UNRELEASED}"
    if waiting in changelog:
        before, _, after = changelog.partition(waiting)
        own, mark, older = after.partition("\n## ")
        return f"{before}{heading}{_joined(own, new)}{mark}{older}"
    if re.search(rf"^## {re.escape(version)}\b", changelog, re.M):
        raise Refused(f"CHANGELOG.md has a section of {version} already. Give another version")
    before, mark, older = changelog.partition("\n## ")
    return f"{before.rstrip()}\n\n{heading}\n\n{new}{mark}{older}"


def _joined(own: str, new: str) -> str:
    """A section with further entries, each below the heading of its kind."""
    for part in re.split(r"(?m)^(?=### )", new):
        heading, _, lines = part.partition("\n\n")
        if not heading:
            continue
        if heading in own:
            head, _, rest = own.partition(heading)
            block, mark, others = rest.partition("\n### ")
            own = f"{head}{heading}{block.rstrip()}\n{lines.rstrip()}\n{mark}{others}"
        else:
            own = f"{own.rstrip()}\n\n{heading}\n\n{lines.rstrip()}\n"
    return own


def with_version(text: str, pattern: str, version: str) -> str:
    """Return a text in which the first group of a pattern is the version. Raises Refused without a match."""
    new, count = re.subn(pattern, lambda line: line[0].replace(line[1], version), text, count=1, flags=re.M)
    if not count:
        raise Refused(f"no line matches {pattern}")
    return new


def write_notes(root: Path, version: str, date: str) -> list[str]:
    """Write the changelog and the version, and delete the fragments. Return the names of changed files."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        raise Refused(f"'{version}' is not a version. Give three numbers, for example 0.2.0")
    found = fragments(root / "changes")
    texts = {
        "CHANGELOG.md": lambda text: released(text, version, date, entries(found)),
        "pyproject.toml": lambda text: with_version(text, r'^version = "(.*)"$', version),
        "packaging/recipe.yaml": lambda text: with_version(text, r'^  version: "(.*)"$', version),
        "CITATION.cff": lambda text: with_version(text, r"^version: (.*)$", version),
    }
    new = {name: change((root / name).read_text(encoding="utf-8")) for name, change in texts.items()}
    for name, text in new.items():
        (root / name).write_text(text, encoding="utf-8")
    for some in found.values():
        for path, _ in some:
            path.unlink()
    return [*new]


# --- packages and their check


def run(*command: str | Path, folder: Path | None = None, **variables: str) -> str:
    """Run a command and return its output. Raises Refused if it fails."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, env=clean | variables
    )
    if done.returncode:
        shown = " ".join(map(str, command))
        raise Refused(f"{shown}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def build(root: Path, target: Path) -> list[Path]:
    """Build the wheel and the source distribution. Return their paths."""
    shutil.rmtree(target, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "--directory", target, folder=root)
    return sorted(target.iterdir())


def interpreters() -> Iterator[tuple[str, Path | None]]:
    """Yield each version of Python with the path of an interpreter, or None if there is none here."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in PYTHONS:
        found = shutil.which(f"python{version}")
        others = sorted(versions.glob(f"{version}.*/bin/python3"))
        some = [Path(found)] if found and _usable(Path(found)) else [one for one in others if _usable(one)]
        yield version, some[-1] if some else None


def _usable(python: Path) -> bool:
    return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0


def check_package(python: Path, package: Path, constraints: Path | None) -> str:
    """Install a package in a new environment outside of the checkout, and use it. Return a summary."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run(python, "-m", "venv", folder / "env")
        commands = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        fixed = ["--constraint", constraints] if constraints is not None else []
        run(commands / "python", "-m", "pip", "install", "--quiet", *fixed, package)
        interstage = commands / "interstage"
        own = {"INTERSTAGE_CACHE_DIR": str(folder / "cache"), "JAX_PLATFORMS": "cpu"}
        for name in ("payload_separation", "ascent"):
            text = run(interstage, "new", name, folder=folder)
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")
            saved = ("-o", f"{name}.nc", "--report", f"{name}.html")
            run(interstage, "run", f"{name}.toml", *saved, folder=folder, **own)
        run(interstage, "verify", *CASES, folder=folder, **own)
        return run(interstage, "--version", folder=folder).splitlines()[0]


def check_all(packages: list[Path]) -> list[str]:
    """Check the packages on each Python, and return one line for each check. Raises Refused if a Python is
    missing."""
    found = [*interpreters()]
    if missing := [version for version, python in found if python is None]:
        raise Refused(f"Python {', '.join(missing)} is missing. Install it, for example by pyenv")
    lines = []
    for version, python in found:
        assert python is not None
        for package in packages if version == PYTHONS[0] else packages[-1:]:
            fixed = ROOT / "constraints.txt" if version == PYTHONS[0] else None
            summary = check_package(python, package, fixed)
            lines.append(f"{summary}: {package.name} works with Python {version}")
            print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Prepare a release from the command line."""
    options = argparse.ArgumentParser(description="Prepare a release of Interstage.")
    options.add_argument("version", nargs="?", help="version, for example 0.2.0; without it, only check")
    version = options.parse_args().version
    try:
        if version is not None:
            if run("git", "status", "--porcelain", folder=ROOT):
                raise Refused("the checkout has changes that are not committed. Commit them first")
            names = write_notes(ROOT, version, datetime.date.today().isoformat())
            print(f"Wrote {', '.join(names)}, and deleted the fragments of changes.")
        packages = build(ROOT, ROOT / "dist")
        check_all(packages)
    except Refused as error:
        sys.exit(f"Not released: {error}")
    print(f"The packages are in dist: {', '.join(path.name for path in packages)}.")
    if version is not None:
        print(f"Next: commit, tag v{version}, and upload the packages.")


if __name__ == "__main__":
    main()
