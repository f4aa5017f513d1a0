"""Two processes that annotate their steps become one profile of two ranks."""

import json
import os
import statistics
import subprocess
import sys
import unittest

from smprof_support import MODULES, SCRIPTS, STAND_IN, WARPSCOPE, ScriptTest


def python_with_torch():
    """Returns an interpreter that has PyTorch; None if there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"],
                               stderr=subprocess.DEVNULL)
        if found.returncode == 0:
            return python
    return None


class RanksTest(ScriptTest):
    def run_ranks(self, script, **arguments):
        """Runs two ranks and returns their measured durations by family."""
        processes = []
        for rank in range(2):
            variables = {"RANK": str(rank), "WORLD_SIZE": "2", "MEASURED": os.path.join(self.folder, "%d" % rank)}
            processes.append(self.start(script, **variables, **arguments))
        measured = {}
        for rank, process in enumerate(processes):
            self.finish(process)
            with open(os.path.join(self.folder, "%d" % rank)) as file:
                for family, durations in json.load(file).items():
                    measured.setdefault(family, []).extend(durations)
        return measured

    def check_profile(self, measured):
        info = self.warpscope("info", self.traces)
        self.assertEqual(sorted(rank["rank"] for rank in info["rank_files"]), [0, 1])
        self.assertEqual(info["steps"], 12)
        self.assertEqual(info["annotations"], {family: len(durations) for family, durations in measured.items()})
        codes = [each["code"] for each in info["diagnostics"] if each["severity"] != "info"]
        self.assertEqual(codes, [])
        rows = {row["family"]: row for row in self.warpscope("analyze", "annotations", self.traces)["annotations"]}
        self.assertEqual(rows.keys(), measured.keys())
        for family in ("step", "Backward"):
            self.assertAlmostEqual(rows[family]["median_ns"] / statistics.median(measured[family]), 1, delta=0.05)
        # The bins have the measured durations, give or take 5 %; one may have been interrupted in between.
        bins = self.warpscope("analyze", "annotation_histogram", self.traces, "--set", "name=Backward", "--set",
                              "bins=20")["annotation_histogram"]
        self.assertEqual(sum(row["count"] for row in bins), len(measured["Backward"]))
        for row in bins:
            near = [d for d in measured["Backward"] if row["bin_begin_ns"] * 0.95 <= d < row["bin_end_ns"] * 1.05]
            self.assertLessEqual(row["count"], len(near) + 1)

    def test_context_managers(self):
        self.check_profile(self.run_ranks("context_manager.py"))

    def test_begin_and_end(self):
        self.check_profile(self.run_ranks("begin_end.py"))

    def test_with_pytorch(self):
        python = python_with_torch()
        if python is None:
            self.skipTest("PyTorch is not installed (python3-torch)")
        for script in ("context_manager.py", "begin_end.py"):
            self.check_profile(self.run_ranks(script, python=python, IMPORT_TORCH="1"))
            self.doCleanups()
            self.setUp()

    def test_beside_record(self):
        measured = [os.path.join(self.folder, rank) for rank in "01"]
        script = os.path.join(SCRIPTS, "context_manager.py")
        ranks = ["WORLD_SIZE=2 RANK=%d MEASURED=%s %s -S %s" % (rank, measured[rank], sys.executable, script)
                 for rank in range(2)]
        environment = {**os.environ, "PYTHONPATH": MODULES, "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("WARPSCOPE_OUT", None)
        subprocess.run([WARPSCOPE, "record", "--out", self.traces, "--interval", "20ms", "--",
                        "sh", "-c", " & ".join(ranks) + "; wait"],
                       check=True, env=environment, stderr=subprocess.DEVNULL)
        info = self.warpscope("info", self.traces)
        self.assertEqual([(node["label"], node["ranks"]) for node in info["nodes"]], [("algo-1", 2)])
        self.assertFalse(info["system_metrics"][0]["joined_by_order"])
        self.assertLess(info["system_metrics"][0]["begin_ns"], info["system_metrics"][0]["end_ns"])
        self.assertEqual([each["code"] for each in info["diagnostics"]], [])

    def test_ranks_of_torch_distributed(self):
        for rank in ("0", "1"):
            self.run_script("import torch, smprof\np = smprof.SMProfiler.instance()\np.start_profiling()\n"
                            "p.stop_profiling()", modules=[STAND_IN], STAND_IN_RANK=rank)
        info = self.warpscope("info", self.traces)
        self.assertEqual(sorted(each["rank"] for each in info["rank_files"]), [0, 1])

    def test_launchers(self):
        for variables, rank, size, node in (
            ({"RANK": "3", "WORLD_SIZE": "4", "GROUP_RANK": "1"}, 3, 4, "algo-2"),
            ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, 1, 2, ""),
            ({"SLURM_PROCID": "5", "SLURM_NTASKS": "8", "SLURM_NODEID": "0"}, 5, 8, "algo-1"),
            ({"RANK": "0", "SM_CURRENT_HOST": "algo-3"}, 0, None, "algo-3"),
            ({"RANK": "x"}, None, None, ""),
        ):
            with self.subTest(variables):
                self.run_script("import smprof\nsmprof.SMProfiler.instance().start_profiling()\n"
                                "with smprof.annotate('a'): pass", **variables)
                info = self.read().get("distributedInfo", {})
                self.assertEqual((info.get("rank"), info.get("world_size")), (rank, size))
                self.assertEqual(os.path.dirname(self.files()[0]), os.path.join(self.traces, node).rstrip("/"))
                os.remove(self.files()[0])


if __name__ == "__main__":
    unittest.main()
