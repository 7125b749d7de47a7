"""Write groups of variables to a NetCDF-4 file.

NetCDF-4 is HDF5 with dimension scales: xarray, ncdump and other NetCDF readers can open the file. The file is
written with h5py. Direct calls of the HDF5 library write the frequent objects in a third of the time. The
writer of xarray would take ten times as long, mainly because of its import.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..tree.saving import write_file
from . import integrity

COMPRESS_ABOVE = 1 << 16
"""Size [bytes] above which a variable is compressed. Small variables are read and written faster without
compression.
"""


@dataclass
class Variable:
    """Variable of a group, with the names of its dimensions, its values and its attributes."""

    dims: tuple[str, ...]
    values: np.ndarray
    attrs: dict[str, Any] = field(default_factory=dict)


Groups = dict[str, dict[str, Variable]]
"""Variables by name, for each group by its path. The path of the root group is "".

A variable that has the same name as its dimension holds the coordinates of the dimension.
"""


def write(path: Path, groups: Groups, attrs: dict[str, Any]) -> None:
    """Write groups of variables to a NetCDF-4 file.

    attrs: attributes of the root group. If the file cannot be written completely, no file is left, and
    BadInput is raised.
    """
    write_file(path, _image(groups, attrs), remedy="Choose another file with -o")


def _image(groups: Groups, attrs: dict[str, Any]) -> bytes:
    """The complete file, made in memory.

    On a full disk, the library prints long errors itself and cannot close the file."""
    import h5py

    how = {"driver": "core", "backing_store": False}
    # Attributes above 64 kB, such as a scenario with long tables, need the newer attribute storage.
    with h5py.File("flight", "w", libver=("v108", "latest"), track_order=True, **how) as file:
        attrs = {key: _storable(value) for key, value in attrs.items()}
        for key, value in attrs.items():
            file.attrs[key] = value
        written = _write_groups(file, groups)
        checksums = {path: integrity.checksum(*of[1:]) for path, of in written.items()}
        checksums[""] = integrity.checksum_of_attributes(attrs)
        file.attrs[integrity.ATTRIBUTE] = json.dumps(checksums)
        file.flush()
        ranges = {path: _pieces(dataset) for path, (dataset, *_) in written.items()}
        return integrity.seal(file.id.get_file_image(), ranges)


def _pieces(dataset: Any) -> list[tuple[int, int]]:
    """Return (first byte, number of bytes) of the pieces of a dataset in the file."""
    first = dataset.id.get_offset()
    if first is not None:
        return [(first, dataset.id.get_storage_size())]
    if dataset.chunks is None:
        return []
    chunks = map(dataset.id.get_chunk_info, range(dataset.id.get_num_chunks()))
    return [(one.byte_offset, one.size) for one in chunks]


def _storable(value: Any) -> Any:
    """Return a text without NUL and surrogates, which HDF5 cannot store; replacement characters are used.

    So no text prevents a flight from being saved."""
    if not isinstance(value, str) or (value.isascii() and "\0" not in value):
        return value
    return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


class _Scale(NamedTuple):
    """A dimension of a group: its dataset, and the axes of other datasets along it."""

    dataset: Any
    along: list[tuple[Any, int]]


_Written = dict[str, tuple[Any, np.ndarray, dict[str, Any]]]
"""Dataset, values and attributes of each variable, by its path."""


def _write_groups(file: Any, groups: Groups) -> _Written:
    written: _Written = {}
    scales: dict[str, dict[str, _Scale]] = {}
    for name, variables in groups.items():
        group = _group(file, name)
        # Coordinates first: a variable refers to the scales of its dimensions.
        for key in sorted(variables, key=lambda key: (key,) != variables[key].dims):
            variable = variables[key]
            dataset, values, attrs = _write_variable(group, key, variable)
            written[f"{name}/{key}".lstrip("/")] = dataset, values, attrs
            if variable.dims == (key,):
                dataset.make_scale(key)
                scales.setdefault(key, {})[name] = _Scale(dataset, [])
                continue
            own = []
            for axis, dim in enumerate(variable.dims):
                homes = scales.setdefault(dim, {})
                home = _nearest(homes, name)
                if home is None:
                    home = homes[name] = _Scale(_bare_dimension(group, dim, variable.values.shape[axis]), [])
                own.append(home)
            _attach(dataset, own)
    for homes in scales.values():
        for home in homes.values():
            _note_along(home)
    return written


def _group(file: Any, name: str) -> Any:
    """The group at a path; all groups keep the order of creation of their members."""
    for part in name.split("/") if name else ():
        file = file[part] if part in file else file.create_group(part, track_order=True)
    return file


def _nearest(homes: dict[str, _Scale], group: str) -> _Scale | None:
    """The dimension of a variable, from its own group or the nearest group above, or None."""
    while group and group not in homes:
        group = group.rpartition("/")[0]
    return homes.get(group)


def _bare_dimension(group: Any, name: str, size: int) -> Any:
    """A dimension without a coordinate, marked as NetCDF requires."""
    scale = group.create_dataset(name, shape=(size,), dtype=">f4")
    scale.make_scale(f"This is a netCDF dimension but not a netCDF variable. {size:9d}")
    return scale


def _write_variable(group: Any, name: str, variable: Variable) -> tuple[Any, np.ndarray, dict[str, Any]]:
    """The dataset of a variable, with values and attributes as stored."""
    import h5py

    values, attrs = variable.values, {key: _storable(value) for key, value in variable.attrs.items()}
    if values.dtype == object:
        values = np.array([_storable(value) for value in values.flat], object).reshape(values.shape)
        dataset = group.create_dataset(name, data=values, track_order=True, dtype=h5py.string_dtype())
    elif values.dtype != bool and values.nbytes > COMPRESS_ABOVE:
        options = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
        dataset = group.create_dataset(name, data=values, track_order=True, **options)
    else:
        if values.dtype == bool:  # NetCDF has no booleans; xarray marks them like this
            values, attrs["dtype"] = values.astype(np.int8), "bool"
        dataset = h5py.Dataset(_written(group, name, values))
    for key, value in attrs.items():
        if type(value) is str:
            _write_text(dataset, key, value)
        else:
            dataset.attrs[key] = value
    return dataset, values, attrs


# --- direct HDF5 calls


def _written(group: Any, name: str, values: np.ndarray) -> Any:
    """A new uncompressed variable, in a third of the time of `create_dataset`."""
    from h5py import h5d, h5s  # pyright: ignore[reportAttributeAccessIssue]

    space = h5s.create_simple(values.shape) if values.shape else h5s.create(h5s.SCALAR)
    made = h5d.create(group.id, name.encode(), _number_type(values.dtype), space, _in_order())
    made.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(values))
    return made


@cache
def _number_type(kind: np.dtype) -> Any:
    from h5py import h5t  # pyright: ignore[reportAttributeAccessIssue]

    return h5t.py_create(kind, logical=True)


@cache
def _in_order() -> Any:
    """Attributes keep the order of creation."""
    from h5py import h5p  # pyright: ignore[reportAttributeAccessIssue]

    found = h5p.create(h5p.DATASET_CREATE)
    found.set_attr_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
    return found


def _attach(dataset: Any, scales: list[_Scale]) -> None:
    """Store the dimensions of a variable (HDF5 Dimension Scale Specification, DIMENSION_LIST).

    HDF5's own call rewrites all data of the dimension for each variable."""
    from h5py import h5a, h5r, h5s, ref_dtype  # pyright: ignore[reportAttributeAccessIssue]

    if not scales:
        return
    own = h5r.create(dataset.id, b".", h5r.OBJECT)
    listed = np.empty(len(scales), dtype=object)
    for axis, scale in enumerate(scales):
        scale.along.append((own, axis))
        listed[axis] = np.array([scale.dataset.ref], dtype=ref_dtype)
    kind, memory = _list_type()
    space = h5s.create_simple((len(scales),))
    h5a.create(dataset.id, b"DIMENSION_LIST", kind, space).write(listed, mtype=memory)


def _note_along(scale: _Scale) -> None:
    """Store the variables along a dimension (REFERENCE_LIST of the same specification)."""
    import h5py

    kind = np.dtype([("dataset", h5py.ref_dtype), ("dimension", "<i4")])
    if scale.along:
        scale.dataset.attrs.create("REFERENCE_LIST", np.array(scale.along, dtype=kind), dtype=kind)


@cache
def _list_type() -> tuple[Any, Any]:
    """HDF5 types of a list of references, in a file and in memory."""
    from h5py import h5t, ref_dtype, vlen_dtype  # pyright: ignore[reportAttributeAccessIssue]

    kind = vlen_dtype(ref_dtype)
    return h5t.py_create(kind, logical=True), h5t.py_create(kind)


def _write_text(dataset: Any, key: str, text: str) -> None:
    """A new attribute, in a third of the time of `dataset.attrs`."""
    from h5py import h5a  # pyright: ignore[reportAttributeAccessIssue]

    kind, memory, one = _text_type()
    h5a.create(dataset.id, key.encode(), kind, one).write(np.array(text, dtype=object), mtype=memory)


@cache
def _text_type() -> tuple[Any, Any, Any]:
    """HDF5 types of texts, in a file and in memory, and the shape of a single text."""
    from h5py import h5s, h5t, string_dtype

    kind = string_dtype()
    return h5t.py_create(kind, logical=True), h5t.py_create(kind), h5s.create(h5s.SCALAR)
