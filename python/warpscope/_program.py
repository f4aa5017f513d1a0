"""Finds the program `warpscope` and runs it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile

NOT_WRITTEN = 4
"""Exit status: the result or the store could not be written."""

_INTERRUPTED = 5
"""Seconds that an interrupted program gets to remove partial files."""


class Error(Exception):
    """What the program reported: what failed, where, and what to do.

    `status` is its exit status (2: usage, 3: unreadable input, 4: not written), or None if it could not be started.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class StoreWarning(UserWarning):
    """The store could not be saved, so each call reads the traces again."""


class DiagnosticsWarning(UserWarning):
    """Parts of the traces are missing or corrupt; `Profile.diagnostics` lists the details."""


def find_program():
    """Returns the path of the program: $WARPSCOPE, or the one beside this package, or the one on the PATH.

    Beside means PREFIX/bin of an installation, build/ of the repository, or the folder of Python's own programs.
    Raises Error if there is none.
    """
    set_by_user = os.environ.get("WARPSCOPE")
    if set_by_user:
        found = shutil.which(set_by_user)
        if found:
            return found
        raise Error(f"$WARPSCOPE: {set_by_user} is not a program; set it to the path of warpscope or unset it")
    package = os.path.dirname(os.path.abspath(__file__))
    parent = os.path.dirname(package)
    beside = [
        os.path.join(package, "bin"),
        os.path.normpath(os.path.join(parent, "..", "..", "..", "bin")),  # PREFIX/share/warpscope/python
        os.path.normpath(os.path.join(parent, "..", "build")),
        os.path.dirname(sys.executable),
    ]
    for folder in beside:
        found = shutil.which(os.path.join(folder, "warpscope"))
        if found:
            return found
    found = shutil.which("warpscope")
    if found:
        return found
    raise Error("the program warpscope was not found; install it, or set $WARPSCOPE to its path")


def _memory_file():
    """Returns a file in memory, where the system has them, or a temporary one."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("warpscope"), "w+b")
    return tempfile.TemporaryFile()


class Run:
    """One run of the program. Its output is `out`; messages are kept until the end.

    `out` is a pipe or, with `to_file`, a file that is complete after wait().

    Use as a context manager. Leaving it by an exception, such as KeyboardInterrupt, interrupts the program; otherwise
    waits for the end and raises Error if it failed, except with a status in `allowed`.
    """

    def __init__(self, program, arguments, text=None, allowed=(), to_file=False):
        self.status = None
        self.allowed = allowed
        self._messages = tempfile.TemporaryFile()
        self._input = tempfile.TemporaryFile()
        self.out = _memory_file() if to_file else None
        if text is not None:
            self._input.write(text.encode())
            self._input.seek(0)
        try:
            self._process = subprocess.Popen([program, *arguments], stdin=self._input,
                                             stdout=self.out or subprocess.PIPE, stderr=self._messages)
        except OSError as error:
            self._close()
            raise Error(f"{program}: {error.strerror}; check the installation of warpscope") from error
        self.out = self.out or self._process.stdout

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        try:
            unreadable = kind is not None and issubclass(kind, (EOFError, ValueError))
            if kind is not None and not unreadable:
                self._interrupt()
                return False
            self.wait()
            if self.status != 0 and (kind is not None or self.status not in self.allowed):
                raise Error(self._reason(), self.status) from None
            if unreadable:
                raise Error(f"the output of warpscope cannot be read: {error}", self.status) from error
        except BaseException:
            self._interrupt()
            raise
        finally:
            self._close()
        return False

    def wait(self):
        """Waits for the end of the program and returns its exit status."""
        self.status = self._process.wait()
        return self.status

    def messages(self):
        """Returns what the program printed to stderr, one message per line, without the program's name."""
        self._messages.seek(0)
        lines = self._messages.read().decode(errors="replace").splitlines()
        return [line[len("warpscope: "):] if line.startswith("warpscope: ") else line for line in lines if line]

    def _reason(self):
        messages = self.messages()
        if self.status < 0:
            name = signal.Signals(-self.status).name
            return f"warpscope was ended by {name}" + "".join(f"; {message}" for message in messages[-1:])
        return messages[-1] if messages else f"warpscope failed with exit status {self.status}"

    def _interrupt(self):
        if self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGINT)
        self.out.close()  # the program may wait until someone reads its output
        try:
            self._process.wait(_INTERRUPTED)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _close(self):
        for file in (self._messages, self._input, self.out):
            if file is not None:
                file.close()
