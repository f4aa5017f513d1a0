"""Turns what the program prints into DataFrames, or into lists of dicts where pandas is not installed."""

import json

from . import _npz

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None


def format_flag():
    return "--json" if pandas is None else "--npz"


def _series(column, text):
    values = column.values
    if column.texts is not None:
        if text == "category":
            return pandas.Categorical.from_codes(values, categories=column.texts)
        texts = numpy.array([*column.texts, None], dtype=object)  # -1: the last
        return texts[values]
    if column.missing is not None:
        return pandas.arrays.IntegerArray(values, column.missing)
    return values


def _frame(columns, text):
    """`columns`: (name, Column) pairs; they lose their arrays, which the frame takes over without a copy."""
    values = {}
    for name, column in columns:
        values[name] = _series(column, text)
        column.values = column.texts = None
    return pandas.DataFrame(values, copy=False)


def read_table(file, text="object"):
    """Reads the result of one query."""
    if pandas is None:
        return json.load(file)["rows"]
    columns, _ = _npz.read_columns(file, numpy)
    return _frame([(column.name, column) for column in columns], text)


def read_tables(file, only=None):
    """Reads the tables of an analysis, by name; `only`: the name of the one to read."""
    if pandas is None:
        document = json.load(file)
        return {name: rows for name, rows in document.items()
                if isinstance(rows, list) and (only is None or name == only)}
    wanted = (lambda name: True) if only is None else (lambda name: name.startswith((only + "/", only + ".note")))
    columns, notes = _npz.read_columns(file, numpy, wanted)
    tables = {}
    for column in columns:
        table, name = column.name.split("/", 1)
        tables.setdefault(table, []).append((name, column))
    frames = {}
    for table, own in tables.items():
        frames[table] = _frame(own, "object")
        frames[table].attrs["note"] = notes.get(table, "")
    return frames


def from_records(records):
    """Returns records from JSON as a DataFrame, with integers that may be missing as Int64."""
    if pandas is None:
        return records
    frame = pandas.DataFrame.from_records(records)
    for name in frame.columns:
        known = [record.get(name) for record in records if record.get(name) is not None]
        if known and len(known) < len(records) and all(type(value) is int for value in known):
            frame[name] = pandas.array([record.get(name) for record in records], dtype="Int64")
    return frame
