"""Traces of GPU training jobs as pandas DataFrames.

    import warpscope
    p = warpscope.open("traces")                # a trace, a folder with the traces of all ranks, or a .wscope file
    p.findings                                  # what wastes GPU time, and how to fix it
    p.sql("SELECT name, sum(dur) AS time FROM gpu_activity GROUP BY name ORDER BY time DESC")
    p.analyze("late_ranks", rank=[0, 3])        # any analysis of `warpscope analyze --list`
    p.timeline(start="12ms", end="40ms")        # a picture, in a notebook
    p.report()                                  # all analyses as a page, in a notebook

The package runs the program `warpscope`: $WARPSCOPE, or the one beside the package, or the one on the PATH. It needs no
other package. With pandas, tables are DataFrames; without, lists of dicts. Times are integers in ns.
"""

from ._profile import Picture, Profile, Report
from ._program import DiagnosticsWarning, Error, StoreWarning
from ._version import __version__

__all__ = ["DiagnosticsWarning", "Error", "Picture", "Profile", "Report", "StoreWarning", "open"]


def open(path, *, program=None, store=True, memory=None):
    """Opens the traces at `path`: a trace file, a folder with one file per rank, or a converted profile (.wscope).

    The first call reads the traces and saves a store in the user's cache folder, from which later calls start in
    milliseconds; store=False reads them anew each time. `memory` limits the memory for loaded traces ("8G").
    `program` is the path of warpscope. Raises Error if nothing can be read, and warns (DiagnosticsWarning) if parts are
    missing or corrupt.
    """
    return Profile(path, program=program, store=store, memory=memory)
