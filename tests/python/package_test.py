"""The Python package `warpscope`: queries, analyses, pictures and errors, with pandas and without."""

import io
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock
import warnings

import package_support
from package_support import HAS_PANDAS, KERNELS, LONG_NAME, SOURCE, WARPSCOPE, PackageTest, trace

ACTIVITY = "SELECT * FROM gpu_activity ORDER BY id"


class WithoutPandas(PackageTest):
    pandas = False

    def test_tables_are_lists_of_dicts(self):
        rows = self.profile.sql("SELECT rank, count(*) AS n, NULL AS none, 0.5 AS half FROM gpu_activity GROUP BY rank")
        self.assertEqual(rows, [{"rank": r, "n": 9, "none": None, "half": 0.5} for r in range(2)])
        kernels = self.profile.analyze("kernels", rank=1)
        self.assertEqual({row["kernel"] for row in kernels} & set(KERNELS), set(KERNELS))
        self.assertIn("kernels", self.profile.analyze_all("kernels"))
        self.assertIsInstance(self.profile.findings, list)
        self.assertIn("verdict", self.profile.rules()[0])

    def test_info_and_repr(self):
        self.assertEqual(self.profile.info["ranks"], 2)
        self.assertEqual(repr(self.profile), f"<warpscope.Profile {self.traces!r}: 2 ranks, 2 GPUs, 42 slices>")
        self.profile.info["ranks"] = 5
        self.assertEqual(self.profile.info["ranks"], 2)

    def test_values_in_queries(self):
        sql = self.profile.sql
        self.assertEqual(sql("SELECT :a AS a, ':b' AS b, \":a\" AS c, :d AS d -- :e\n", a="it's", d=None),
                         [{"a": "it's", "b": ":b", "c": ":a", "d": None}])
        self.assertEqual(sql("SELECT count(*) AS n FROM rank WHERE rank IN :ranks AND :yes", ranks=[1, 3], yes=True),
                         [{"n": 1}])
        self.assertEqual(sql("SELECT :x AS x, :y AS y, typeof(:z) AS z", x=-1.5, y=2**62, z=float("nan")),
                         [{"x": -1.5, "y": 2**62, "z": "null"}])
        with self.assertRaisesRegex(TypeError, ":a"):
            sql("SELECT :a", b=1)
        with self.assertRaisesRegex(TypeError, "no parameter :b"):
            sql("SELECT 1", b=1)
        with self.assertRaises(TypeError):
            sql("SELECT :a", a=object())

    def test_queries_that_begin_like_options(self):
        self.assertEqual(self.profile.sql("-- comment\nSELECT 1 AS one; SELECT 2 AS two;"), [{"two": 2}])

    def test_errors_have_the_text_of_the_program(self):
        Error = self.warpscope.Error
        with self.assertRaises(Error) as caught:
            self.profile.sql("SELECT * FROM nowhere")
        self.assertIn("no such table: nowhere", str(caught.exception))
        self.assertIn(".tables lists the tables", str(caught.exception))
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaisesRegex(Error, "stopped after 0.2 s"):
            self.profile.sql("WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a",
                             timeout=0.2)
        with self.assertRaisesRegex(Error, "is not an analysis"):
            self.profile.analyze("nothing")
        with self.assertRaisesRegex(Error, "rank 99: is not in this profile"):
            self.profile.analyze("kernels", rank=99)
        with self.assertRaisesRegex(Error, "does not exist"):
            self.warpscope.open(self.traces + "/nothing")
        with self.assertRaisesRegex(Error, "not a program"):
            os.environ["WARPSCOPE"] = "/nowhere/warpscope"
            try:
                self.warpscope.open(self.traces)
            finally:
                os.environ["WARPSCOPE"] = WARPSCOPE
        with self.assertRaises(Error) as caught:
            self.warpscope.open(self.traces, program="/dev/null")
        self.assertIsNone(caught.exception.status)

    def test_changed_traces_are_read_again(self):
        folder = os.path.join(self.home, "changing")
        os.mkdir(folder)
        self.write(folder, 0)
        before = self.stores()
        profile = self.open_incomplete(folder)
        self.assertEqual(len(set(self.stores()) - set(before)), 1)
        count = "SELECT count(*) AS n FROM gpu_activity"
        self.assertEqual(profile.sql(count), [{"n": 9}])
        self.assertEqual(profile.info["ranks"], 1)
        self.write(folder, 1, steps=5)
        self.assertEqual(profile.sql(count), [{"n": 24}])
        self.assertEqual(profile.info["ranks"], 2)

    def test_without_store(self):
        folder = os.path.join(self.home, "unstored")
        os.mkdir(folder)
        self.write(folder, 0)
        before = self.stores()
        self.assertEqual(self.open_incomplete(folder, store=False).info["ranks"], 1)
        self.assertEqual(self.stores(), before)
        cache, os.environ["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"], os.path.join(folder, "rank0.json")
        try:
            with self.assertWarns(self.warpscope.StoreWarning):
                profile = self.warpscope.open(folder)
        finally:
            os.environ["XDG_CACHE_HOME"] = cache
        self.assertEqual(profile.sql("SELECT rank FROM rank"), [{"rank": 0}])

    def test_damaged_traces_warn(self):
        folder = os.path.join(self.home, "damaged")
        os.mkdir(folder)
        self.write(folder, 0)
        file = os.path.join(folder, "rank0.json")
        os.truncate(file, os.path.getsize(file) * 2 // 3)
        with self.assertWarnsRegex(self.warpscope.DiagnosticsWarning, "truncated"):
            profile = self.warpscope.open(folder)
        self.assertIn("truncated", [row["code"] for row in profile.diagnostics])

    def test_converted_profile(self):
        file = os.path.join(self.home, "job.wscope")
        subprocess.run([WARPSCOPE, "convert", self.traces, "--out", file], check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(self.warpscope.open(file).info["ranks"], 2)

    def test_interrupt_stops_the_program(self):
        endless = "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a"
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            self.profile.sql(endless, timeout=30)
        self.assertLess(time.monotonic() - began, 4)
        self.assertEqual(subprocess.run(["pgrep", "-P", str(os.getpid())], stdout=subprocess.PIPE).stdout, b"")

    def test_pictures_and_reports(self):
        fake = os.path.join(self.home, "fake")  # rendering takes a second, and has its own tests
        with open(fake, "w") as file:
            file.write(f'#!/bin/sh\nlast=; for each; do [ "$last" != --out ] && [ "$last" != --html ] || out=$each; '
                       f'last=$each; done\ncase $1 in sql) exec {WARPSCOPE} "$@";; *) echo "$@" > "$out";; esac\n')
        os.chmod(fake, stat.S_IRWXU)
        profile = self.warpscope.open(self.traces, program=fake)
        picture = profile.timeline(start=1000, end="2ms", theme="light", clocks="recorded")
        for part in (b"snapshot", b"--from 1000", b"--to 2ms", b"--theme light", b"--clocks recorded", b"--size 1600x1000"):
            self.assertIn(part, picture._repr_png_())
        picture.save(os.path.join(self.home, "a.png"))
        with open(os.path.join(self.home, "a.png"), "rb") as file:
            self.assertEqual(file.read(), picture.png)
        report = profile.report(rows=3)
        self.assertIn("--rows 3", report.html)
        self.assertIn("<iframe srcdoc=\"report ", report._repr_html_())


@unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
class WithPandas(PackageTest):
    def expected(self):
        """The same rows through JSON."""
        return import_records(self.profile, ACTIVITY)

    def test_types_and_values(self):
        import pandas
        frame = self.profile.sql(ACTIVITY)
        expected = self.expected()
        self.assertEqual(list(frame.columns), list(expected[0]))
        self.assertEqual(len(frame), 18)
        for name in frame.columns:
            values = [None if value is pandas.NA else value for value in frame[name].tolist()]
            self.assertEqual(values, [row[name] for row in expected], name)
        kinds = {name: str(kind) for name, kind in frame.dtypes.items()}
        self.assertEqual(kinds["start"], "int64")
        self.assertEqual(kinds["launch"], "Int64")  # the memset has none
        self.assertEqual(kinds["bytes"], "Int64")
        self.assertEqual(kinds["name"], "object")
        self.assertIn(LONG_NAME, set(frame.name))
        again = self.profile.sql(ACTIVITY, text="category")
        self.assertEqual(str(again.name.dtype), "category")
        self.assertTrue((again.name.astype(object) == frame.name).all())
        self.assertEqual(frame.launch.sum(), sum(row["launch"] or 0 for row in expected))

    def test_reals_and_empty_results(self):
        frame = self.profile.sql("SELECT 0.5 AS a, 2 AS b UNION ALL SELECT NULL, 2.5 UNION ALL SELECT 3, NULL")
        self.assertEqual(str(frame.a.dtype), "float64")
        self.assertEqual(frame.a.isna().tolist(), [False, True, False])
        self.assertEqual(frame.b.fillna(-1).tolist(), [2, 2.5, -1])
        empty = self.profile.sql("SELECT name, dur, 0.5 AS x FROM slice WHERE name = 'nothing'")
        self.assertEqual((len(empty), list(empty.columns)), (0, ["name", "dur", "x"]))
        self.assertEqual(str(empty.dur.dtype), "int64")
        self.assertEqual(self.profile.sql("CREATE TEMP TABLE t(a)").shape, (0, 0))

    def test_column_names_are_data(self):
        frame = self.profile.sql('SELECT \'x\' AS "a", 7 AS "a.ends", 8 AS "a.null", NULL AS "a.utf8", 1 AS "a/b", 2 AS "é\n"')
        self.assertEqual(list(frame.columns), ["a", "a.ends", "a.null", "a.utf8", "a/b", "é\n"])
        self.assertEqual(frame.iloc[0].tolist()[:3], ["x", 7, 8])

    def test_analyses_equal_their_csv(self):
        import pandas
        for name in ("late_ranks", "kernels", "where_time_goes", "step_time", "gpu_activity"):
            text = subprocess.run([WARPSCOPE, "analyze", name, self.traces, "--csv", "--rank", "1"], check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
            expected = pandas.read_csv(io.StringIO(text))
            frame = self.profile.analyze(name, rank=[1])
            self.assertEqual(list(frame.columns), list(expected.columns), name)
            self.assertEqual(len(frame), len(expected), name)
            for column in expected.columns:
                ours, theirs = frame[column], expected[column]
                if str(theirs.dtype) == "object":
                    self.assertEqual(ours.fillna("").tolist(), theirs.fillna("").tolist(), (name, column))
                elif theirs.notna().any():
                    self.assertTrue((ours.astype(float).fillna(-1) == theirs.astype(float).fillna(-1)).all(), (name, column))
        tables = self.profile.analyze_all("late_ranks", clocks="recorded", start=0, end="5ms")
        self.assertEqual(list(tables)[0], "late_ranks")
        self.assertTrue(tables["late_ranks"].attrs["note"])

    def test_findings_and_rules(self):
        findings = self.profile.findings
        self.assertIn("headline", findings.columns)
        findings["headline"] = "changed"
        self.assertFalse((self.profile.findings.headline == "changed").any())
        self.assertIn("LaunchBound", set(self.profile.rules(LaunchBound_share=0.5).rule))

    def test_numpy_reads_the_same_file(self):
        import numpy
        file = os.path.join(self.home, "result.npz")
        with open(file, "wb") as out:
            subprocess.run([WARPSCOPE, "sql", self.traces, ACTIVITY, "--npz"], check=True, stdout=out)
        arrays = numpy.load(file)
        expected = self.expected()
        self.assertEqual(arrays["dur"].tolist(), [row["dur"] for row in expected])
        self.assertEqual(arrays["launch.null"].tolist(), [row["launch"] is None for row in expected])
        text, begin, names = arrays["name.utf8"].tobytes(), 0, []
        for end in arrays["name.ends"]:
            names.append(text[begin:end].decode())
            begin = end
        self.assertEqual([names[code] for code in arrays["name"]], [row["name"] for row in expected])

    def test_output_that_ends_early(self):
        cut = os.path.join(self.home, "cut")
        with open(cut, "w") as file:
            file.write(f'#!/bin/sh\ncase "$*" in *--npz*) {WARPSCOPE} "$@" | head -c 3000;; *) exec {WARPSCOPE} "$@";; esac\n')
        os.chmod(cut, stat.S_IRWXU)
        profile = self.warpscope.open(self.traces, program=cut)
        with self.assertRaises(self.warpscope.Error):
            profile.sql(ACTIVITY)


    def test_documentation(self):
        import re
        shutil.copytree(self.traces, os.path.join(self.home, "traces_before"))
        with open(os.path.join(SOURCE, "docs", "guide", "python.md")) as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        self.assertGreater(len(blocks), 3)
        names, folder = {}, os.getcwd()
        os.chdir(self.home)
        try:
            with unittest.mock.patch.dict(sys.modules, {"warpscope": self.warpscope}), \
                    unittest.mock.patch("builtins.print") as printed:
                for block in blocks:
                    exec(compile(block, "python.md", "exec"), names)
        finally:
            os.chdir(folder)
        self.assertIn("no such table: kernel", str(printed.call_args))


def import_records(profile, query):
    import json
    out = subprocess.run([WARPSCOPE, "sql", profile.path, query, "--json"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)["rows"]


class Packaging(unittest.TestCase):
    def test_version(self):
        package = package_support.import_package()
        version = subprocess.run([WARPSCOPE, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertIn(package.__version__, version.split())

    def test_wheel(self):
        try:
            import setuptools
            if int(setuptools.__version__.split(".")[0]) < 61:
                raise ImportError
            import wheel  # noqa: F401
        except ImportError:
            self.skipTest("setuptools or wheel is not installed")
        import tempfile
        import zipfile
        with tempfile.TemporaryDirectory() as folder:
            source = shutil.copytree(package_support.PACKAGE, os.path.join(folder, "python"))
            subprocess.run([sys.executable, "-c", "from setuptools import build_meta as b; print(b.build_wheel('.'))"],
                           cwd=source, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            built = [name for name in os.listdir(source) if name.endswith(".whl")]
            self.assertEqual(len(built), 1)
            names = zipfile.ZipFile(os.path.join(source, built[0])).namelist()
        self.assertIn("warpscope/_profile.py", names)


if __name__ == "__main__":
    package_support.use_python_with_pandas()
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
