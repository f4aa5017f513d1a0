"""Recorders for torch.profiler, for TensorFlow's profiler, and for annotations only.

Each recorder has `begin(name)`, which returns a token; `end(token, on_own_thread, unclosed)`; `stop()`, which raises
OSError or RuntimeError if the file could not be written; and `abandon()`, for forked child processes.
"""

import importlib
import importlib.util
import json
import os
import re
import shutil
import sys
import time

from smprof import _place
from smprof._file import AnnotationFile
from smprof._messages import reason, say


class OwnRecorder:
    """Records annotations only."""

    def __init__(self, folder, parent=None):
        self._file = AnnotationFile(folder, parent)

    def begin(self, name):
        return name, time.perf_counter_ns()

    def end(self, token, on_own_thread, unclosed):
        self._file.add(token[0], token[1], time.perf_counter_ns(), unclosed)

    def stop(self):
        self._file.close()

    @property
    def empty(self):
        return self._file.empty

    def abandon(self):
        self._file.abandon()


class TorchRecorder:
    """Records operators and GPU activity with torch.profiler; annotations use record_function."""

    def __init__(self, folder, cuda):
        from torch import profiler

        self._annotation = profiler.record_function
        activities = profiler.supported_activities() if cuda else {profiler.ProfilerActivity.CPU}
        self._profile = profiler.profile(activities=activities)
        self._path, file = _place.new_file(folder)
        os.close(file)
        try:
            self._profile.start()
        except BaseException:
            os.remove(self._path)
            raise

    def begin(self, name):
        annotation = self._annotation(name)
        annotation.__enter__()
        return annotation

    def end(self, token, on_own_thread, unclosed):
        token.__exit__(None, None, None)

    def stop(self):
        # torch.profiler writes this itself if torch.distributed is initialized.
        if not _place.is_distributed() and _place.distributed_info():
            try:
                self._profile.add_metadata_json("distributedInfo", json.dumps(_place.distributed_info()))
            except Exception:  # before PyTorch 1.9; the file name contains the rank
                pass
        self._profile.stop()
        # torch.profiler follows links, so it writes to a new folder that no other user can access.
        folder, name = os.path.split(self._path)
        private = os.path.join(folder, "." + name)
        os.mkdir(private, 0o700)
        try:
            written = os.path.join(private, name)
            self._profile.export_chrome_trace(written)
            if os.path.getsize(written) == 0:
                raise RuntimeError("%s is empty" % self._path)
            os.replace(written, self._path)
        finally:
            shutil.rmtree(private, ignore_errors=True)

    def abandon(self):
        pass


class TensorFlowRecorder:
    """Records with TensorFlow's profiler. Also writes annotations to a separate file, because recent versions write
    traces only in a format that Warpscope cannot read."""

    def __init__(self, folder, cuda):
        import tensorflow

        self._profiler = tensorflow.profiler.experimental
        self._own = OwnRecorder(folder)
        try:
            self._profiler.start(folder)
        except Exception:
            self._own.stop()
            raise

    def begin(self, name):
        step = re.match(r"step_([0-9]+)$", name)
        number = {"step_num": int(step.group(1))} if step else {}
        annotation = self._profiler.Trace(name, **number)
        annotation.__enter__()
        return annotation, self._own.begin(name)

    def end(self, token, on_own_thread, unclosed):
        self._own.end(token[1], on_own_thread, unclosed)
        if on_own_thread:
            token[0].__exit__(None, None, None)

    def stop(self):
        try:
            self._own.stop()
        finally:
            self._profiler.stop()

    def abandon(self):
        self._own.abandon()


def _has_kineto():
    from torch import profiler

    # Linux distributions build PyTorch without Kineto; the profiler then does not write absolute times.
    available = getattr(profiler, "kineto_available", None)
    if available is not None and not available():
        say("this PyTorch was built without Kineto: recording annotations only")
        return False
    return True


def _framework(chosen):
    """Returns the framework to record with: `chosen`, or the imported one, or the installed one."""
    if chosen:
        return chosen.lower()
    names = (("torch", "pytorch"), ("tensorflow", "tensorflow"))
    for module, name in names:
        if module in sys.modules:
            return name
    for module, name in names:
        if importlib.util.find_spec(module) is not None:
            return name
    return "none"


def new_recorder(folder, framework, cuda, parent=None):
    """Returns a recorder; OwnRecorder if no framework's profiler starts. Raises OSError if `folder` is not writable."""
    _place.prepare(folder)
    try:
        framework = _framework(framework)
        if framework == "pytorch" and _has_kineto():
            return TorchRecorder(folder, cuda)
        if framework == "tensorflow":
            return TensorFlowRecorder(folder, cuda)
        if framework not in ("none", "pytorch"):
            say('unknown Framework "%s" in the configuration: recording annotations only' % framework)
    except Exception as error:
        say("the %s profiler did not start: %s; recording annotations only" % (framework, reason(error)))
    return OwnRecorder(folder, parent)
