"""Reads the arrays that `warpscope … --npz` prints, while it prints them.

numpy.load() reads them too, from a file. This reader needs no file and copies nothing: each array is read from the pipe
into its own memory. What the members mean is described in the documentation of the formats: integers are int64, with a
bool array NAME.null if some are missing; reals are float64; text is int32 codes, with NAME.utf8 and NAME.ends.
"""

import re
import struct

_LOCAL = b"PK\3\4"
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


def _exactly(file, size):
    data = file.read(size)
    if len(data) < size:
        raise EOFError("the output of warpscope ends early")
    return data


def _skip(file, size):
    while size > 0:
        size -= len(_exactly(file, min(size, 1 << 20)))


def _member(file):
    """Reads the header of the next member; returns its name and size, or None at the end."""
    begin = file.read(4)
    if begin != _LOCAL:
        if len(begin) < 4:
            raise EOFError("the output of warpscope ends early")
        return None
    size, name_size, extra_size = struct.unpack("<18xIHH", _exactly(file, 26))
    name = _exactly(file, name_size).decode(errors="replace")
    extra = _exactly(file, extra_size)
    if size == _LARGE:
        size = struct.unpack_from("<Q", extra, 4)[0]
    return name[:-len(".npy")], size


def _array(file, numpy):
    length = struct.unpack("<H", _exactly(file, 10)[8:])[0]
    kind, count = _HEADER.search(_exactly(file, length)).groups()
    array = numpy.empty(int(count), kind.decode())
    view = memoryview(array).cast("B") if array.nbytes else memoryview(b"")
    at = 0
    while at < len(view):
        read = file.readinto(view[at:])
        if not read:
            raise EOFError("the output of warpscope ends early")
        at += read
    return array


def _texts(utf8, ends):
    whole = utf8.tobytes()
    texts, begin = [], 0
    for end in ends.tolist():
        texts.append(whole[begin:end].decode(errors="replace"))
        begin = end
    return texts


def read_columns(file, numpy, wanted=lambda name: True):
    """Reads an archive from a binary file; returns its columns in order, and the notes of tables by name.

    Columns for whose names `wanted` is false are skipped. Raises EOFError if the archive ends early.
    """
    columns, notes = [], {}
    while True:
        member = _member(file)
        if member is None:
            break
        name, size = member
        if not wanted(name):
            _skip(file, size)
            continue
        array = _array(file, numpy)
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
    while file.read(1 << 16):  # the directory
        pass
    return columns, notes
