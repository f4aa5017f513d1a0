"""The library for annotations, in programs that load it at run time."""

import os
import unittest

from smprof_support import ScriptTest

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
        self.assertEqual(self.names(self.read()), ["Forward", "step_0"])

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
        self.assertIn("File too large", err)


if __name__ == "__main__":
    unittest.main()
