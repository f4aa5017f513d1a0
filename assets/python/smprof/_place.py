"""Rank and node of this process, and the names of its output files."""

import errno
import os
import re
import socket
import sys
import time

# Environment variables for the rank and the number of ranks, by launcher: torchrun and DeepSpeed, Open MPI, MPICH and
# Intel MPI, MVAPICH2, Horovod, Slurm.
_RANKS = (
    ("RANK", "WORLD_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    ("HOROVOD_RANK", "HOROVOD_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
)
# Environment variables for the 0-based node number: torchrun, Slurm.
_NODES = ("GROUP_RANK", "SLURM_NODEID")


def _number(name):
    text = os.environ.get(name, "")
    return int(text) if re.match(r"[0-9]{1,9}$", text) else None


def is_distributed():
    """True if the script has initialized torch.distributed."""
    try:
        distributed = sys.modules["torch"].distributed
        return distributed.is_available() and distributed.is_initialized()
    except Exception:
        return False


def rank_and_size():
    """Returns (rank, world size); each is None if unknown."""
    if is_distributed():
        distributed = sys.modules["torch"].distributed
        return distributed.get_rank(), distributed.get_world_size()
    for rank, size in _RANKS:
        if _number(rank) is not None:
            return _number(rank), _number(size)
    return None, None


def distributed_info():
    """Returns the rank and the world size in torch.profiler's format; None if the rank is unknown."""
    rank, size = rank_and_size()
    if rank is None:
        return None
    return {"backend": "", "rank": rank, "world_size": size} if size else {"backend": "", "rank": rank}


def node():
    """Returns "algo-N" if the node number is known, otherwise None. `warpscope record` uses the same names."""
    for name in ("WARPSCOPE_NODE", "SM_CURRENT_HOST"):
        text = os.environ.get(name, "")
        if re.match(r"algo-[0-9]{1,9}$", text):
            return text
    for name in _NODES:
        if _number(name) is not None:
            return "algo-%d" % (_number(name) + 1)
    return None


def host():
    try:
        return socket.gethostname()
    except Exception:
        return "localhost"


def folder(configured):
    """Returns the output folder of this process. With one folder per node, Warpscope shows the files together with
    the node's system metrics."""
    path = configured or os.environ.get("WARPSCOPE_OUT") or "traces"
    return os.path.abspath(os.path.join(path, node() or ""))


def prepare(directory):
    """Creates a folder. Raises OSError if no files can be created in it."""
    os.makedirs(directory, exist_ok=True)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), directory)


_WRITE = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def new_file(directory, parent=None):
    """Creates a file named like PyTorch's, with the rank if known, and returns its path and its descriptor.

    Raises OSError.

    `parent`: the process with the rank, if this is a fork of it. All files of a process belong to the same rank.
    """
    prepare(directory)
    rank = rank_and_size()[0]
    stem = "%s_%d." % (re.sub(r"[^A-Za-z0-9.-]", "-", host()), parent or os.getpid())
    suffix = "" if rank is None else "-rank%d" % rank
    if parent:
        suffix += "-child%d" % os.getpid()
    milliseconds = time.time_ns() // 1000000
    while True:
        path = os.path.join(directory, "%s%d%s.pt.trace.json" % (stem, milliseconds, suffix))
        try:
            return path, os.open(path, _WRITE | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            milliseconds += 1


def file_again(path):
    """Opens a file created by new_file() and returns its descriptor. Raises OSError."""
    return os.open(path, _WRITE)
