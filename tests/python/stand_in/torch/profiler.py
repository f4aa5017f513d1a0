import json
import os

calls = []


class ProfilerActivity:
    CPU = "CPU"
    CUDA = "CUDA"


def kineto_available():
    return True


def supported_activities():
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}


class record_function:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        calls.append("enter " + self.name)
        return self

    def __exit__(self, *ignored):
        calls.append("exit " + self.name)


class profile:
    def __init__(self, activities):
        calls.append("profile " + " ".join(sorted(activities)))
        self.metadata = {}

    def start(self):
        if "STAND_IN_FAILS" in os.environ:
            raise OSError("libcupti.so: cannot open shared object file")
        calls.append("start")

    def add_metadata_json(self, key, value):
        self.metadata[key] = json.loads(value)

    def stop(self):
        calls.append("stop")

    def export_chrome_trace(self, path):
        calls.append("export")
        if "STAND_IN_NO_SPACE" in os.environ:
            raise RuntimeError("No space left on device")
        events = [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": os.getpid(), "tid": 1, "ts": 1, "dur": 2}]
        with open(path, "w") as file:
            json.dump({"schemaVersion": 1, **self.metadata, "calls": calls, "traceEvents": events}, file)
