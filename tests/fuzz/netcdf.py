"""Damaged saved flights, drawn at random from a seed: bytes, pieces of the file, members and attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import stub_flight
from interstage.record import integrity
from interstage.record.results import Flight

Case = tuple[str, Path]
CASES, QUICK = 240, 3
"""Each needs a process that reads by HDF5, about 0.5 s."""
MOST = 10**9


def cases(rng: np.random.Generator, folder: Path) -> Iterator[Case]:
    """(name, path) of damaged flights: the kinds take turns, so that any number of cases has all of them."""
    kinds = (damaged(rng, folder, MOST), damaged(rng, folder, MOST, seal=False), changed(rng, folder, MOST))
    while True:
        yield from map(next, kinds)


@cache
def whole() -> bytes:
    """The bytes of a saved flight with all sorts of members."""
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "flight.nc")
        Flight(
            stub_flight.separation_record(stub_flight.flown_scenario()), versions={"interstage": "0"}
        ).save(path)
        return path.read_bytes()


def damaged(rng: np.random.Generator, folder: Path, count: int, seal: bool = True) -> Iterator[Case]:
    """Flights with wrong bytes. seal: with their seal, which tells the damage; without it HDF5 meets it."""
    content = whole() if seal else integrity.check_seal(whole()).image
    for number in range(count):
        kind = DAMAGE[number % len(DAMAGE)]
        name = f"{kind.__name__}-{number}{'' if seal else '-unsealed'}"
        path = folder / f"{name}.nc"
        path.write_bytes(kind(rng, bytearray(content)))
        yield name, path


def changed(rng: np.random.Generator, folder: Path, count: int) -> Iterator[Case]:
    """Flights whose members or attributes another program has changed, by HDF5 itself."""
    for number in range(count):
        kind = CHANGES[number % len(CHANGES)]
        path = folder / f"{kind.__name__}-{number}.nc"
        path.write_bytes(integrity.check_seal(whole()).image)
        with h5py.File(path, "r+") as file:
            if number % 2:  # as a file of an older version
                del file.attrs[integrity.ATTRIBUTE]
            kind(rng, file)
        yield path.stem, path


# --- bytes


def _flipped_bit(rng: np.random.Generator, data: bytearray) -> bytes:
    data[rng.integers(len(data))] ^= 1 << rng.integers(8)
    return bytes(data)


def _cut_off(rng: np.random.Generator, data: bytearray) -> bytes:
    return bytes(data[: rng.integers(len(data))])


def _zeros(rng: np.random.Generator, data: bytearray) -> bytes:
    first, size = rng.integers(len(data)), rng.integers(1, 4096)
    last = min(first + size, len(data))
    if not any(data[first:last]):
        data[first] = 1  # nothing would change otherwise
    else:
        data[first:last] = bytes(int(last - first))
    return bytes(data)


def _noise(rng: np.random.Generator, data: bytearray) -> bytes:
    first, size = rng.integers(len(data)), rng.integers(1, 512)
    noise = rng.bytes(int(min(size, len(data) - first)))
    data[first : first + len(noise)] = noise
    return bytes(data)


def _swapped(rng: np.random.Generator, data: bytearray) -> bytes:
    size = int(rng.integers(8, 1024))
    one, other = sorted(rng.integers(len(data) - 2 * size, size=2))
    other = max(other, one + size)
    data[one : one + size], data[other : other + size] = data[other : other + size], data[one : one + size]
    if bytes(data) == whole()[: len(data)]:
        data[one] ^= 1
    return bytes(data)


def _left_out(rng: np.random.Generator, data: bytearray) -> bytes:
    first = rng.integers(len(data))
    del data[first : first + rng.integers(1, 1024)]
    return bytes(data)


def _put_in(rng: np.random.Generator, data: bytearray) -> bytes:
    first = rng.integers(1, len(data))
    data[first:first] = rng.bytes(int(rng.integers(1, 1024)))
    return bytes(data)


def _longer(rng: np.random.Generator, data: bytearray) -> bytes:
    return bytes(data) + rng.bytes(int(rng.integers(1, 1024)))


Damage = Callable[[np.random.Generator, bytearray], bytes]
DAMAGE: tuple[Damage, ...] = (
    *(_flipped_bit, _cut_off, _zeros, _noise, _flipped_bit, _swapped, _left_out, _put_in, _flipped_bit),
    _longer,
)


# --- members and attributes


def _variables(file: Any) -> list[str]:
    found: list[str] = []
    file.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None)
    return found


def _deleted_variable(rng: np.random.Generator, file: Any) -> None:
    del file[rng.choice(_variables(file))]


def _deleted_group(rng: np.random.Generator, file: Any) -> None:
    del file[rng.choice(list(file))]


def _deleted_attribute(rng: np.random.Generator, file: Any) -> None:
    del file.attrs[rng.choice(list(file.attrs))]


def _attribute_of_another_type(rng: np.random.Generator, file: Any) -> None:
    name = rng.choice(list(file.attrs))
    values: list[Any] = [3.5, "", "[1, 2", "{}", "null", '{"a": 1}', np.zeros(3), "[" * 5000]
    file.attrs[name] = values[rng.integers(len(values))]


def _changed_value(rng: np.random.Generator, file: Any) -> None:
    numbers = [name for name in _variables(file) if file[name].dtype.kind == "f" and file[name].size]
    one = file[rng.choice(numbers)]
    values = np.atleast_1d(one[()])
    values.flat[rng.integers(values.size)] += 1.0
    one[()] = values.reshape(one.shape)


def _replaced(rng: np.random.Generator, file: Any) -> None:
    name = str(rng.choice(_variables(file)))
    with_: list[Any] = [np.zeros(0), np.zeros((2, 3)), "text", np.array(1), np.full(7, np.nan)]
    del file[name]
    file[name] = with_[rng.integers(len(with_))]


def _group_in_itself(rng: np.random.Generator, file: Any) -> None:
    groups: list[str] = []
    file.visititems(lambda name, item: groups.append(name) if isinstance(item, h5py.Group) else None)
    name = rng.choice(groups)
    file[f"{name}/again"] = file[name]


def _link_to_elsewhere(rng: np.random.Generator, file: Any) -> None:
    name = str(rng.choice(_variables(file)))
    del file[name]
    file[name] = h5py.ExternalLink("/dev/zero", "/x") if rng.integers(2) else h5py.SoftLink("/nowhere")


def _values_elsewhere(rng: np.random.Generator, file: Any) -> None:
    name = str(rng.choice(_variables(file)))
    del file[name]
    file.create_dataset(name, (1000,), "u1", external=[("/dev/zero", 0, 1000)])


def _giant(rng: np.random.Generator, file: Any) -> None:
    name = str(rng.choice(_variables(file)))
    del file[name]
    file.create_dataset(name, (1 << 40,), "f8", chunks=(1 << 20,), compression="gzip")


Change = Callable[[np.random.Generator, Any], None]
CHANGES: tuple[Change, ...] = (
    *(_deleted_variable, _deleted_group, _deleted_attribute, _attribute_of_another_type, _changed_value),
    *(_replaced, _group_in_itself, _link_to_elsewhere, _values_elsewhere, _giant),
    _attribute_of_another_type,
)
