"""smprof drives the profilers of frameworks, and problems of the recording never fail the job."""

import os
import unittest

from smprof_support import STAND_IN, ScriptTest

START = "import smprof\np = smprof.SMProfiler.instance()\np.start_profiling()\n"
STOP = "p.stop_profiling()\n"
ANNOTATE = "with smprof.annotate('a'): pass\n"


class FrameworkTest(ScriptTest):
    def test_pytorch(self):
        _, err = self.run_script("import torch\n" + START + """
with smprof.annotate("step_0"):
    handle = smprof.annotation_begin("Forward")
    smprof.annotation_end(handle)
smprof.annotation_begin("left open")
""" + STOP, modules=[STAND_IN], RANK="1", WORLD_SIZE="2")
        document = self.read()
        self.assertEqual(document["calls"], ["profile CPU CUDA", "start", "enter step_0", "enter Forward",
                                             "exit Forward", "exit step_0", "enter left open", "exit left open",
                                             "stop", "export"])
        self.assertEqual(document["distributedInfo"], {"backend": "", "rank": 1, "world_size": 2})
        self.assertIn("-rank1.pt.trace.json", self.files()[0])
        self.assertEqual(err, "smprof: 1 annotation was open at the end of the recording: left open\n")

    def test_pytorch_without_cuda(self):
        self.run_script("import smprof, torch\np = smprof.SMProfiler.instance()\nconfig = smprof.Config()\n"
                        "config.profiler = {'EnableCuda': '0'}\np.configure(config)\np.start_profiling()\n" + STOP,
                        modules=[STAND_IN])
        self.assertEqual(self.read()["calls"][0], "profile CPU")

    def test_pytorch_is_imported_if_installed(self):
        self.run_script(START + STOP, modules=[STAND_IN])
        self.assertIn("calls", self.read())

    def test_pytorch_that_does_not_start(self):
        _, err = self.run_script(START + "with smprof.annotate('Forward'): pass\n" + STOP, modules=[STAND_IN],
                                 STAND_IN_FAILS="1")
        self.assertIn("the pytorch profiler did not start: libcupti.so: cannot open shared object file; "
                      "recording annotations only", err)
        self.assertEqual(self.names(self.read()), ["Forward"])

    def test_pytorch_without_disk_space(self):
        _, err = self.run_script(START + STOP, modules=[STAND_IN], STAND_IN_NO_SPACE="1")
        self.assertIn("the recording could not be written: No space left on device", err)

    def test_tensorflow(self):
        out, _ = self.run_script("import tensorflow\n" + START + "with smprof.annotate('step_7'): pass\n" + STOP +
                                 "print(tensorflow.calls)", modules=[STAND_IN])
        self.assertEqual(out, "['start', ('step_7', {'step_num': 7}), 'exit step_7', 'stop']\n")
        self.assertEqual(self.names(self.read()), ["step_7"])


class SettingsTest(ScriptTest):
    def test_output_path(self):
        self.run_script("import smprof\np = smprof.SMProfiler.instance()\n"
                        "p.configure(smprof.Config({'OutputPath': 'here'}))\np.start_profiling()\n" + ANNOTATE)
        self.assertEqual(len(self.files(os.path.join(self.folder, "here"))), 1)

    def test_default_output_path(self):
        self.run_script(START + ANNOTATE, WARPSCOPE_OUT="")
        self.assertEqual(len(self.files(os.path.join(self.folder, "traces"))), 1)

    def test_options_of_sagemaker_profiler(self):
        _, err = self.run_script("import smprof\nconfig = smprof.Config()\nconfig.profiler = {'BucketCount': '32', "
                                 "'EnablePerf': '0', 'RecordFile': '/x/smpfile_%p_%t.raw'}\n"
                                 "smprof.SMProfiler.instance().configure(config)")
        self.assertEqual(err, "")

    def test_unknown_options(self):
        _, err = self.run_script("import smprof\nsmprof.SMProfiler.instance().configure(smprof.Config({'Enable': 1}))\n"
                                 "smprof.SMProfiler.instance().configure(None)")
        self.assertIn("ignoring unknown keys in the configuration: Enable\n", err)
        self.assertIn("configure failed", err)


class AnnotationTest(ScriptTest):
    def test_decorator(self):
        out, _ = self.run_script(START + """
import asyncio

@smprof.annotate("twice")
def twice(x, depth=2):
    "Doubles."
    return 2 * x if depth == 0 else twice(x, depth - 1)

@smprof.annotate("later")
async def later():
    await asyncio.sleep(0.01)

print(twice(3), twice.__doc__)
asyncio.run(later())
""" + STOP)
        self.assertEqual(out, "6 Doubles.\n")
        document = self.read()
        self.assertEqual(self.names(document), ["twice"] * 3 + ["later"])
        self.assertGreater(document["traceEvents"][-1]["dur"], 10000)

    def test_exceptions_of_the_job_pass(self):
        out, _ = self.run_script(START + """
try:
    with smprof.annotate("fails"):
        raise ValueError("of the job")
except ValueError as error:
    print(error)
""" + STOP)
        self.assertEqual(out, "of the job\n")
        self.assertEqual(self.names(self.read()), ["fails"])

    def test_decorator_without_a_name(self):
        out, err = self.run_script(START + """
@smprof.annotate
def forward(x):
    return x + 1

print(forward(1))
smprof.annotation_end()
""" + STOP)
        self.assertEqual(out, "2\n")
        self.assertEqual(self.names(self.read()), ["forward"])
        self.assertIn("annotation_end() expects the result of annotation_begin()", err)

    def test_names(self):
        self.run_script(START + r"""
for name in ('"quoted"\n', "größe", 7, "\ud800"):
    with smprof.annotate(name):
        pass
""" + STOP)
        self.assertEqual(self.names(self.read()), ['"quoted"\n', "größe", "7", "\ud800"])

    def test_several_recordings(self):
        self.run_script(START + "with smprof.annotate('a'): pass\n" + STOP + "with smprof.annotate('between'): pass\n"
                        "p.start_profiling()\nwith smprof.annotate('b'): pass\n" + STOP)
        self.assertEqual(len(self.files()), 2)
        info = self.warpscope("info", self.traces)
        self.assertEqual(info["annotations"], {"a": 1, "b": 1})
        self.assertEqual(self.ranks(info), [0, 0])
        self.assertEqual(self.codes(info), ["several-recordings"])

    def test_several_runs_without_a_rank(self):
        for _ in range(2):
            self.run_script(START + "with smprof.annotate('a'): pass\n" + STOP)
        info = self.warpscope("info", self.traces)
        self.assertEqual(self.ranks(info), [0, 1])
        self.assertEqual([(each["code"], each["severity"]) for each in info["diagnostics"]],
                         [("ranks-assumed", "warning")])

    def test_unbalanced(self):
        _, err = self.run_script(START + """
early = smprof.annotation_begin("left open")
handle = smprof.annotation_begin("ended twice")
smprof.annotation_end(handle)
smprof.annotation_end(handle)
smprof.annotation_end(None)
smprof.annotation_end("a name")
""" + STOP + "smprof.annotation_end(early)\n" + STOP)
        self.assertEqual(sorted(self.names(self.read())), ["ended twice", "left open"])
        self.assertIn("annotation_end() expects the result of annotation_begin()", err)
        self.assertIn("1 annotation was open at the end of the recording: left open\n", err)
        arguments = {event["name"]: event.get("args") for event in self.read()["traceEvents"] if event["ph"] == "X"}
        self.assertEqual(arguments, {"left open": {"unclosed": True}, "ended twice": None})
        self.assertIn("stop_profiling() was called, but no recording is running", err)

    def test_stop_without_start(self):
        _, err = self.run_script("import smprof\np = smprof.SMProfiler.instance()\nwith smprof.annotate('a'): pass\n" +
                                 STOP)
        self.assertIn("no recording is running", err)
        self.assertFalse(os.path.exists(self.traces))

    def test_start_twice(self):
        _, err = self.run_script(START + "p.start_profiling()\n" + ANNOTATE + STOP)
        self.assertIn("start_profiling() was called twice", err)
        self.assertEqual(len(self.files()), 1)

    def test_recording_without_annotations(self):
        _, err = self.run_script(START + ANNOTATE + STOP + "p.start_profiling()\np.start_profiling()\n" + STOP + STOP)
        self.assertIn("smprof: nothing was annotated, so no file is written\n", err)
        self.assertEqual(self.names(self.read()), ["a"])
        self.assertEqual(self.codes(self.warpscope("info", self.traces)), [])

    def test_exit_without_stop(self):
        self.run_script(START + "smprof.annotation_begin('open')")
        self.assertEqual(self.names(self.read()), ["open"])

    def test_threads(self):
        self.run_script(START + """
import threading

def annotate():
    for i in range(5000):
        with smprof.annotate("x"):
            pass

threads = [threading.Thread(target=annotate) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
""" + STOP)
        self.assertEqual(len(self.names(self.read())), 40000)
        info = self.warpscope("info", self.traces)
        self.assertEqual((info["annotations"], info["diagnostics"]), ({"x": 40000}, []))


class FailureTest(ScriptTest):
    def test_no_permission(self):
        with open(os.path.join(self.folder, "file"), "w"):
            pass
        out, err = self.run_script(START + "with smprof.annotate('a'): print('trained')\n" + STOP,
                                   WARPSCOPE_OUT=os.path.join(self.folder, "file"))
        self.assertEqual(out, "trained\n")
        self.assertIn("smprof: cannot write to %s: " % os.path.join(self.folder, "file"), err)
        self.assertEqual(err.count("\n"), 1)

    def test_full_disk(self):
        out, err = self.run_script("import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                                   "resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))\n" + START + """
for i in range(5000):
    with smprof.annotate("step_" + str(i)):
        pass
print("trained")
""" + STOP)
        self.assertEqual(out, "trained\n")
        self.assertIn("the recording ends here", err)
        info = self.warpscope("info", self.traces)  # the annotations before are there
        self.assertGreater(info["annotations"]["step"], 500)

    def test_full_disk_at_the_first_write(self):
        _, err = self.run_script("import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                                 "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n" + START + """
for i in range(50):
    smprof.annotation_end(smprof.annotation_begin("step_" + str(i)))
""" + STOP)
        self.assertEqual(err.count("the recording ends here"), 1)
        self.assertGreater(self.warpscope("info", self.traces)["annotations"]["step"], 2)
        os.remove(self.files()[0])
        _, err = self.run_script("import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                                 "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n" + START)
        self.assertIn("nothing is recorded", err)
        self.assertEqual(self.files(), [])

    def test_closed_descriptors(self):
        self.run_script(START + """
import os, time
for name in "abc":
    with smprof.annotate(name):
        time.sleep(0.02)
    os.closerange(3, 100)
    for i in range(20):
        os.open("own", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
""" + STOP + """
assert os.path.getsize("own") == 0
os.fstat(10)
""")
        self.assertEqual(self.names(self.read()), ["a", "b", "c"])

    def test_deleted_folder(self):
        out, err = self.run_script(START + """
import os, shutil, time
for i in range(3):
    shutil.rmtree(os.environ["WARPSCOPE_OUT"], ignore_errors=True)
    with smprof.annotate("a"):
        time.sleep(0.02)
print("trained")
""" + STOP)
        self.assertEqual(out, "trained\n")
        self.assertIn(": No such file or directory; the recording ends here\n", err)
        self.assertEqual(err.count("\n"), 1)

    def test_moved_folder(self):
        _, err = self.run_script(START + """
import os, time
with smprof.annotate("a"):
    time.sleep(0.02)
os.rename(os.environ["WARPSCOPE_OUT"], "elsewhere")
with smprof.annotate("b"):
    time.sleep(0.02)
""" + STOP)
        self.assertIn(": No such file or directory; the recording ends here\n", err)
        self.assertEqual(err.count("\n"), 1)

    def test_link_in_place_of_the_file(self):
        for framework in ("none", "pytorch"):
            self.run_script("import torch\n" + START.replace("p.start", "p.configure(smprof.Config({'Framework': '%s'}))\np.start" % framework) + """
import glob, os
file, = glob.glob(os.environ["WARPSCOPE_OUT"] + "/*.json")
os.remove(file)
os.symlink(os.path.abspath("own"), file)
open("own", "w").close()
os.closerange(3, 100)
""" + ANNOTATE + STOP, modules=[STAND_IN])
            self.assertEqual(os.path.getsize(os.path.join(self.folder, "own")), 0)
            os.remove(self.files()[0])

    def test_killed(self):
        process = self.start(START + """
import os, time
for i in range(3):
    with smprof.annotate("step_" + str(i)):
        time.sleep(0.02)
os.kill(os.getpid(), 9)
""")
        process.communicate()
        self.assertEqual(process.returncode, -9)
        self.assertEqual(self.warpscope("info", self.traces)["annotations"]["step"], 3)

    def test_killed_while_idle(self):
        process = self.start(START + """
import os, time
for i in range(20000):
    with smprof.annotate("step_" + str(i)):
        pass
time.sleep(0.5)
os.kill(os.getpid(), 9)
""")
        process.communicate()
        self.assertEqual(self.warpscope("info", self.traces)["annotations"]["step"], 20000)

    def test_terminated(self):
        terminate = "import os, signal\nhandle = smprof.annotation_begin('open')\n" \
                    "with smprof.annotate('closed'): pass\nos.kill(os.getpid(), signal.SIGTERM)\nprint('survived')\n"
        process = self.start(START + terminate)
        out, _ = process.communicate()
        self.assertEqual((out, process.returncode), ("", -15))
        self.assertEqual(self.names(self.read()), ["closed", "open"])

        os.remove(self.files()[0])
        own = "import signal\nsignal.signal(signal.SIGTERM, lambda *ignored: print('handled'))\n"
        out, _ = self.run_script(own + START + terminate)
        self.assertEqual(out, "handled\nsurvived\n")
        self.assertEqual(self.names(self.read()), ["closed", "open"])

    def test_terminated_without_a_recording(self):
        out, _ = self.run_script(START + STOP + "import signal\n"
                                 "print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)\n")
        self.assertEqual(out, "True\n")

    def test_closed_stderr(self):
        out, _ = self.run_script("import os\nos.close(2)\nimport smprof\nsmprof.SMProfiler.instance().stop_profiling()\n"
                                 "print('trained')")
        self.assertEqual(out, "trained\n")

    def test_fork(self):
        script = """
import os, smprof
p = smprof.SMProfiler.instance()
p.configure({"EnableForkFollow": "%s"})
p.start_profiling()
with smprof.annotate("parent"):
    child = os.fork()
    if child == 0:
        with smprof.annotate("child"):
            pass
        raise SystemExit
    os.waitpid(child, 0)
p.stop_profiling()
"""
        self.run_script(script % 0)
        self.assertEqual(self.names(self.read()), ["parent"])
        self.run_script(script % 1)
        self.assertEqual(len(self.files()), 3)
        info = self.warpscope("info", self.traces)
        self.assertEqual(info["annotations"], {"parent": 2, "child": 1})

    def test_fork_of_a_rank(self):
        for variables in ({"RANK": "3", "WORLD_SIZE": "4"}, {}):
            self.run_script("""
import os, smprof
p = smprof.SMProfiler.instance()
p.configure({"EnableForkFollow": "1"})
p.start_profiling()
with smprof.annotate("parent"):
    for _ in range(2):
        child = os.fork()
        if child == 0:
            with smprof.annotate("child"):
                pass
            raise SystemExit
        os.waitpid(child, 0)
p.stop_profiling()
""", **variables)
            info = self.warpscope("info", self.traces)
            self.assertEqual(self.ranks(info), [int(variables.get("RANK", 0))] * 3)
            self.assertEqual([code for code in self.codes(info) if code != "ranks-missing"], [])
            for file in self.files():
                os.remove(file)

    def test_worker_processes(self):
        self.run_script("""
import multiprocessing, smprof

def load(i):
    with smprof.annotate("load"):
        return i

p = smprof.SMProfiler.instance()
p.configure({"EnableForkFollow": "1"})
p.start_profiling()
with smprof.annotate("step_0"), multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(load, range(10)) == list(range(10))
    pool.close()
    pool.join()
p.stop_profiling()
""")
        self.assertEqual(self.warpscope("info", self.traces)["annotations"], {"load": 10, "step": 1})

    def test_worker_process_without_stop(self):
        self.run_script("""
import multiprocessing

def train():
    import smprof
    smprof.SMProfiler.instance().start_profiling()
    smprof.annotation_begin("open")

process = multiprocessing.get_context("fork").Process(target=train)
process.start()
process.join()
""")
        self.assertEqual(self.names(self.read()), ["open"])


if __name__ == "__main__":
    unittest.main()
