"""Small traces for the tests of the package `warpscope`, and the package itself with or without pandas.

With `python3 NAME_test.py`, the tests run under a Python that has pandas, if this system has one.
"""

import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
PACKAGE = os.path.join(SOURCE, "python")
WARPSCOPE = os.environ.get("WARPSCOPE", os.path.join(SOURCE, "build", "warpscope"))
HAS_PANDAS = importlib.util.find_spec("pandas") is not None

LONG_NAME = "void gemm<" + "float, " * 200 + "4>(float*)"
KERNELS = ["relu", LONG_NAME, "größe \"quoted\", 'twice'"]


def use_python_with_pandas():
    """Restarts the script under the system's Python if that one has pandas and this one does not."""
    system = "/usr/bin/python3"
    if HAS_PANDAS or not os.path.exists(system) or os.environ.get("WARPSCOPE_TEST_RESTARTED"):
        return
    if subprocess.run([system, "-c", "import pandas"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ["WARPSCOPE_TEST_RESTARTED"] = "1"
        os.execv(system, [system, "-B", *sys.argv])


def import_package(pandas=True):
    """Returns a new copy of the package, which finds pandas or does not."""
    hidden = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "warpscope"}
    for name in hidden:
        del sys.modules[name]
    kept = sys.modules.get("pandas")
    sys.path.insert(0, PACKAGE)
    try:
        if not pandas:
            sys.modules["pandas"] = None
        return importlib.import_module("warpscope")
    finally:
        sys.path.remove(PACKAGE)
        if not pandas:
            del sys.modules["pandas"]
            if kept is not None:
                sys.modules["pandas"] = kept


def trace(rank, steps=3):
    """A step is three launches, 2 ms apart, each with a kernel of 10 µs · (1 + rank) 20 µs later."""
    events = []
    for i in range(steps * len(KERNELS)):
        at = 1000 + i * 2000
        step = i // len(KERNELS)
        if i % len(KERNELS) == 0:
            events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
                           "ts": at - 10, "dur": 5800})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at,
                       "dur": 5, "args": {"correlation": i + 1}})
        if i == 1:
            continue  # a launch without a kernel, and so a kernel without a launch at the end
        events.append({"ph": "X", "cat": "kernel", "name": KERNELS[i % len(KERNELS)], "pid": 0, "tid": 7, "ts": at + 20,
                       "dur": 10 * (1 + rank), "args": {"correlation": i + 1, "device": 0, "stream": 7}})
    events.append({"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7, "ts": at + 60,
                   "dur": 1.5, "args": {"device": 0, "stream": 7, "bytes": 64}})
    return {"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 2},
            "deviceProperties": [{"id": 0, "name": "Test GPU", "numSms": 4}], "traceEvents": events}


class PackageTest(unittest.TestCase):
    """Gives each test a folder `traces` with two ranks, and the whole class one cache folder."""

    pandas = True

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix="warpscope-test-")
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        environment = {"WARPSCOPE": WARPSCOPE, "XDG_CACHE_HOME": os.path.join(cls.home, "cache"),
                       "XDG_CONFIG_HOME": os.path.join(cls.home, "config")}
        before = {name: os.environ.get(name) for name in environment}
        os.environ.update(environment)
        cls.addClassCleanup(cls.restore, before)
        cls.traces = os.path.join(cls.home, "traces")
        os.mkdir(cls.traces)
        for rank in range(2):
            cls.write(cls.traces, rank)
        cls.warpscope = import_package(cls.pandas)
        cls.profile = cls.warpscope.open(cls.traces)

    @staticmethod
    def restore(environment):
        for name, value in environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    @staticmethod
    def write(folder, rank, **options):
        with open(os.path.join(folder, f"rank{rank}.json"), "w") as file:
            json.dump(trace(rank, **options), file)

    def open_incomplete(self, folder, **options):
        """Opens a folder without all of the job's ranks."""
        with self.assertWarnsRegex(self.warpscope.DiagnosticsWarning, "ranks-missing"):
            return self.warpscope.open(folder, **options)

    def stores(self):
        return sorted(os.listdir(os.path.join(self.home, "cache", "warpscope", "stores")))
