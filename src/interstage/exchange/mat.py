"""Write files for MATLAB and Octave (.mat)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..tree.saving import write_file


def write(path: str | Path, variables: Mapping[str, Any]) -> None:
    """Write variables to a MATLAB file.

    variables: arrays, numbers, texts, and results of `cells` and `struct_array`, by name. Raises BadInput if
    the file cannot be written.
    """
    from scipy.io import savemat

    made = io.BytesIO()
    savemat(made, dict(variables), oned_as="column")
    write_file(Path(path), made.getvalue())


def cells(texts: Sequence[str]) -> np.ndarray:
    """Return a MATLAB cell array of texts."""
    found = np.empty(len(texts), dtype=object)
    found[:] = texts
    return found


def struct_array(each: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """Return a MATLAB struct array. each: elements with the same field names."""
    array = np.zeros((len(each),), dtype=[(name, object) for name in each[0]])
    for k, fields in enumerate(each):
        for name, value in fields.items():
            array[name][k] = value
    return array
