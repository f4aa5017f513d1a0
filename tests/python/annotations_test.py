"""The library for annotations, in programs that load it at run time."""

import os
import re
import shutil
import subprocess
import unittest

from smprof_support import SOURCE, ScriptTest

LOAD = """
import ctypes, os, threading
library = ctypes.CDLL(os.environ["ANNOTATIONS"])
assert library.warpscope_annotations_start(None) == 0
"""


@unittest.skipUnless("ANNOTATIONS" in os.environ, "run by ctest")
class AnnotationsTest(ScriptTest):
    def annotations(self):
        return self.warpscope("info", self.traces)["annotations"]

    def test_exit_without_stop(self):
        self.run_script(LOAD + "library.warpscope_annotation_begin(b'step_0')\n"
                               "library.warpscope_annotation_begin(b'Forward')\nlibrary.warpscope_annotation_end()\n")
        events = [event for event in self.read()["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([(event["name"], event.get("args")) for event in events],
                         [("Forward", None), ("step_0", {"unclosed": True})])

    def test_exit_of_a_forked_process(self):
        self.run_script(LOAD + """
library.warpscope_annotation_begin(b"parent")
if os.fork() == 0:
    library.warpscope_annotation_begin(b"child")
else:
    os.wait()
    library.warpscope_annotation_end()
""")
        self.assertEqual(self.annotations(), {"parent": 1})

    def test_many_short_threads(self):
        self.run_script(LOAD + """
def annotate():
    library.warpscope_annotation_begin(b"short")
    library.warpscope_annotation_end()

for _ in range(300):
    thread = threading.Thread(target=annotate)
    thread.start()
    thread.join()
""")
        self.assertEqual(self.annotations(), {"short": 300})

    def test_disk_without_space(self):
        _, err = self.run_script("import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                                 "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n" + LOAD + """
for _ in range(100):
    library.warpscope_annotation_begin(b"a")
    library.warpscope_annotation_end()
""")
        self.assertIn("File too large; the recording ends here\n", err)
        self.assertGreater(self.annotations()["a"], 2)

    def test_deleted_or_moved_folder(self):
        for gone in ("import shutil; shutil.rmtree(os.environ['WARPSCOPE_OUT'])",
                     "os.rename(os.environ['WARPSCOPE_OUT'], 'elsewhere')"):
            _, err = self.run_script(LOAD + gone + """
library.warpscope_annotation_begin(b"a")
library.warpscope_annotation_end()
library.warpscope_annotations_stop()
""")
            self.assertIn(": No such file or directory; the recording ends here\n", err)
            self.assertEqual(err.count("\n"), 1)

    def test_fork_that_records(self):
        self.run_script(LOAD + """
library.warpscope_annotation_begin(b"parent")
if os.fork() == 0:
    assert library.warpscope_annotations_start(None) == 0
    library.warpscope_annotation_begin(b"child")
    library.warpscope_annotation_end()
    library.warpscope_annotations_stop()
else:
    os.wait()
    library.warpscope_annotation_end()
""", RANK="0")
        info = self.warpscope("info", self.traces)
        self.assertEqual((self.ranks(info), self.codes(info)), ([0, 0], []))

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_example_of_the_documentation(self):
        with open(os.path.join(SOURCE, "docs", "guide", "recording.md")) as file:
            page = file.read()
        program = os.path.join(self.folder, "train.c")
        with open(program, "w") as file:
            file.write(re.search(r"```c\n(.*?)```", page, re.S).group(1))
        command = re.search(r"^    cc train\.c (.*-I.*)$", page, re.M).group(1)
        command = command.replace("$PWD/build/core", "build/core")
        command = command.replace("build/core", os.path.dirname(os.environ["ANNOTATIONS"]))
        subprocess.run("cc %s -o %s.out %s" % (program, program, command), shell=True, cwd=SOURCE, check=True)
        subprocess.run([program + ".out"], cwd=self.folder, check=True)
        self.assertEqual(self.annotations(), {"step": 10})

    def test_several_recordings(self):
        annotate = "library.warpscope_annotation_begin(b'a')\nlibrary.warpscope_annotation_end()\n"
        stop = "library.warpscope_annotations_stop()\n"
        self.run_script(LOAD + annotate + stop + "library.warpscope_annotations_start(None)\n" + annotate + stop)
        info = self.warpscope("info", self.traces)
        self.assertEqual((self.ranks(info), self.codes(info)), ([0, 0], ["several-recordings"]))

    def test_recording_without_annotations(self):
        start = "library.warpscope_annotations_start(None)\n"
        stop = "library.warpscope_annotations_stop()\n"
        _, err = self.run_script(LOAD + "library.warpscope_annotation_begin(b'a')\n"
                                 "library.warpscope_annotation_end()\n" + stop + start + start + stop + stop)
        self.assertIn("warpscope: nothing was annotated, so no file is written\n", err)
        self.assertEqual(self.names(self.read()), ["a"])

    def test_stop_after_a_failed_start(self):
        _, err = self.run_script("import ctypes, os\nlibrary = ctypes.CDLL(os.environ['ANNOTATIONS'])\n"
                                 "assert library.warpscope_annotations_start(b'/dev/null/x') != 0\n"
                                 "library.warpscope_annotations_stop()\n")
        self.assertEqual(err, "warpscope: cannot write to /dev/null/x: Not a directory; nothing is recorded\n")


if __name__ == "__main__":
    unittest.main()
