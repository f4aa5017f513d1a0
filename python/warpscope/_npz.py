"""Reads the arrays that `warpscope … --npz` prints.

numpy.load() reads them too. This reader copies nothing: arrays lie in the mapped file. What the members mean is described
in the documentation of the formats: integers are int64, with a bool array NAME.null if some are missing; reals are
float64; text is int32 codes, with NAME.utf8 and NAME.ends.
"""

import mmap
import os
import re
import struct

_LOCAL = b"PK\3\4"
_END = b"PK\5\6"
_END_SIZE = 22
_HEADER = re.compile(rb"'descr': '([^']+)'.*'shape': \((\d+),\)")
_LARGE = 0xFFFFFFFF


class Column:
    """Values of a column: an array and, depending on its type, what is missing or the texts that codes refer to."""

    __slots__ = ("name", "values", "missing", "texts")

    def __init__(self, name, values):
        self.name = name
        self.values = values
        self.missing = None
        """bool array, or None if no integer is missing"""
        self.texts = None
        """list of str for columns of text, whose values are indices, -1 if missing"""


def _members(data):
    """Returns the names of members, and where their contents start."""
    at, members = 0, []
    while data[at:at + 4] == _LOCAL:
        size, name_size, extra_size = struct.unpack_from("<18xIHH", data, at + 4)
        name = at + 30
        extra = name + name_size
        if size == _LARGE:
            size = struct.unpack_from("<Q", data, extra + 4)[0]
        start = extra + extra_size
        members.append((data[name:extra].decode(errors="replace")[:-len(".npy")], start))
        at = start + size
    return members


def _array(data, at, numpy):
    length = struct.unpack_from("<H", data, at + 8)[0]
    kind, count = _HEADER.search(data[at + 10:at + 10 + length]).groups()
    if int(count) == 0:
        return numpy.empty(0, kind.decode())
    return numpy.frombuffer(data, kind.decode(), int(count), at + 10 + length)


def _texts(utf8, ends):
    whole = utf8.tobytes()
    texts, begin = [], 0
    for end in ends.tolist():
        texts.append(whole[begin:end].decode(errors="replace"))
        begin = end
    return texts


def read_columns(file, numpy, wanted=lambda name: True):
    """Reads an archive from a file; returns its columns in order, and the notes of tables by name.

    Columns for whose names `wanted` is false are skipped. The arrays can be changed, which does not change the file; they
    keep its contents in memory. Raises EOFError if the archive ends early.
    """
    size = os.fstat(file.fileno()).st_size
    # Private, so that pages are copied only when someone writes to the arrays.
    data = mmap.mmap(file.fileno(), size, mmap.MAP_PRIVATE) if size > 0 else b""
    if data[-_END_SIZE:-_END_SIZE + 4] != _END:
        raise EOFError("it ends early")
    columns, notes = [], {}
    for name, start in _members(data):
        if not wanted(name):
            continue
        array = _array(data, start, numpy)
        # What a member is follows from its type and the column before it.
        last = columns[-1] if columns else None
        if array.dtype == numpy.uint8 and last is not None and last.values.dtype == numpy.int32 and last.texts is None:
            last.texts = array
        elif array.dtype == numpy.uint8:
            notes[name[:-len(".note")]] = array.tobytes().decode(errors="replace")
        elif last is not None and isinstance(last.texts, numpy.ndarray):
            last.texts = _texts(last.texts, array)
        elif array.dtype == numpy.bool_:
            last.missing = array
        else:
            columns.append(Column(name, array))
    return columns, notes
