"""Prints each message to stderr only once, and keeps recording errors from reaching the job."""

import functools
import io
import os
import sys

_shown = set()


def _open(stream):
    """Returns False if the file behind a stream is closed.

    Text written to a stream without an open file stays in its buffer and makes Python exit with status 120.
    """
    if stream is None:
        return False
    try:
        os.fstat(stream.fileno())
    except (AttributeError, io.UnsupportedOperation):
        return True  # a stream without a file
    except (OSError, ValueError):
        return False
    return True


def say(text):
    """Prints "smprof: TEXT" unless it has been printed before. Never raises."""
    try:
        if text in _shown or len(_shown) > 100:
            return
        _shown.add(text)
        if not _open(sys.stderr):
            return
        sys.stderr.write("smprof: " + text + "\n")
        sys.stderr.flush()
    except Exception:  # closed stderr
        pass


def reason(error):
    """Returns the message of an exception, without the errno of an OSError."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def guarded(function):
    """Turns exceptions of `function` into a message; the call then returns None."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            say("%s failed: %s" % (function.__name__.strip("_"), reason(error)))
            return None

    return call
