"""Records training jobs as traces for Warpscope, with the interface of Amazon SageMaker Profiler.

    import smprof

    profiler = smprof.SMProfiler.instance()
    config = smprof.Config()
    config.profiler = {"EnableCuda": "1"}
    profiler.configure(config)
    profiler.start_profiling()
    for i, batch in enumerate(loader):
        with smprof.annotate("step_" + str(i)):
            ...
    profiler.stop_profiling()

With PyTorch, it controls torch.profiler; with TensorFlow, TensorFlow's profiler. With neither, it records only
annotations. The configuration key "Framework" ("pytorch", "tensorflow" or "none") overrides this choice.

Each process writes a file. The configuration key "OutputPath" or the environment variable WARPSCOPE_OUT sets the
output folder; the default is "traces".

Recording problems never raise exceptions. They are reported on stderr, and the job continues.
"""

import functools
import inspect
import threading

from smprof._messages import guarded
from smprof._session import Session

__all__ = ["Config", "SMProfiler", "annotate", "annotation_begin", "annotation_end"]
__version__ = "0.1.0"

_session = Session()


class Config:
    """Settings of SMProfiler; `profiler` is a dictionary of strings such as {"EnableCuda": "1"}."""

    def __init__(self, profiler=None):
        self.profiler = dict(profiler or {})


class SMProfiler:
    """Starts and stops recordings in this process. Use `SMProfiler.instance()`."""

    _instance = None

    @classmethod
    def instance(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    @guarded
    def configure(self, config):
        """Sets the configuration for the next start_profiling(). Accepts a Config or its dictionary."""
        _session.configure(config if isinstance(config, dict) else config.profiler)

    @guarded
    def start_profiling(self):
        _session.start()

    @guarded
    def stop_profiling(self):
        """Ends the recording and its open annotations, and writes all remaining data to disk."""
        _session.stop()


def annotation_begin(name):
    """Starts an annotation; pass the result to annotation_end()."""
    return _begin(name)


def annotation_end(annotation=None):
    """Ends an annotation, on any thread. No-op if it has already ended, for example in stop_profiling()."""
    _end(annotation)


class annotate:
    """Annotates a block (`with annotate("Forward"):`) or every call of a function (`@annotate("Forward")`).

    `@annotate` without parentheses uses the function's name.
    """

    def __new__(cls, name="unnamed"):
        if callable(name):
            return cls(getattr(name, "__name__", "unnamed"))(name)
        return super().__new__(cls)

    def __init__(self, name="unnamed"):
        self._name = name
        self._open = {}  # by thread; the object may be reentered before it is exited

    def __enter__(self):
        self._open.setdefault(threading.get_ident(), []).append(_begin(self._name))
        return self

    def __exit__(self, *ignored):
        mine = self._open.get(threading.get_ident())
        if mine:
            _end(mine.pop())
        return False

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def annotated(*args, **kwargs):
                with annotate(self._name):
                    return await function(*args, **kwargs)

        else:

            @functools.wraps(function)
            def annotated(*args, **kwargs):
                with annotate(self._name):
                    return function(*args, **kwargs)

        return annotated


@guarded
def _begin(name):
    return _session.begin(name)


@guarded
def _end(annotation):
    _session.end(annotation)
