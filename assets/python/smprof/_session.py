"""The recording of this process: its start and end, open annotations, forks, and program exit."""

import atexit
import os
import signal
import sys
import threading

from smprof import _place
from smprof._messages import guarded, reason, say
from smprof._recorders import OwnRecorder, new_recorder

# Configuration keys. Those in _IGNORED are SageMaker Profiler's and have no effect here.
_KEYS = {"EnableCuda", "EnableForkFollow", "OutputPath", "Framework"}
_IGNORED = {"BucketCount", "BucketSizeMB", "Compression", "EnablePerf", "RecordFile"}


class Annotation:
    """An open annotation, returned by annotation_begin()."""

    __slots__ = ("recorder", "name", "token", "thread")

    def __init__(self, recorder, name, token):
        self.recorder = recorder  # None if not recorded, or if already ended
        self.name = name
        self.token = token
        self.thread = threading.get_ident()


class Session:
    def __init__(self):
        self._lock = threading.RLock()
        self._settings = {}
        self._recorder = None
        self._started = False  # since the last stop(), even if nothing could be recorded
        self._open = {}  # annotations of the recorder, by id
        self._parent = None  # the recording process from which this one was forked
        self._follows = False  # the next annotation starts a recording in this process
        self._handles_sigterm = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def configure(self, settings):
        unknown = sorted(set(map(str, settings)) - _KEYS - _IGNORED)
        if unknown:
            say("ignoring unknown keys in the configuration: %s" % ", ".join(unknown))
        self._settings = {str(key): str(value) for key, value in settings.items() if value is not None}
        if self._recorder is not None:
            say("the configuration applies to the next start_profiling()")

    def start(self):
        with self._lock:
            if self._recorder is not None:
                say("start_profiling() was called twice")
                return
            self._started = True
            folder = _place.folder(self._settings.get("OutputPath"))
            try:
                cuda = self._settings.get("EnableCuda", "1") != "0"
                self._recorder = new_recorder(folder, self._settings.get("Framework"), cuda, self._parent)
            except OSError as error:
                say("cannot write to %s: %s; nothing is recorded" % (folder, reason(error)))
                return
            self._prepare_end()

    def stop(self):
        with self._lock:
            recorder = self._recorder
            started, self._started = self._started, False
            if recorder is None and started:
                return  # start() has reported why
            if recorder is None:
                say("stop_profiling() was called, but no recording is running")
                return
            left = list(self._open.values())
            for annotation in reversed(left):
                # Frameworks keep one stack per thread, so only this thread's annotations can be ended.
                if isinstance(recorder, OwnRecorder) or annotation.thread == threading.get_ident():
                    self.end(annotation, unclosed=True)
            if left:
                names = ", ".join([annotation.name for annotation in left][:5]) + (", …" if len(left) > 5 else "")
                count = "1 annotation was" if len(left) == 1 else "%d annotations were" % len(left)
                say("%s open at the end of the recording: %s" % (count, names))
            self._recorder = None
            self._open = {}
        self._release_sigterm()
        try:
            recorder.stop()
        except (OSError, RuntimeError) as error:
            say("the recording could not be written: %s" % reason(error))
            return
        if isinstance(recorder, OwnRecorder) and recorder.empty:
            say("nothing was annotated, so no file is written")

    def begin(self, name):
        recorder = self._recorder
        if recorder is None:
            if self._follows and self._settings.get("EnableForkFollow", "0") != "0":
                self._follow()
                recorder = self._recorder
            if recorder is None:
                return Annotation(None, None, None)
        name = name if isinstance(name, str) else str(name)
        annotation = Annotation(recorder, name, recorder.begin(name))
        self._open[id(annotation)] = annotation
        return annotation

    def end(self, annotation, unclosed=False):
        if not isinstance(annotation, Annotation):
            say("annotation_end() expects the result of annotation_begin()")
            return
        recorder, annotation.recorder = annotation.recorder, None
        if recorder is None:
            return
        self._open.pop(id(annotation), None)
        if recorder is self._recorder:
            recorder.end(annotation.token, annotation.thread == threading.get_ident(), unclosed)

    @guarded
    def _finish(self):
        if self._recorder is not None:
            self.stop()

    def _prepare_end(self):
        """Arranges for the recording to end when the program exits, before the frameworks shut down."""
        atexit.unregister(self._finish)
        atexit.register(self._finish)
        if "multiprocessing" in sys.modules:
            from multiprocessing import util

            util.Finalize(None, self._finish, exitpriority=0)  # multiprocessing children exit without atexit
        try:
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                signal.signal(signal.SIGTERM, self._terminated)
                self._handles_sigterm = True
        except ValueError:  # not on the main thread
            pass

    def _release_sigterm(self):
        try:
            if self._handles_sigterm and signal.getsignal(signal.SIGTERM) == self._terminated:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                self._handles_sigterm = False
        except ValueError:  # not on the main thread; the handler is harmless
            pass

    def _terminated(self, number, frame):
        """Ends the recording, then terminates the process with the same signal."""
        self._finish()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _follow(self):
        with self._lock:
            if not self._follows:
                return
            self._follows = False
            try:
                self._recorder = OwnRecorder(_place.folder(self._settings.get("OutputPath")), self._parent)
            except OSError as error:
                say("cannot record a forked process: %s" % reason(error))
                return
            self._prepare_end()

    def _forked(self):
        """Runs in a forked child, where the recording belongs to the parent and frameworks cannot profile."""
        self._lock = threading.RLock()
        recorder, self._recorder = self._recorder, None
        self._started = False
        if recorder is not None:
            self._follows = True
            self._parent = self._parent or os.getppid()
        self._open = {}
        self._release_sigterm()
        try:
            if recorder is not None:
                recorder.abandon()
        except Exception:
            pass
