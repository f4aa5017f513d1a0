"""Runs scripts with smprof and reads what they leave."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
SCRIPTS = os.path.join(HERE, "scripts")
MODULES = os.path.join(SOURCE, "assets", "python")
STAND_IN = os.path.join(HERE, "stand_in")
WARPSCOPE = os.environ.get("WARPSCOPE", os.path.join(SOURCE, "build", "warpscope"))

_LAUNCHERS = ("RANK", "WORLD_SIZE", "OMPI_", "PMI_", "SLURM_", "MV2_", "HOROVOD_", "SM_", "GROUP_RANK", "WARPSCOPE_")


class ScriptTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="warpscope-test-")
        self.traces = os.path.join(self.folder, "traces")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def start(self, script, python=sys.executable, modules=(), **variables):
        """Starts a script: a file of scripts/, or its text."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(_LAUNCHERS)}
        environment["PYTHONPATH"] = os.pathsep.join([MODULES, SCRIPTS, *modules])
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        environment["WARPSCOPE_OUT"] = self.traces
        environment.update(variables)
        what = [os.path.join(SCRIPTS, script)] if script.endswith(".py") else ["-c", script]
        # Without site-packages: a framework that is installed there would take seconds to import.
        alone = [] if "IMPORT_TORCH" in variables else ["-S"]
        return subprocess.Popen([python, *alone, *what], env=environment, cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, universal_newlines=True)

    def finish(self, process):
        """Returns (stdout, stderr) of a script that must not fail."""
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertNotIn("Traceback", err)
        return out, err

    def run_script(self, script, **arguments):
        return self.finish(self.start(script, **arguments))

    def files(self, folder=None):
        return sorted(glob.glob(os.path.join(folder or self.traces, "**", "*.json"), recursive=True))

    def read(self):
        """Returns the only file."""
        files = self.files()
        self.assertEqual(len(files), 1, files)
        with open(files[0]) as file:
            return json.load(file)

    def names(self, document):
        return [event["name"] for event in document["traceEvents"] if event["ph"] == "X"]

    def ranks(self, info):
        return sorted(each["rank"] for each in info["rank_files"])

    def codes(self, info):
        return [each["code"] for each in info["diagnostics"]]

    def warpscope(self, *arguments):
        """Returns the JSON that warpscope prints."""
        return json.loads(subprocess.run([WARPSCOPE, *arguments, "--json", "--no-store"], check=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
