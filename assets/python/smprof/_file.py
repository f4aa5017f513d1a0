"""Writes annotations to a file in the PyTorch profiler's format (Kineto) while the job runs.

Lines are written when an annotation ends, but at most once every 10 ms; a thread writes those that remain 10 ms later.
So a killed job loses at most the annotations of the last 10 ms; Warpscope can read the unfinished file. Times come
from the monotonic clock, so wall-clock jumps do not change durations.

The job may close the file's descriptor, and its number may then refer to one of the job's own files. Each write first
checks that it still refers to the file.
"""

import errno
import json
import os
import queue
import signal
import threading
import time

from smprof import _place
from smprof._messages import reason, say

_quoted = json.encoder.encode_basestring_ascii
_PAUSE = 10000000  # ns between writes


def _this_moment():
    """Returns the same moment as time.perf_counter_ns() and as time.time_ns(), from the fastest of several readings."""
    best = None
    for _ in range(5):
        before = time.perf_counter_ns()
        since_epoch = time.time_ns()
        took = time.perf_counter_ns() - before
        if best is None or took < best[0]:
            best = (took, before + took // 2, since_epoch)
    return best[1:]


def _identity(file):
    """Identifies the file at a path or behind a descriptor; None if there is none."""
    try:
        status = os.stat(file)
    except (OSError, TypeError):
        return None
    return status.st_dev, status.st_ino


class AnnotationFile:
    def __init__(self, folder, parent=None):
        """Creates a file in `folder`. Raises OSError. `parent`: the process with the rank, if this is a fork of it."""
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._local = threading.local()
        self._lines = []
        self._size = 0
        self.empty = True  # has no annotations
        self._began, base_time = _this_moment()
        self._written = self._began
        head = {"schemaVersion": 1, "deviceProperties": [], "displayTimeUnit": "ms", "host_name": _place.host()}
        if _place.distributed_info():
            head["distributedInfo"] = _place.distributed_info()
        if parent:
            head["parentProcess"] = parent
        head["recordedBy"] = "smprof"
        head["baseTimeNanoseconds"] = base_time
        first = {"ph": "M", "name": "process_name", "pid": self._process, "tid": 0, "args": {"name": "python3"}}
        self._path, self._file = _place.new_file(folder, parent)
        self._identity = _identity(self._file)
        try:
            self._write(json.dumps(head)[:-1] + ', "traceEvents": [\n' + json.dumps(first))
        except OSError:
            self.abandon()
            os.remove(self._path)
            raise
        self._due = False  # the thread will write soon
        self._wake = queue.SimpleQueue()  # unlike an Event, safe to use in signal handlers
        try:
            threading.Thread(target=self._write_when_idle, name="smprof", daemon=True).start()
        except RuntimeError:  # too many threads: the next annotation writes
            pass

    def add(self, name, start, end, unclosed=False):
        """Adds an annotation for the calling thread. `start` and `end` are from time.perf_counter_ns().

        `unclosed`: the program did not end the annotation.
        """
        if self._file is None:
            return
        self.empty = False
        thread = getattr(self._local, "thread", None) or self._new_thread()
        start = max(start - self._began, 0)
        duration = max(end - self._began - start, 0)
        self._lines.append(
            ',\n{"ph": "X", "cat": "user_annotation", "name": %s, "pid": %d, "tid": %d, "ts": %d.%03d, "dur": %d.%03d%s}'
            % (
                *(_quoted(name), self._process, thread, start // 1000, start % 1000, duration // 1000, duration % 1000),
                ', "args": {"unclosed": true}' if unclosed else "",
            )
        )
        if end - self._written > _PAUSE:
            self._flush()
        elif not self._due:
            self._due = True
            self._wake.put(None)

    def close(self):
        """Completes the file. Removes it if it has no annotations, because Warpscope would show an extra recording."""
        self._flush("\n]}\n")
        if self._file is None:
            return
        self.abandon()
        self._wake.put(None)
        if self.empty:
            os.remove(self._path)

    def abandon(self):
        """Closes the file without writing to it; in a forked process, it belongs to the parent."""
        file, self._file = self._file, None
        if file is not None and _identity(file) == self._identity:
            os.close(file)

    def _new_thread(self):
        native = getattr(threading, "get_native_id", threading.get_ident)
        self._local.thread = native()
        name = {"name": "thread %d (%s)" % (self._local.thread, threading.current_thread().name)}
        event = {"ph": "M", "name": "thread_name", "pid": self._process, "tid": self._local.thread, "args": name}
        self._lines.append(",\n" + json.dumps(event))
        return self._local.thread

    def _write_when_idle(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # signals are for the job
        while self._file is not None:
            self._wake.get()
            time.sleep(_PAUSE / 1e9)
            self._due = False
            if self._lines:
                self._flush()

    def _flush(self, more=""):
        # A signal handler may interrupt this call on the same thread and must not wait for the lock forever.
        if not self._lock.acquire(timeout=1):
            return
        try:
            count = len(self._lines)  # other threads may append meanwhile
            text = "".join(self._lines[:count]) + more
            del self._lines[:count]
            self._written = time.perf_counter_ns()
            if self._file is None:
                return
            try:
                self._write(text)
            except OSError as error:
                say("cannot write to %s: %s; the recording ends here" % (self._path, reason(error)))
                try:
                    if _identity(self._file) == self._identity:
                        os.ftruncate(self._file, self._size)
                except OSError:
                    pass
                self.abandon()
        finally:
            self._lock.release()

    def _ensure_open(self):
        """Opens the file again if the job has closed it. Raises OSError if the file was deleted or moved."""
        if _identity(self._file) != self._identity:
            self._file = None
            file = _place.file_again(self._path)
            if _identity(file) != self._identity:
                os.close(file)
                raise OSError(errno.ESTALE, os.strerror(errno.ESTALE), self._path)
            self._file = file
        if _identity(self._path) != self._identity:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._path)

    def _write(self, text):
        """Writes text to the file. After an OSError, `_size` is the file size up to the last complete event."""
        self._ensure_open()
        data = text.encode("utf-8", "replace")
        at = 0
        try:
            while at < len(data):
                at += os.write(self._file, data[at:])
            self._size += at
        except OSError:
            self._size += max(data.rfind(b",\n", 0, at + 2), data.rfind(b"\n]", 0, at + 2), 0)
            raise
