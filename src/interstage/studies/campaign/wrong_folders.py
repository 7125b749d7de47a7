"""Reject paths that are not the folder of a campaign, with a helpful message."""

from __future__ import annotations

from pathlib import Path

from ...tree.errors import BadInput
from .folder import SET_ASIDE
from .manifest import NAME

ENDING = ".cases"
"""Suffix of the default folder of results. The name of the study file precedes this suffix."""
FLIGHTS = "flights"
"""Subfolder of the campaign folder for cases that are run alone."""
OWN = (NAME, "cases-*.parquet", "running-*.lock", "rare-*", "derivatives.json", ".*", SET_ASIDE, FLIGHTS)
"""Patterns of the file names that a campaign writes to its folder. The patterns are needed because another
process may not have written the manifest yet.
"""


def refuse_file(path: Path) -> None:
    """Raise BadInput if a path is a file and not a folder. The message names the folder that the user
    probably means.
    """
    if not path.is_file():
        return
    of_study, parent = path.with_suffix(ENDING), path.parent
    text = f"'{path}' is a file, not the folder of a campaign"
    if (parent / NAME).is_file():
        raise BadInput(f"{text}. The file is in the folder of a campaign: give '{parent}'")
    if (of_study / NAME).is_file():
        raise BadInput(f"{text}. The results of this study are in '{of_study}': give this folder")
    raise BadInput(f"{text}. Give the folder with the results, for example 'campaign{ENDING}'")


def refuse_foreign(folder: Path) -> None:
    """Raise BadInput if a folder for new results is a file, or contains files that do not belong to a
    campaign.
    """
    if folder.is_file():
        text = f"'{folder}' is a file, but the results of a campaign are a folder"
        raise BadInput(f"{text}. Give the name of a new folder, for example -o {folder.with_suffix(ENDING)}")
    if not folder.is_dir() or (folder / NAME).exists():
        return  # for a manifest of another campaign see `continue_manifest`
    others = [one.name for one in folder.iterdir() if not any(one.match(pattern) for pattern in OWN)]
    if others:
        text = f"'{folder}' holds other files, for example '{min(others)}', and no campaign"
        raise BadInput(f"{text}. Give a new folder, for example -o {folder / f'campaign{ENDING}'}")
