"""TraceAnalysis: HTA's methods, with its arguments, defaults and results."""

import enum
import logging
import os
import warnings

import pandas as pd

from . import _charts, _frames
from .common.trace import DEFAULT_TRACE_DIR, PHASE_COUNTER, Trace
from .common.trace_symbol_table import TraceSymbolTable, shorten_name

logger = logging.getLogger(__name__)


class TimeSeriesTypes(enum.Flag):
    QUEUE_LENGTH = enum.auto()
    MEMCPY_BANDWIDTH = enum.auto()


class TraceAnalysis:
    """Analyzes the traces of a job, like hta.trace_analysis.TraceAnalysis.

    `trace_files`: paths by rank, or None for all traces in `trace_dir`. Ranks are those in the files.
    `include_last_profiler_step`: if False and there are several ProfilerSteps, results cover Warpscope's evaluated
    steps: complete steps, without the first and last of four or more.
    `hta`: reproduce HTA's results, including its bugs, its rounding to whole µs (unless HTA_DISABLE_NS_ROUNDING=1) and
    its choice of events: all but those of the last step.

    `t` has files, ranks and frames of events, and `t.profile` is the warpscope.Profile, for what HTA does not offer.
    """

    def __init__(self, trace_files=None, trace_dir=DEFAULT_TRACE_DIR, include_last_profiler_step=False, *, hta=False):
        self.t = Trace(trace_files, trace_dir, include_last_profiler_step, hta)

    # Time

    def get_temporal_breakdown(self, visualize=True):
        """Returns idle, compute and other busy time by rank."""
        frame = self._frame("temporal_breakdown")
        _charts.show(visualize, "bar", frame, "Temporal breakdown", x="rank",
                     y=["idle_time_pctg", "compute_time_pctg", "non_compute_time_pctg"])
        return frame

    def get_idle_time_breakdown(self, ranks=None, streams=None, visualize=True, visualize_pctg=True,
                                show_idle_interval_stats=False, consecutive_kernel_delay=30):
        """Returns idle time by rank, stream and category; and statistics of idle intervals, or None if not wanted.

        `consecutive_kernel_delay` is in µs, as HTA treats it.
        """
        ranks = self.t.checked_ranks(ranks)
        tables = self.t.tables("idle_time_breakdown", ranks, rows=0,
                               consecutive_kernel_delay=f"{consecutive_kernel_delay}us")
        times, intervals = tables["idle_time_breakdown"], tables["idle_time_breakdown_idle_intervals"]
        if not self.t.hta:
            times, intervals = _frames.idle_by_gap(tables["idle_time_breakdown_longest_gaps"])

        def ordered(frame, table):
            if streams:
                frame = frame[frame["stream"].isin(streams)]
            return pd.concat(_frames.by_rank(frame, table, ranks).values())

        times = ordered(times, "idle_time_breakdown")
        _charts.show(visualize, "bar", times.astype({"stream": str}), "Idle time by stream", x="stream",
                     y="idle_time_ratio" if visualize_pctg else "idle_time", color="idle_category", facet_row="rank")
        if not show_idle_interval_stats:
            return times, None
        return times, ordered(intervals, "idle_time_breakdown_idle_intervals").set_index("idle_category")

    # Communication

    def get_comm_comp_overlap(self, visualize=True):
        """Returns the percentage of communication time that overlaps computation, by rank."""
        frame = self._frame("comm_comp_overlap")
        _charts.show(visualize, "bar", frame, "Computation-communication overlap", x="rank", y="comp_comm_overlap_pctg")
        return frame

    def get_profiler_steps(self):
        """Returns the numbers of the ProfilerSteps, without the last one unless include_last_profiler_step is set."""
        return sorted({int(number) for number in self.t.profiler_steps["number"]})

    def get_potential_stragglers(self, profiler_steps=None, num_candidates=2, visualize=False,
                                 straggler_identification_impl=None):
        """Returns the ranks that others wait for the longest, in all collectives; `visualize` has no effect.

        With hta, returns those that HTA finds by the start of one kernel.
        """
        if straggler_identification_impl is not None:
            raise NotImplementedError("get_potential_stragglers(straggler_identification_impl=…): the function would "
                                      "need HTA's own frames and symbol table")
        num_candidates = max(num_candidates, 1)
        selection = self._selection(profiler_steps)
        if self.t.hta:
            found = self.t.tables("potential_stragglers", num_candidates=num_candidates, **selection)
            found = found["potential_stragglers"]
            found = found[found["candidate"] == "yes"] if len(found) else found
        else:
            found = self.t.tables("late_ranks", **selection)["late_ranks"]
            found = found[found["wait_caused_per_step_ns"].fillna(0) > 0] if len(found) else found
        return [int(rank) for rank in found["rank"][:num_candidates]] if len(found) else []

    def _selection(self, numbers):
        """Returns parameters that select ProfilerSteps by number."""
        available = self.get_profiler_steps()
        if numbers is None and (available or not self.t.hta):
            return {}
        chosen = sorted(set(numbers or []) & set(available))
        if not chosen:
            raise ValueError(f"profiler_steps={numbers}: none of these was recorded; there are {available}")
        if chosen == available:
            return {}
        if chosen != [each for each in available if chosen[0] <= each <= chosen[-1]]:
            raise NotImplementedError("get_potential_stragglers(profiler_steps=…) with a gap: Warpscope analyzes a "
                                      "range of time; pass consecutive steps")
        steps = self.t.profiler_steps
        steps = steps[steps["number"].isin(chosen)]
        return {"start": int(steps["start"].min()), "end": int(steps["end"].max())}

    # Kernels and annotations

    def get_gpu_kernel_breakdown(self, visualize=True, duration_ratio=0.8, num_kernels=10, include_memory_kernels=True,
                                 image_renderer=""):
        """Returns the time of each kernel type, over all ranks, and statistics of the kernels of each type and rank."""
        tables = self.t.tables("gpu_kernel_breakdown", duration_ratio=duration_ratio, num_kernels=num_kernels,
                               include_memory=include_memory_kernels)
        types = _frames.shaped(tables["gpu_kernel_breakdown"], "gpu_kernel_breakdown")
        if self.t.hta:
            types = types.astype({"sum": "int64"})
        kernels = _frames.shaped(tables["gpu_kernel_breakdown_kernels"], "gpu_kernel_breakdown_kernels")
        kernels = kernels.sort_values(["kernel_type", "name", "rank"], ignore_index=True)
        _charts.show(visualize, "pie", types, "Kernel types", image_renderer, values="sum", names="kernel_type")
        _charts.show(visualize, "bar", kernels, "Kernels", image_renderer, x="rank", y="sum (us)", color="name",
                     facet_row="kernel_type")
        return types, kernels

    def get_gpu_kernels_with_user_annotations(self, rank, expand_names=True, shorten_names=True):
        """Returns the GPU activity of a rank with its annotation; None if no annotations were recorded on GPUs.

        `name` and `user_annotation` are numbers of t.symbol_table, -1 for none.
        """
        table = "gpu_kernels_with_user_annotations"
        ids = self.t.symbol_table.sym_index
        rank, = self.t.checked_ranks([rank])
        if "gpu_user_annotation" not in ids:
            return None
        frame = _frames.shaped(self.t.tables(table, [rank])[table].rename(columns={"device": "pid"}), table)
        if self.t.hta:  # HTA's names are short; those of all activity are in the profile
            frame["s_name"] = self._full_names(rank, frame)
        frame = frame.assign(end=frame["ts"] + frame["dur"], tid=frame["stream"],
                             name=frame["s_name"].map(ids).fillna(-1).astype("int64"),
                             user_annotation=frame["s_user_annotation"].map(ids).fillna(-1).astype("int64"),
                             s_user_annotation=frame["s_user_annotation"].fillna(""))
        if not expand_names:
            return frame.drop(columns=["s_name", "s_user_annotation"])
        if shorten_names:
            for column in ("s_name", "s_user_annotation"):
                frame[column] = frame[column].map({each: shorten_name(each) for each in frame[column].unique()})
        return frame

    def _full_names(self, rank, frame):
        """Returns the names of GPU activity, found by correlation; a CUDA graph launches several under one number."""
        table = "gpu_kernels_with_user_annotations"
        named = self.t.profile.analyze(table, rank=self.t.numbers[rank], whole=True)
        keys = ["correlation", "stream"]
        named = named.astype({"correlation": "float64"}).fillna({"correlation": -1})
        for each in (frame, named):
            each["nth"] = each.groupby(keys).cumcount()
        keys.append("nth")
        found = frame[keys].merge(named[keys + ["s_name"]], how="left", on=keys)["s_name"]
        del frame["nth"]
        return found.fillna(frame["s_name"])

    def get_gpu_user_annotation_breakdown(self, use_gpu_annotation=True, visualize=True, duration_ratio=0.8,
                                          num_kernels=1000, allowlist_patterns=None, image_renderer=None):
        """Returns statistics of annotations by rank and name; None if there are none.

        Names that contain one of the texts `allowlist_patterns` are always listed.
        """
        keep = ""
        if allowlist_patterns:
            names = self.t.profile.sql("SELECT DISTINCT name FROM annotation")["name"]
            names = TraceSymbolTable(names).find_matched_symbols(allowlist_patterns)
            keep = ",".join(name.replace(",", "*") for name in names)
        frame = self._frame("gpu_user_annotation_breakdown", side="gpu" if use_gpu_annotation else "cpu",
                            duration_ratio=duration_ratio, num_kernels=num_kernels, allowlist_patterns=keep)
        if frame.empty:
            return None
        frame = frame.sort_values(["rank", "name"], ignore_index=True)
        _charts.show(visualize, "bar", frame, "Annotations", image_renderer, x="rank", y="sum (us)", color="name")
        return frame

    def get_frequent_cuda_kernel_sequences(self, operator_name, output_dir, min_pattern_len=3, rank=0, top_k=5,
                                           visualize=False, compress_other_kernels=True):
        """Returns the sequences of kernels that calls with `operator_name` in their names launch, by count.

        `output_dir` and `compress_other_kernels` have no effect: no trace with the sequences is written.
        """
        ranks = self.t.checked_ranks([rank])
        if not operator_name:
            raise ValueError("operator_name is empty; pass a part of the names of calls")
        frame = self._frame("frequent_cuda_kernel_sequences", ranks=ranks, operator_name=operator_name,
                            min_pattern_len=min_pattern_len, names=0)
        if frame.empty:
            return pd.DataFrame()
        warnings.warn("get_frequent_cuda_kernel_sequences: Warpscope does not write an overlaid trace to output_dir",
                      stacklevel=2)
        frame = frame.sort_values(["count", "pattern"], ascending=[False, True], ignore_index=True)
        _charts.show(visualize, "bar", frame[:top_k], f"Frequent sequences of rank {rank}", y="count",
                     hover_data=["pattern"])
        return frame

    def get_aten_op_kernels_and_delay(self, ranks=None, sort_by=None):
        """Returns the kernel sequences of ATen operators and their mean launch delays, {rank: frame}."""
        table = "aten_op_kernels_and_delay"
        ranks = self.t.checked_ranks(ranks)
        frames = _frames.by_rank(self.t.tables(table, ranks, names=0)[table], table, ranks)
        return {rank: frame.sort_values(["aten_op_name", "kernel_sequence"], ignore_index=True)
                           .sort_values(sort_by or ["occurrence_count"], ascending=False)
                for rank, frame in frames.items()}

    def get_cupti_counter_data_with_operators(self, ranks=None):
        """Returns the kernels of each rank with their hardware counters and the operators that launched them."""
        table = "cupti_counters"
        ranks = self.t.checked_ranks(ranks)
        found = self.t.tables(table, ranks)[table]
        frames = [found[found["rank"] == rank].drop(columns="rank") for rank in ranks] if len(found) else []
        return [frame.assign(op_stack=frame["op_stack"].str.split("|"), ts=_frames.typed(frame["ts"], _frames.TIME),
                             dur=_frames.typed(frame["dur"], _frames.REAL)).reset_index(drop=True)
                for frame in frames if len(frame)]

    # Launches and queues

    def get_cuda_kernel_launch_stats(self, ranks=None, runtime_cutoff=50, launch_delay_cutoff=100,
                                     include_memory_events=True, visualize=True):
        """Returns the durations of each launch and of its GPU activity, and its launch delay, {rank: frame}."""
        table = "cuda_kernel_launch_stats"
        ranks = self.t.checked_ranks(ranks)
        frames = _frames.by_rank(self.t.tables(table, ranks, include_memory=include_memory_events)[table], table, ranks)
        for rank, frame in frames.items():
            cpu, gpu, delay = frame["cpu_duration"], frame["gpu_duration"], frame["launch_delay"]
            for title, rows, x in (("Kernels shorter than their launch", gpu < cpu, "cpu_duration"),
                                   (f"Launches longer than {runtime_cutoff} us", cpu > runtime_cutoff, "cpu_duration"),
                                   (f"Delays longer than {launch_delay_cutoff} us", delay > launch_delay_cutoff,
                                    "launch_delay")):
                _charts.show(visualize, "histogram", frame[rows], f"{title}, rank {rank}", x=x)
        return frames

    def get_queue_length_time_series(self, ranks=None):
        """Returns the queue depth of streams, one row per change, {rank: frame}, for ranks with launches."""
        frames = self._series("queue_length_time_series", ranks)
        return {rank: frame.rename_axis("index") for rank, frame in frames.items()}

    def get_queue_length_summary(self, ranks=None):
        """Returns statistics of queue depths by rank and stream; None if there are none."""
        return self._summary("queue_length_summary", ranks, ["rank", "stream"], "queue_length")

    def get_queue_length_summary_from_time_series(self, queue_length_dict):
        """Same, for the ranks and streams in a result of get_queue_length_time_series()."""
        summary = self.get_queue_length_summary(list(queue_length_dict)) if queue_length_dict else None
        if summary is None:
            return None
        return summary[[stream in set(queue_length_dict[rank]["stream"]) for rank, stream in summary.index]]

    def get_time_spent_blocked_on_full_queue(self, queue_length_dict, max_queue_length=1024):
        """Returns how long queues had `max_queue_length` or more launches, for the ranks and streams in the dict."""
        table = "time_blocked_on_full_queue"
        found = pd.DataFrame()
        if queue_length_dict:
            found = self.t.tables(table, list(queue_length_dict), max_queue_length=max_queue_length)[table]
        if len(found):
            asked = [stream in set(queue_length_dict[rank]["stream"]) for rank, stream
                     in zip(found["rank"], found["stream"])]
            found = found[asked & (found["longest_queue"] >= max_queue_length)]
        return _frames.shaped(found, table)

    def get_memory_bw_time_series(self, ranks=None):
        """Returns the bandwidth of memcpys and memsets, one row per change, {rank: frame}."""
        return self._series("memory_bw_time_series", ranks)

    def get_memory_bw_summary(self, ranks=None):
        """Returns statistics of these bandwidths by rank and name; None if there are none."""
        return self._summary("memory_bw_summary", ranks, ["rank", "name"], "memory_bw_gbps")

    def generate_trace_with_counters(self, time_series=None, ranks=None, output_suffix="_with_counters"):
        """Writes copies of the ranks' traces with both time series as counters, beside the traces."""
        wanted = TimeSeriesTypes.QUEUE_LENGTH | TimeSeriesTypes.MEMCPY_BANDWIDTH if time_series is None else time_series
        ranks = self.t.checked_ranks(ranks)
        events = {}
        for kind, series_of, name, column in (
                (TimeSeriesTypes.QUEUE_LENGTH, self.get_queue_length_time_series, "Queue Length", "queue_length"),
                (TimeSeriesTypes.MEMCPY_BANDWIDTH, self.get_memory_bw_time_series, "Memcpy BW", "memory_bw_gbps")):
            for rank, series in (series_of(ranks) if kind in wanted else {}).items():
                counters = pd.DataFrame({
                    "pid": series["pid"], "ts": self.t.file_times(rank, series["ts"]), "ph": PHASE_COUNTER,
                    "name": series["name"] if "name" in series else name,
                    "args": [{name: value} for value in series[column]]})
                if "stream" in series:
                    counters["id"] = series["stream"]
                events.setdefault(rank, []).extend(counters.to_dict("records"))
        for rank, counters in events.items():
            trace = self.t.get_raw_trace_for_one_rank(rank)
            trace["traceEvents"].extend(counters)
            folder, file = os.path.split(self.t.trace_files[rank])
            written = os.path.join(folder, file.replace(".json", (output_suffix or "_with_counters") + ".json"))
            logger.info("writing %s", written)
            self.t.write_raw_trace(written, trace)

    # What Warpscope does not offer in HTA's form

    def critical_path_analysis(self, rank, annotation, instance_id, data_load_events=None):
        raise NotImplementedError("critical_path_analysis returns HTA's CPGraph, a networkx graph to edit; Warpscope "
                                  "has the path itself: analyzer.t.profile.analyze_all('critical_path', "
                                  "annotation='ProfilerStep', hta=True)")

    def overlay_critical_path_analysis(self, rank, critical_path_graph, output_dir, only_show_critical_events=True,
                                       show_all_edges=False):
        raise NotImplementedError("overlay_critical_path_analysis draws HTA's CPGraph; Warpscope's window shows the "
                                  "critical path in the Timeline")

    # Results

    def _frame(self, table, **parameters):
        frame = _frames.shaped(self.t.tables(table, **parameters)[table], table)
        return frame.sort_values("rank", kind="stable", ignore_index=True) if "rank" in frame else frame

    def _series(self, table, ranks):
        ranks = self.t.checked_ranks(ranks)
        frames = _frames.by_rank(self.t.tables(table, ranks)[table], table, ranks)
        return {rank: frame for rank, frame in frames.items() if len(frame)}

    def _summary(self, table, ranks, keys, value):
        return _frames.summary(self.t.tables(table, self.t.checked_ranks(ranks))[table], table, keys, value)
