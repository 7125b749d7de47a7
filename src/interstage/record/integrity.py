"""Checksums of a saved flight, which reveal damage before HDF5 reads the file.

A file has two kinds of checksums:

- The seal follows the HDF5 data at the end of the file. The seal contains the checksum of all bytes before
  the seal, and the location and checksum of each variable. HDF5 ignores the seal. A program that rewrites the
  file removes the seal.
- The attribute `checksums` of the root group contains a checksum of the values of each variable.
  A copy that another program writes still has this attribute.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

ATTRIBUTE = "checksums"
"""Name of the root group's attribute that holds the checksum of each variable, by its path.

The path "" holds the checksum of the root group's attributes.
"""
COVERED = ("units", "long_name", "frame", "reference", "comment", "dtype")
"""Names of the attributes of a variable that its checksum includes."""
MARK = b"interstage seal\n"
FOOTER = struct.Struct("<QQ16s16s")
"""Binary format of the last bytes of a seal.

The fields are: size of the HDF5 data; size of the compressed table of checksums; checksum of both sizes and
the table; a fixed mark.
"""
NAMED = 5
"""Maximum number of damaged variables in a message."""
VALUES = "the values of"
SIGNATURE = b"\x89HDF\r\n\x1a\n"
Ranges = Mapping[str, list[tuple[int, int]]]
"""Byte ranges of each variable in a file, by path of the variable: (first byte, number of bytes) of each
range.
"""


class Damaged(Exception):
    """Error: a file is damaged or has another format. The message continues a sentence that begins with the
    file name.
    """


class Unlocated(Damaged):
    """Error: texts or the structure of a file are damaged, but no variable is.

    image: bytes of the HDF5 data.
    """

    def __init__(self, image: bytes):
        super().__init__(
            "is damaged: texts or the structure of the file were changed after the file was saved"
        )
        self.image = image


class Image(NamedTuple):
    """HDF5 data of a file.

    - image: bytes of the HDF5 data.
    - sealed: whether the checksums of a seal confirm these bytes.
    """

    image: bytes
    sealed: bool


# --- the seal: all bytes


def seal(image: bytes, ranges: Ranges) -> bytes:
    """Return the bytes of an HDF5 file, followed by a seal with their checksums.

    image: bytes of the HDF5 file. ranges: byte ranges of each variable.
    """
    table = [[name, pieces, _of_pieces(image, pieces)] for name, pieces in ranges.items()]
    whole = {"whole": _digest(image).hex(), "variables": table}
    packed = zlib.compress(json.dumps(whole).encode(), 1)
    return b"".join([image, packed, FOOTER.pack(len(image), len(packed), _proof(len(image), packed), MARK)])


def check_seal(content: bytes) -> Image:
    """Check the bytes of a file against its seal, and return its HDF5 data.

    The result also states whether the file has a seal that confirms the data. Raises Damaged if the data
    differs from the seal, and Unlocated if the damaged variable is unknown.

    content: all bytes of the file.
    """
    if not content.startswith(SIGNATURE):
        raise Damaged("is damaged or is not a NetCDF-4 file")
    expected = _expected_size(content)
    if len(content) < expected:
        raise Damaged(
            f"is damaged: the file has {len(content)} bytes, but must have at least {expected} bytes"
        )
    if len(content) < FOOTER.size or not content.endswith(MARK):
        return Image(content, False)
    size, packed_size, proof, _ = FOOTER.unpack(content[-FOOTER.size :])
    packed = content[size : -FOOTER.size]
    if size + packed_size + FOOTER.size != len(content) or proof != _proof(size, packed):
        raise Damaged("is damaged: the table of checksums was changed after the file was saved")
    table = json.loads(zlib.decompress(packed))
    image = content[:size]
    if _digest(image).hex() == table["whole"]:
        return Image(image, True)
    found = [name for name, pieces, check in table["variables"] if _of_pieces(image, pieces) != check]
    if found:
        raise Damaged(_of_variables(found))
    raise Unlocated(image)


def _expected_size(content: bytes) -> int:
    """The size [bytes] that an HDF5 file records of itself; 0 for another version of the format."""
    version, offset_size = content[8:10].ljust(2, b"\0")
    known = version in (2, 3) and offset_size == 8 and len(content) >= 36
    return int.from_bytes(content[28:36], "little") if known else 0


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def _proof(size: int, packed: bytes) -> bytes:
    return _digest(struct.pack("<Q", size) + packed)


def _of_pieces(image: bytes, pieces: Iterable[Iterable[int]]) -> int:
    found = 0
    for first, size in pieces:
        found = zlib.crc32(memoryview(image)[first : first + size], found)
    return found


def _of_variables(names: list[str]) -> str:
    shown = ", ".join(name.replace("/", ".") for name in names[:NAMED])
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"is damaged: {VALUES} {shown}{more} were changed after the file was saved"


# --- the attribute: each variable


def checksum(values: np.ndarray, attrs: Mapping[str, Any]) -> str:
    """Return a checksum of a variable as a text.

    The checksum covers the values, the shape and the attributes in `COVERED`. The byte order does not change
    the checksum.
    """
    values = np.asarray(values)
    whole = hashlib.blake2b(digest_size=8)
    if values.dtype.kind in "OSU":
        texts = [
            each.decode("utf-8", "replace") if isinstance(each, bytes) else str(each) for each in values.flat
        ]
        whole.update(json.dumps(["text", values.shape, texts]).encode())
    else:
        values = values.astype(values.dtype.newbyteorder("<"), copy=False)
        whole.update(json.dumps([values.dtype.str, values.shape]).encode())
        whole.update(np.ascontiguousarray(values).data)
    whole.update(json.dumps([str(attrs[key]) for key in COVERED if key in attrs]).encode())
    return whole.hexdigest()


def checksum_of_attributes(attrs: Mapping[str, Any]) -> str:
    """Return a checksum of the attributes of the root group, without the attribute `checksums`."""
    listed = sorted([key, str(value)] for key, value in attrs.items() if key != ATTRIBUTE)
    return hashlib.blake2b(json.dumps(listed).encode(), digest_size=8).hexdigest()


def compare(found: Mapping[str, str], saved: Mapping[str, str]) -> None:
    """Compare the checksums of the data read from a file with the saved checksums. Raises Damaged if they
    differ.

    found, saved: checksum by path of the variable.
    """
    wrong = [name for name in saved if found.get(name) != saved[name]]
    if "" in wrong:
        raise Damaged("is damaged: the attributes of the root group were changed after the file was saved")
    if wrong:
        raise Damaged(_of_variables(wrong))
