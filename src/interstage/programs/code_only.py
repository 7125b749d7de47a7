"""Remove the text of compiled CPU programs, so that they load faster.

A program compiled by XLA (`CompilationResultProto`, xla/service/cpu/executable.proto) contains the machine
code, the order of its kernels and the memory layout of its arrays. The file also contains the complete
program in the compiler's language HLO, called the text here. The text takes most of the size and most of the
loading time, but it is used only for memory reports. This module replaces the text by a short one: the
arguments, the constants that are stored in memory, and one instruction for all results. The machine code and
the arrays do not change.

The format is not public. Any deviation from the tested versions raises `Unknown`. See
docs/decisions/0015-the-store.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

TRIED = ("0.10.", "0.12.")
"""Beginnings of the version numbers of jaxlib with which this module was tested."""

COMPILE_OPTIONS = 2
"""Field number of the compile options, which follow the program in the message
`ExecutableAndOptionsProto`.
"""
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Encodings of a message field: the wire types of protobuf."""


class Unknown(Exception):
    """Error: a program does not have the format of the tested versions."""


Field = tuple[int, int, Any]
"""One field of a message: (field number, wire type, value). The value is an integer or bytes."""


# --- messages


def _integer(data: bytes, at: int) -> tuple[int, int]:
    """(integer, where the next thing begins)."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def _written(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _fields(data: bytes) -> list[Field]:
    """The fields of a message, in their order."""
    found: list[Field] = []
    at = 0
    while at < len(data):
        key, at = _integer(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _integer(data, at)
        elif kind == BYTES:
            length, at = _integer(data, at)
            value, at = data[at : at + length], at + length
        elif kind in (FIXED64, FIXED32):
            length = 8 if kind == FIXED64 else 4
            value, at = data[at : at + length], at + length
        else:
            raise Unknown
        found.append((key >> 3, kind, value))
    if at != len(data):
        raise Unknown
    return found


def _message(fields: Iterable[Field]) -> bytes:
    found = bytearray()
    for number, kind, value in fields:
        found += _written(number << 3 | kind)
        if kind == BYTES:
            found += _written(len(value))
        found += _written(value) if kind == VARINT else value
    return bytes(found)


def _one(fields: Iterable[Field], number: int, otherwise: Any = None) -> Any:
    """The value of a field; without `otherwise` it must be there."""
    value = next((value for each, _, value in fields if each == number), otherwise)
    if value is None:
        raise Unknown
    return value


def _all(fields: Iterable[Field], number: int) -> Iterator[Any]:
    return (value for each, _, value in fields if each == number)


def _integers(fields: Iterable[Field], number: int) -> tuple[int, ...]:
    """The integers of a repeated field, packed or not."""
    found: list[int] = []
    for each, kind, value in fields:
        if each == number and kind == VARINT:
            found.append(value)
        elif each == number:
            at = 0
            while at < len(value):
                integer, at = _integer(value, at)
                found.append(integer)
    return tuple(found)


# --- the program


SCREEN = 32
"""Number of low bits in an instruction's id that identify the instruction.

The higher bits identify the computation to which the instruction belongs.
"""
CALL = b"custom-call"
TUPLE = 13
"""Element type (HLO) of a shape that consists of several arrays."""


class _Instruction:
    """id: its number; opcode; operands: their numbers; called: computations; index: which part of a tuple it
    takes."""

    def __init__(self, data: bytes):
        self.fields = _fields(data)
        self.id = _one(self.fields, 35)
        self.opcode = _one(self.fields, 2)
        self.operands = _integers(self.fields, 36)
        self.called = _integers(self.fields, 38)
        self.index = _one(self.fields, 13, 0)


class _Computation:
    """Instructions by their numbers; root: the number of that which gives its results."""

    def __init__(self, data: bytes):
        self.fields = _fields(data)
        self.id, self.root = _one(self.fields, 5), _one(self.fields, 6)
        self.instructions = {one.id: one for one in map(_Instruction, _all(self.fields, 2))}


class _Module:
    """The text of a program. Computations are taken apart when they are asked for: there are a thousand."""

    def __init__(self, data: bytes):
        self.fields = _fields(data)
        self._data = {_number(each): each for each in _all(self.fields, 3)}
        self._read: dict[int, _Computation] = {}
        self.main = self.computation(_one(self.fields, 6))

    def computation(self, number: int) -> _Computation:
        if number not in self._read:
            self._read[number] = _Computation(self._data[number])
        return self._read[number]

    def instruction(self, number: int) -> _Instruction:
        return self.computation(number >> SCREEN).instructions[number]


def _number(computation: bytes) -> int:
    """The number of a computation, computed from the number of its root. Its instructions are not read."""
    return _one(_fields(computation), 6) >> SCREEN


Place = tuple[int, tuple[int, ...]]
"""Result of an HLO instruction: (id of the instruction, index of the result in nested tuples)."""


class _Buffers:
    """Which places have which memory. places: the buffer of each; memory: of each buffer, (allocation,
    offset, size)."""

    def __init__(self, data: bytes):
        self.fields = _fields(data)
        self.logical = [_fields(each) for each in _all(self.fields, 1)]
        self.allocations = [_fields(each) for each in _all(self.fields, 3)]
        self.places = {_place(each): _one(each, 1, 0) for each in self.logical}
        self.memory = {
            _one(part, 1, 0): (_one(each, 1, 0), _one(part, 2, 0), _one(part, 3, 0))
            for each in self.allocations
            for part in map(_fields, _all(each, 9))
        }


def _place(buffer: list[Field]) -> Place:
    where = _fields(_one(buffer, 3))
    return _one(where, 4), _integers(where, 3)


def _buffer_of(module: _Module, buffers: _Buffers, number: int, index: tuple[int, ...]) -> int:
    """The buffer that holds a result of an instruction."""
    found = buffers.places.get((number, index))
    if found is not None:
        return found
    one = module.instruction(number)
    if one.opcode == b"get-tuple-element":
        return _buffer_of(module, buffers, one.operands[0], (one.index, *index))
    if one.opcode == b"tuple":
        return _buffer_of(module, buffers, one.operands[index[0]], index[1:])
    if one.opcode in (b"bitcast", b"while", b"optimization-barrier"):
        return _buffer_of(module, buffers, one.operands[0], index)
    if one.opcode == b"call":
        return _buffer_of(module, buffers, module.computation(one.called[0]).root, index)
    raise Unknown


class _Short(NamedTuple):
    """A text made shorter. `instructions`: in their order. `numbers`: of those that stay, by their old
    numbers. `root`: the number of the last. `indices`: of its results."""

    instructions: list[list[Field]]
    numbers: dict[int, int]
    root: int
    indices: list[tuple[int, ...]]


def _short_text(module: _Module, buffers: _Buffers) -> _Short:
    main = module.main
    root = main.instructions[main.root]
    free = max(main.instructions) + 1
    numbers: dict[int, int] = {}
    instructions: list[list[Field]] = []
    for number, _ in buffers.places:
        if number not in numbers and module.instruction(number).opcode == b"constant":
            numbers[number] = free + len(instructions)
            name = f"constant.{numbers[number]}".encode()
            instructions.append(
                _with_values(module.instruction(number).fields, {1: name, 35: numbers[number]})
            )
    arguments = [one for one in main.instructions.values() if one.opcode == b"parameter"]
    instructions += [one.fields for one in arguments]
    numbers.update((one.id, one.id) for one in [*arguments, root])
    results = [field for field in root.fields if field[0] in (1, 3, 35)]
    instructions.append([*results, (2, BYTES, CALL), (28, BYTES, b"code")])
    shape = _fields(_one(root.fields, 3))
    parts = [_fields(each) for each in _all(shape, 4)]
    if any(_one(each, 2) == TUPLE for each in parts):
        raise Unknown
    indices = [(), *((k,) for k in range(len(parts)))]
    return _Short(instructions, numbers, root.id, indices)


def _with_values(fields: Iterable[Field], values: dict[int, Any]) -> list[Field]:
    """The same fields with other values, by number."""
    return [(number, kind, values.get(number, value)) for number, kind, value in fields]


def _text(module: _Module, short: _Short) -> bytes:
    """The text of a program with nothing but what stays."""
    main = module.main
    body = [field for field in main.fields if field[0] != 2]
    body += [(2, BYTES, _message(each)) for each in short.instructions]
    order = b"".join(_written(_one(each, 35)) for each in short.instructions)
    sequence = _message([(1, VARINT, main.id), (2, BYTES, _message([(1, BYTES, order)]))])
    others = [field for field in module.fields if field[0] not in (3, 7)]
    schedule = (7, BYTES, _message([(1, BYTES, sequence)]))
    return _message([*others, (3, BYTES, _message(body)), schedule])


def _memory(module: _Module, buffers: _Buffers, short: _Short) -> bytes:
    """Where what stays has its place, the results with the memory of what was given as them."""
    root = short.root
    logical: list[list[Field]] = []
    assigned: dict[int, list[list[Field]]] = {}
    for each in buffers.logical:
        number, index = _place(each)
        if number in short.numbers and not (number == root and index in short.indices):
            logical.append(_at(each, short.numbers[number], index))
    kept = {_one(each, 1, 0) for each in logical}
    sizes = {_one(each, 1, 0): each for each in buffers.logical}
    free = max(sizes) + 1
    for k, index in enumerate(short.indices):
        buffer = _buffer_of(module, buffers, root, index)
        allocation, offset, size = buffers.memory[buffer]
        others = [field for field in sizes[buffer] if field[0] != 1]
        logical.append(_at([(1, VARINT, free + k), *others], root, index))
        part = [(1, VARINT, free + k), (2, VARINT, offset), (3, VARINT, size)]
        assigned.setdefault(allocation, []).append(part)
    allocations = []
    for each in buffers.allocations:
        stay = [field for field in each if field[0] != 9 or _one(_fields(field[2]), 1, 0) in kept]
        more = assigned.get(_one(each, 1, 0), [])
        allocations.append([*stay, *((9, BYTES, _message(part)) for part in more)])
    return _message(
        [
            *((1, BYTES, _message(each)) for each in logical),
            *((3, BYTES, _message(each)) for each in allocations),
        ]
    )


def _at(buffer: list[Field], number: int, index: tuple[int, ...]) -> list[Field]:
    """A buffer at another place."""
    where: list[Field] = [(3, VARINT, each) for each in index]
    return _with_values(buffer, {3: _message([*where, (4, VARINT, number)])})


def without_text(executable: bytes) -> bytes:
    """Return a compiled CPU program, as serialized by jaxlib, with a short text in place of the complete
    text.

    Raises Unknown if the format differs from the tested versions.
    """
    try:
        length, at = _integer(executable, 0)
        outer = _fields(executable[at + length :])
        _one(outer, COMPILE_OPTIONS)  # else the file ends after the executable
        result = _fields(_one(outer, 1))
        text = _fields(_one(result, 1))
        module, buffers = _Module(_one(text, 1)), _Buffers(_one(result, 2))
        short = _short_text(module, buffers)
        parts = {
            1: _message(_with_values(text, {1: _text(module, short)})),
            2: _memory(module, buffers, short),
        }
    except (IndexError, KeyError, TypeError) as error:
        raise Unknown from error
    return executable[: at + length] + _message(
        _with_values(outer, {1: _message(_with_values(result, parts))})
    )
