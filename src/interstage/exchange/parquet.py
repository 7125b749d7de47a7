"""Write Parquet files with pyarrow, which belongs to the extra `campaigns`."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..tree.errors import BadInput, Problem
from ..tree.saving import write_file


def write_parquet(path: Path, columns: Mapping[str, np.ndarray]) -> None:
    """Write columns of equal length to a Parquet file. columns: values of each column, by name.

    Raises BadInput if the file cannot be written, or if pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        text = "Parquet files need pyarrow. Install it: pip install 'interstage[campaigns]'"
        raise BadInput(Problem(str(path), text)) from None
    whole = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(dict(columns)), whole)
    write_file(path, whole.getvalue())
