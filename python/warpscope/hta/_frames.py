"""Columns, types and rounding of HTA's results, by analysis and table of Warpscope.

HTA computes durations as floating-point µs and keeps start times as integers if the trace does. Where it picks the
smallest type for integers, these are int64.
"""

import numpy as np
import pandas as pd

INTEGER, REAL, TEXT, TIME = "int64", "float64", "object", "time"
STATISTICS = ("count", "mean", "std", "min", "25%", "50%", "75%", "max")

_SPREAD = {"sum (us)": REAL, "max (us)": REAL, "min (us)": REAL, "stddev": REAL, "mean (us)": REAL}


def _summary(*keys, value):
    return {**{key: INTEGER if key in ("rank", "stream") else TEXT for key in keys},
            **{f"{value}_{each}": REAL for each in STATISTICS}}


COLUMNS = {
    "temporal_breakdown": {
        "rank": INTEGER, "idle_time(us)": REAL, "compute_time(us)": REAL, "non_compute_time(us)": REAL,
        "kernel_time(us)": REAL, "idle_time_pctg": REAL, "compute_time_pctg": REAL, "non_compute_time_pctg": REAL},
    "comm_comp_overlap": {"rank": INTEGER, "comp_comm_overlap_pctg": REAL},
    "gpu_kernel_breakdown": {"kernel_type": TEXT, "sum": TIME, "percentage": REAL},
    "gpu_kernel_breakdown_kernels": {"name": TEXT, **_SPREAD, "kernel_type": TEXT, "rank": INTEGER},
    "gpu_user_annotation_breakdown": {"name": TEXT, **_SPREAD, "rank": INTEGER},
    "gpu_kernels_with_user_annotations": {
        "ts": TIME, "dur": REAL, "pid": INTEGER, "stream": INTEGER, "correlation": INTEGER, "s_name": TEXT,
        "s_user_annotation": TEXT},
    "idle_time_breakdown": {
        "rank": INTEGER, "stream": INTEGER, "idle_category": TEXT, "idle_time": REAL, "idle_time_ratio": REAL},
    "idle_time_breakdown_idle_intervals": {
        "idle_category": TEXT, "rank": INTEGER, "stream": INTEGER, **{each: REAL for each in STATISTICS}},
    "cuda_kernel_launch_stats": {
        "correlation": INTEGER, "cpu_duration": REAL, "gpu_duration": REAL, "launch_delay": REAL},
    "queue_length_time_series": {
        "ts": TIME, "pid": INTEGER, "tid": INTEGER, "stream": INTEGER, "queue_length": INTEGER},
    "queue_length_summary": _summary("rank", "stream", value="queue_length"),
    "time_blocked_on_full_queue": {
        "rank": INTEGER, "stream": INTEGER, "duration_at_max_queue_length": REAL,
        "relative_duration_at_max_queue_length": REAL},
    "memory_bw_time_series": {"ts": REAL, "pid": INTEGER, "name": TEXT, "memory_bw_gbps": REAL},
    "memory_bw_summary": _summary("rank", "name", value="memory_bw_gbps"),
    "aten_op_kernels_and_delay": {
        "aten_op_name": TEXT, "kernel_sequence": TEXT, "occurrence_count": INTEGER, "avg_aten_op_launch_delay": REAL,
        "avg_runtime_delay": REAL},
    "frequent_cuda_kernel_sequences": {
        "pattern": TEXT, "count": INTEGER, "GPU kernel duration (us)": REAL, "CPU op duration (us)": REAL},
}

_DECIMALS = {
    "temporal_breakdown": (2, ["idle_time_pctg", "compute_time_pctg", "non_compute_time_pctg"]),
    "comm_comp_overlap": (2, ["comp_comm_overlap_pctg"]),
    "gpu_kernel_breakdown": (1, ["percentage"]),
    "idle_time_breakdown": (2, ["idle_time", "idle_time_ratio"]),
    "idle_time_breakdown_idle_intervals": (2, list(STATISTICS)),
    "aten_op_kernels_and_delay": (3, ["avg_aten_op_launch_delay", "avg_runtime_delay"]),
}


def typed(values, kind):
    """Returns a column as HTA has it; TIME is int64 if all values are whole, float64 otherwise."""
    if kind == TEXT:
        return values.astype("object").where(values.notna(), None)
    values = pd.to_numeric(values).astype("float64") if kind != INTEGER else values.fillna(-1)
    whole = kind == TIME and not (values % 1).any()
    return values.astype("int64" if whole or kind == INTEGER else "float64")


def shaped(frame, table):
    """Returns the columns that HTA has, with its types and rounding. Columns that `frame` lacks are empty."""
    columns = COLUMNS[table]
    frame = pd.DataFrame({name: typed(frame[name], kind) if name in frame.columns else
                          pd.Series([None] * len(frame), dtype="object" if kind == TEXT else "float64")
                          for name, kind in columns.items()}).reset_index(drop=True)
    decimals, rounded = _DECIMALS.get(table, (0, []))
    frame[rounded] = frame[rounded].round(decimals)
    return frame


def summary(frame, table, keys, value):
    """Returns describe() as HTA groups it: by `keys`, under the column `value`; None if there are no rows."""
    if frame.empty:
        return None
    frame = shaped(frame, table).set_index(keys)
    frame.columns = pd.MultiIndex.from_product([[value], STATISTICS])
    return frame


def by_rank(frame, table, ranks):
    """Returns the rows of each rank, {rank: frame}."""
    none = frame.iloc[:0]
    groups = dict(list(frame.groupby("rank"))) if "rank" in frame.columns else {}
    return {rank: shaped(groups.get(rank, none), table) for rank in ranks}


def idle_by_gap(gaps):
    """Returns idle time by category and statistics of the gaps: each gap has the category of its largest part.

    `gaps`: the table of gaps on streams; HTA's categories are host_wait, kernel_wait and other.
    """
    keys = ["rank", "stream", "idle_category"]
    if gaps.empty:
        return pd.DataFrame(columns=keys), pd.DataFrame(columns=keys)
    gaps = gaps.astype({"dur": "float64"})
    host = 2 * gaps["host_wait"].astype("float64") >= gaps["dur"]
    latency = gaps["idle_category"] == "launch latency"
    gaps["idle_category"] = np.where(host, "host_wait", np.where(latency, "kernel_wait", "other"))
    lengths = gaps.groupby(keys)["dur"]
    times = lengths.sum().rename("idle_time").reset_index()
    times["idle_time_ratio"] = times["idle_time"] / times.groupby(keys[:2])["idle_time"].transform("sum")
    return times, lengths.describe().reset_index()
