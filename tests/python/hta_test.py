"""`warpscope.hta`: HTA's interface, on a small job, with the results of HTA 0.6.1 for it, and on the shared traces."""

import gzip
import inspect
import json
import os
import unittest
import unittest.mock
import warnings

import package_support
from package_support import HAS_PANDAS, SOURCE, PackageTest

if HAS_PANDAS:
    import pandas as pd

SHARED = os.environ.get("WARPSCOPE_SHARED", os.path.join(os.path.dirname(SOURCE), "shared"))
GEMM = "void gemm<float, (kind)2>(float*)"
NCCL = "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)"


def job(rank, steps=3, shift=0):
    """Each step launches a gemm, a collective that overlaps it, and a memcpy. Rank 1 is late for the collective."""
    events = []

    def add(category, name, tid, ts, dur, pid=1, **args):
        events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": ts + shift, "dur": dur,
                       "args": args})

    def run(category, name, stream, launch, ts, dur, **args):
        correlation = len(events) + 1
        call = "cudaMemcpyAsync" if category == "gpu_memcpy" else "cudaLaunchKernel"
        add("cuda_runtime", call, 1, launch, 4, correlation=correlation)
        add(category, name, stream, ts, dur, 0, device=0, stream=stream, correlation=correlation, **args)

    for step in range(steps):
        at = 1000 * step
        add("user_annotation", f"ProfilerStep#{step + 5}", 1, at, 990)
        add("user_annotation", "forward", 1, at + 10, 200)
        add("gpu_user_annotation", "forward", 7, at + 100, 300, 0)
        add("cpu_op", "aten::mm", 1, at + 20, 60)
        run("kernel", GEMM, 7, at + 30, at + 100, 300)
        run("kernel", "relu", 7, at + 36, at + 402, 8)
        run("kernel", "relu", 7, at + 44, at + 410, 8)
        add("cpu_op", "nccl:all_reduce", 1, at + 90, 30)
        run("kernel", NCCL, 20, at + 100, at + 300 + 50 * rank, 200 - 50 * rank)
        run("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, at + 600, at + 620, 10, bytes=5000,
            **{"memory bandwidth (GB/s)": 0.5})
    return {"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 2}, "traceEvents": events}


def write(folder, name, trace):
    path = os.path.join(folder, name)
    with gzip.open(path, "wt") if name.endswith(".gz") else open(path, "w") as file:
        json.dump(trace, file, indent=1)
    return path


@unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
class HtaTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.job = os.path.join(cls.home, "job")
        os.mkdir(cls.job)
        for rank in range(2):
            write(cls.job, f"rank{rank}.json.gz", job(rank))
        import warpscope.hta
        cls.hta = warpscope.hta
        cls.exact = cls.hta.TraceAnalysis(trace_dir=cls.job)
        cls.as_hta = cls.hta.TraceAnalysis(trace_dir=cls.job, hta=True)

    def check(self, frame, rows, columns=None):
        """Compares a frame, or some of its columns, with rows, rounded to 3 decimals."""
        frame = frame[columns] if columns else frame
        found = [[value if isinstance(value, str) else round(value, 3) for value in row]
                 for row in frame.to_numpy().tolist()]
        self.assertEqual(len(found), len(rows), found)
        for row, wanted in zip(found, rows):
            self.assertEqual(row, wanted)

    def types(self, frame):
        return {str(name): str(kind) for name, kind in frame.dtypes.items()}

    def test_temporal_breakdown(self):
        frame = self.as_hta.get_temporal_breakdown(visualize=False)
        self.check(frame, [[rank, 710, 632, 188, 1530, 46.41, 41.31, 12.29] for rank in range(2)])
        self.assertEqual(list(frame.columns), [
            "rank", "idle_time(us)", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)", "idle_time_pctg",
            "compute_time_pctg", "non_compute_time_pctg"])
        self.assertEqual(set(self.types(frame).values()), {"int64", "float64"})
        # All three steps are complete.
        self.check(self.exact.get_temporal_breakdown(visualize=False), [[0, 948, 282, 2990], [1, 948, 282, 2990]],
                   ["rank", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)"])

    def test_overlap(self):
        for analysis in (self.as_hta, self.exact):
            self.check(analysis.get_comm_comp_overlap(visualize=False), [[0, 58.0], [1, 44.0]])

    def test_kernel_breakdown(self):
        types, kernels = self.as_hta.get_gpu_kernel_breakdown(visualize=False, num_kernels=1)
        self.check(types, [["COMPUTATION", 900, 54.9], ["COMPUTATION overlapping COMMUNICATION", 364, 22.2],
                           ["COMMUNICATION", 336, 20.5], ["MEMORY", 40, 2.4]])
        self.check(kernels, [[NCCL, 400, 200, 200, 0, 200, "COMMUNICATION", 0]]
                   + [[NCCL, 300, 150, 150, 0, 150, "COMMUNICATION", 1]]
                   + [["others", 32, 32, 32, 0, 32, "COMPUTATION", rank] for rank in range(2)]
                   + [[GEMM, 600, 600, 600, 0, 600, "COMPUTATION", rank] for rank in range(2)]
                   + [["Memcpy HtoD (Pinned -> Device)", 20, 10, 10, 0, 10, "MEMORY", rank] for rank in range(2)])
        self.assertEqual(self.types(kernels)["mean (us)"], "float64")
        _, kernels = self.exact.get_gpu_kernel_breakdown(visualize=False, num_kernels=1, include_memory_kernels=False)
        self.check(kernels[kernels["kernel_type"] == "COMPUTATION"], [
            ["others", 48, 8, 8, 0, 8, "COMPUTATION", 0], ["others", 48, 8, 8, 0, 8, "COMPUTATION", 1],
            [GEMM, 900, 300, 300, 0, 300, "COMPUTATION", 0], [GEMM, 900, 300, 300, 0, 300, "COMPUTATION", 1]])

    def test_idle_time(self):
        times, intervals = self.as_hta.get_idle_time_breakdown([0, 1], visualize=False, show_idle_interval_stats=True)
        self.check(times, [row for rank in range(2) for row in (
            [rank, 7, "host_wait", 874, 1], [rank, 7, "kernel_wait", 4, 0], [rank, 7, "other", 0, 0],
            [rank, 20, "host_wait", 800 + 50 * rank, 1], [rank, 20, "other", 0, 0])])
        self.assertEqual(list(times.index), [0, 1, 2, 3, 4] * 2)
        self.check(intervals.loc[["kernel_wait"]], [[rank, 7, 4, 1, 1.15, 0, 0, 1, 2, 2] for rank in range(2)])
        times, none = self.exact.get_idle_time_breakdown(streams=[7], visualize=False)
        self.assertIsNone(none)
        self.check(times, [[0, 7, "host_wait", 1546, 0.94], [0, 7, "kernel_wait", 106, 0.06]])

    def test_annotations(self):
        frame = self.as_hta.get_gpu_user_annotation_breakdown(visualize=False)
        self.check(frame, [["forward", 600, 300, 300, 0, 300, rank] for rank in range(2)])
        frame = self.as_hta.get_gpu_user_annotation_breakdown(False, False, num_kernels=1,
                                                              allowlist_patterns=["Step#5"])
        self.check(frame, [row for rank in range(2) for row in (
            ["ProfilerStep#5", 990, 990, 990, 0, 990, rank], ["others", 1390, 990, 400, 417.193, 695, rank])])
        frame = self.as_hta.get_gpu_kernels_with_user_annotations(rank=0)
        columns = ["ts", "dur", "end", "tid", "correlation", "s_name", "s_user_annotation"]
        self.check(frame[frame["ts"] < 500], [
            [100, 300, 400, 7, 5, "gemm", "forward"], [402, 8, 410, 7, 7, "relu", ""], [410, 8, 418, 7, 9, "relu", ""],
            [300, 200, 500, 20, 12, NCCL.split("(")[0], ""]], columns)
        self.assertEqual(len(frame), 10)
        symbols = self.as_hta.t.symbol_table
        self.assertEqual(symbols.sym_table[frame["name"][0]], GEMM)
        self.assertEqual(symbols.sym_table[frame["user_annotation"][0]], "forward")
        plain = self.as_hta.get_gpu_kernels_with_user_annotations(rank=0, expand_names=False)
        self.assertNotIn("s_name", plain.columns)
        long = self.exact.get_gpu_kernels_with_user_annotations(rank=0, shorten_names=False)
        self.assertIn(GEMM, set(long["s_name"]))

    def test_launches(self):
        frames = self.as_hta.get_cuda_kernel_launch_stats(visualize=False)
        self.assertEqual(list(frames), [0])
        self.check(frames[0][:5], [[5, 4, 300, 66], [7, 4, 8, 362], [9, 4, 8, 362], [12, 4, 200, 196], [14, 4, 10, 16]])
        self.assertEqual([str(kind) for kind in frames[0].dtypes], ["int64"] + ["float64"] * 3)
        self.assertEqual(len(self.exact.get_cuda_kernel_launch_stats([1], include_memory_events=False,
                                                                     visualize=False)[1]), 12)

    def test_queues(self):
        series = self.as_hta.get_queue_length_time_series([0, 1])
        first = [[30, 1], [36, 2], [44, 3], [100, 2], [402, 1], [410, 0], [600, 1], [620, 0]]
        on_7 = series[0][series[0]["stream"] == 7]
        self.check(on_7, first + [[ts + 1000, n] for ts, n in first], ["ts", "queue_length"])
        self.assertEqual(series[0].index.name, "index")
        summary = self.as_hta.get_queue_length_summary()
        self.assertEqual(list(summary.index), [(0, 7), (0, 20)])
        self.assertEqual([round(x, 3) for x in summary.loc[0, 7]["queue_length"]], [16, 1.25, 1, 0, 0.75, 1, 2, 3])
        for analysis in (self.as_hta, self.exact):
            only = {0: series[0][series[0]["stream"] == 20]}
            pd.testing.assert_frame_equal(analysis.get_queue_length_summary_from_time_series(only),
                                          analysis.get_queue_length_summary().iloc[1:])
            self.assertIsNone(analysis.get_queue_length_summary_from_time_series({}))
        blocked = self.as_hta.get_time_spent_blocked_on_full_queue(series, 2)
        self.check(blocked, [[rank, 7, 732, 0.452] for rank in range(2)])
        self.assertEqual(len(self.as_hta.get_time_spent_blocked_on_full_queue(series)), 0)
        self.check(self.exact.get_time_spent_blocked_on_full_queue(series, 1), [
            [rank, stream, time] for rank in range(2) for stream, time in ((7, 1200), (20, 600 + 150 * rank))],
            ["rank", "stream", "duration_at_max_queue_length"])

    def test_memory_bandwidth(self):
        series = self.as_hta.get_memory_bw_time_series()
        self.check(series[0], [[at + ts, 0, "Memcpy HtoD", rate] for at in (0, 1000)
                               for ts, rate in ((620, 0.5), (630, 0))])
        summary = self.as_hta.get_memory_bw_summary()
        self.assertEqual(list(summary.loc[(0, "Memcpy HtoD")]["memory_bw_gbps"]), [2, 0.5, 0, 0.5, 0.5, 0.5, 0.5, 0.5])

    def test_steps_and_stragglers(self):
        for analysis in (self.as_hta, self.exact):
            self.assertEqual(analysis.get_profiler_steps(), [5, 6])
            self.assertEqual(analysis.get_potential_stragglers(num_candidates=1), [1])
            self.assertEqual(analysis.get_potential_stragglers(profiler_steps=[6], num_candidates=-1), [1])
            with self.assertRaisesRegex(ValueError, "profiler_steps"):
                analysis.get_potential_stragglers(profiler_steps=[7])
            with self.assertRaisesRegex(NotImplementedError, "straggler_identification_impl"):
                analysis.get_potential_stragglers(straggler_identification_impl=print)
        whole = self.hta.TraceAnalysis(trace_dir=self.job, include_last_profiler_step=True)
        self.assertEqual(whole.get_profiler_steps(), [5, 6, 7])
        self.assertEqual(len(whole.get_cuda_kernel_launch_stats(visualize=False)[0]), 15)
        whole = self.hta.TraceAnalysis(trace_dir=self.job, include_last_profiler_step=True, hta=True)
        with self.assertRaisesRegex(NotImplementedError, "include_last_profiler_step"):
            whole.get_temporal_breakdown(visualize=False)

    def test_sequences(self):
        sequence = f"{GEMM} -> relu -> relu"
        self.check(self.as_hta.get_aten_op_kernels_and_delay()[0], [["aten::mm", sequence, 2, 10, 70]])
        with self.assertWarnsRegex(UserWarning, "overlaid trace"):
            frame = self.exact.get_frequent_cuda_kernel_sequences("aten::mm", self.home)
        self.check(frame, [[f"aten::mm|{GEMM}|relu|relu", 3, 948, 180]])
        self.assertTrue(self.exact.get_frequent_cuda_kernel_sequences("nothing", self.home).empty)
        self.assertEqual(self.exact.get_cupti_counter_data_with_operators(), [])

    def test_trace_with_counters(self):
        folder = os.path.join(self.home, "counters")
        os.mkdir(folder)
        file = write(folder, "rank0.json", job(0, shift=10**9 + 0.5))
        analysis = self.hta.TraceAnalysis(trace_files={0: file}, hta=True)
        analysis.generate_trace_with_counters()
        with open(os.path.join(folder, "rank0_with_counters.json")) as written:
            counters = [event for event in json.load(written)["traceEvents"] if event["ph"] == "C"]
        self.assertEqual({event["name"] for event in counters}, {"Queue Length", "Memcpy HtoD"})
        self.assertEqual(counters[0], {"pid": 0, "ts": 10**9 + 31, "ph": "C", "name": "Queue Length", "id": 7,
                                       "args": {"Queue Length": 1}})
        with unittest.mock.patch.object(type(analysis.t), "write_raw_trace") as write_raw_trace:
            analysis.generate_trace_with_counters(self.hta.TimeSeriesTypes.MEMCPY_BANDWIDTH, output_suffix="_bw")
        path, trace = write_raw_trace.call_args.args
        self.assertEqual(os.path.basename(path), "rank0_bw.json")
        self.assertEqual([event["args"] for event in trace["traceEvents"] if event["ph"] == "C"],
                         [{"Memcpy BW": rate} for rate in (0.5, 0) * 2])

    def test_ranks_and_files(self):
        files = {4: "rank1.json.gz", 9: os.path.join(self.job, "rank0.json.gz")}
        analysis = self.hta.TraceAnalysis(trace_files=files, trace_dir=self.job, hta=True)
        self.check(analysis.get_comm_comp_overlap(visualize=False), [[4, 44.0], [9, 58.0]])
        self.assertEqual(analysis.t.trace_files[4], os.path.join(self.job, "rank1.json.gz"))
        self.assertEqual(len(analysis.get_cuda_kernel_launch_stats([9], visualize=False)[9]), 10)
        twice = os.path.join(self.home, "twice")
        os.mkdir(twice)
        for name, shift in (("a.json", 0), ("b.json", 7)):
            write(twice, name, job(0, shift=shift))
        for wrong in (lambda: analysis.get_queue_length_summary(),
                      lambda: self.hta.TraceAnalysis(trace_dir=twice),
                      lambda: self.hta.TraceAnalysis(trace_files={0: "nothing.json"}, trace_dir=self.job)):
            with warnings.catch_warnings(), self.assertRaises(ValueError):
                warnings.simplefilter("ignore")
                wrong()

    def test_frames_of_events(self):
        t = self.as_hta.t
        frame = t.get_trace(0)
        self.assertEqual(len(frame), 2 * 15)
        gpu = frame[frame["stream"] >= 0]
        self.assertEqual(len(gpu), 10)
        launch = frame.loc[gpu["index_correlation"].iloc[0]]
        self.assertEqual(launch["index_correlation"], gpu["index"].iloc[0])
        self.assertEqual(t.symbol_table.sym_table[int(launch["name"])], "cudaLaunchKernel")
        self.assertEqual(sorted(frame["iteration"].unique()), [5, 6])
        t.decode_symbol_ids()
        self.assertIn("gemm", set(frame["s_name"]))
        self.assertEqual(len(self.exact.t.get_trace(1)), 3 * 15)

    def test_signatures_and_what_is_lacking(self):
        parameters = inspect.signature(self.hta.TraceAnalysis.get_idle_time_breakdown).parameters
        self.assertEqual(list(parameters)[1:], ["ranks", "streams", "visualize", "visualize_pctg",
                                                "show_idle_interval_stats", "consecutive_kernel_delay"])
        with self.assertRaisesRegex(NotImplementedError, "CPGraph"):
            self.exact.critical_path_analysis(0, "ProfilerStep", 0)
        with self.assertRaisesRegex(NotImplementedError, "Timeline"):
            self.exact.overlay_critical_path_analysis(0, None, self.home)

    def test_charts(self):
        from warpscope.hta import _charts
        shown = unittest.mock.MagicMock()
        with unittest.mock.patch.object(_charts, "_express", return_value=shown):
            frame = self.exact.get_temporal_breakdown()
            self.exact.get_gpu_kernel_breakdown(image_renderer="notebook")
        pd.testing.assert_frame_equal(shown.bar.call_args_list[0].args[0], frame)
        shown.pie.return_value.show.assert_called_once_with(renderer="notebook")
        _charts._express.cache_clear()
        with unittest.mock.patch.dict("sys.modules", {"plotly": None, "plotly.express": None}):
            with self.assertWarnsRegex(UserWarning, "plotly is not installed"):
                self.exact.get_comm_comp_overlap()
        _charts._express.cache_clear()


@unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
@unittest.skipUnless(os.path.isdir(SHARED), "the traces and HTA's results for them are not here")
class SharedTest(PackageTest):
    """Whole frames against HTA's, as its CSV files have them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        import warpscope.hta
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cls.analysis = warpscope.hta.TraceAnalysis(trace_dir=os.path.join(SHARED, "traces", "dlrm8"), hta=True)

    def check(self, frame, answer, **options):
        theirs = pd.read_csv(os.path.join(SHARED, "oracle", "dlrm8", answer), **options)
        pd.testing.assert_frame_equal(frame.reset_index(drop=True), theirs[list(frame.columns)], check_dtype=False)

    def test_dlrm8(self):
        analysis, ranks = self.analysis, list(range(8))
        self.check(analysis.get_temporal_breakdown(visualize=False), "temporal_breakdown.csv")
        self.check(analysis.get_comm_comp_overlap(visualize=False), "comm_comp_overlap.csv")
        types, kernels = analysis.get_gpu_kernel_breakdown(visualize=False)
        self.check(types, "gpu_kernel_breakdown.0.csv")
        self.check(kernels, "gpu_kernel_breakdown.1.csv")
        annotations = analysis.get_gpu_user_annotation_breakdown(use_gpu_annotation=False, visualize=False)
        self.check(annotations, "cpu_user_annotation_breakdown.csv")
        launches = analysis.get_cuda_kernel_launch_stats(ranks, visualize=False)
        launches = pd.concat(launches, names=["rank"]).reset_index()
        self.check(launches[["rank", "correlation", "cpu_duration", "gpu_duration", "launch_delay"]],
                   "cuda_kernel_launch_stats.csv")
        series = analysis.get_queue_length_time_series(ranks)
        self.check(analysis.get_time_spent_blocked_on_full_queue(series, 4), "time_blocked_on_full_queue_max4.csv")
        self.check(analysis.get_aten_op_kernels_and_delay()[0], "aten_op_kernels_and_delay.csv")
        with open(os.path.join(SHARED, "oracle", "dlrm8", "potential_stragglers_2.json")) as file:
            self.assertEqual(sorted(analysis.get_potential_stragglers()), sorted(json.load(file)))


if __name__ == "__main__":
    package_support.use_python_with_pandas()
    unittest.main()
