"""Actions of the command `interstage show`: the page of flights, or of the cases of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..tree.errors import BadInput, print_error


def is_campaign(path: Path) -> bool:
    """Return whether a path is a folder or an address of an object store, and not a file."""
    from ..studies.campaign.object_store import address_of

    return path.is_dir() or address_of(path) is not None


def show_flights(paths: Sequence[Path], align: str | None, output: Path, units: str | None) -> None:
    """Write the page of saved flights. The first flight is solid. Raises BadInput."""
    from ..playback.others import names_of
    from ..playback.page import write
    from ..playback.several import others_of
    from ..record.results import open_flight

    if align is not None and len(paths) == 1:
        raise BadInput("--align is for several flights. Remove the option, or give a second flight.")
    first, *rest = (open_flight(path) for path in paths)
    others = others_of(first, rest, align, names_of([path.stem for path in paths]))
    write(first, output, units, others)


def show_campaign(
    folder: Path,
    cases: Sequence[str],
    worst: int | None,
    align: str | None,
    body: str,
    output: Path,
    units: str | None,
) -> None:
    """Write the page of cases of a campaign, and print a summary of the page. Raises BadInput."""
    from ..studies.campaign.superimposed import show

    if cases and worst is not None:
        raise BadInput("--cases and --worst are both set. Keep one option.")
    print(show(folder, cases, worst, align, body, output, units, print_error))


def film(page: Path, picture: Path | None, at: float | None, video: Path | None) -> None:
    """Write a picture and a video of a page, and print their names. at: time of the picture [s].

    Raises BadInput if a program or package is missing."""
    from ..playback.filming import write_picture, write_video

    text = page.read_text(encoding="utf-8") if picture or video else ""
    if picture is not None:
        write_picture(text, picture, at)
        print(f"Wrote {picture}.")
    if video is not None:
        frames = write_video(text, video)
        print(f"Wrote {video} ({frames} frames).")
