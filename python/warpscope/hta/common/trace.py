"""The traces of a job as HTA's Trace offers them: files, ranks, steps and frames of events."""

import collections.abc
import functools
import gzip
import json
import os
import re
import shutil
import tempfile
import weakref

import numpy as np
import pandas as pd

import warpscope
from warpscope._program import Run, find_program

from .trace_symbol_table import TraceSymbolTable

DEFAULT_TRACE_DIR = "/tmp/trace"
PHASE_COUNTER = "C"

_EVENTS = """
SELECT s.id, s.start, s.dur, s.name, s.category, s.step, t.kind = 'stream' AS gpu, t.process, t.number
FROM slice s JOIN track t ON t.id = s.track WHERE s.rank = {rank} AND s.category <> 'Trace'"""

_STEPS = """
SELECT rank, name, 'cpu' AS side, start, dur FROM step WHERE name GLOB 'ProfilerStep*' UNION ALL
SELECT rank, name, side, start, dur FROM annotation WHERE side = 'gpu' AND name GLOB 'ProfilerStep*'"""


class _Frames(collections.abc.Mapping):
    """The frames of all ranks, read when first used."""

    def __init__(self, trace):
        self._trace = trace
        self._read = {}

    def __getitem__(self, rank):
        if rank not in self._trace.trace_files:
            raise KeyError(rank)
        if rank not in self._read:
            self._read[rank] = self._trace.read_frame(rank)
        return self._read[rank]

    def __iter__(self):
        return iter(self._trace.get_ranks())

    def __len__(self):
        return len(self._trace.trace_files)


class Trace:
    """Traces and their profile. `TraceAnalysis.t` is one.

    `trace_files`: paths by rank, relative to `trace_dir`; by default, all traces in `trace_dir`.
    `hta`: as in TraceAnalysis.
    """

    is_parsed = True

    def __init__(self, trace_files=None, trace_dir=DEFAULT_TRACE_DIR, include_last_profiler_step=False, hta=False):
        self.hta = hta
        self.rounding = hta and os.environ.get("HTA_DISABLE_NS_ROUNDING") != "1"
        self.include_last_profiler_step = bool(include_last_profiler_step)
        self.trace_path = os.fspath(trace_dir)
        self.profile, ranks = self._open(trace_files)
        self._starts = {}  # by rank: start in the profile, and start in the file, ns
        self.numbers = {}  # by rank: its number in the profile
        self.trace_files = {}
        for row in ranks.itertuples():
            if row.rank in self.numbers.values():
                files = " and ".join(ranks.loc[ranks["rank"] == row.rank, "file"][:2])
                raise ValueError(f"{files} contain the same rank, {row.rank}; analyze one of them")
            self.trace_files[row.wanted] = row.file
            self.numbers[row.wanted] = row.rank
            self._starts[row.wanted] = (0, 0) if pd.isna(row.start) else (int(row.start), int(row.file_start_ns))
        self.traces = _Frames(self)

    def _open(self, trace_files):
        """Returns the profile and its ranks, with the column `wanted`: the rank as the caller numbers it."""
        query = "SELECT rank, start, file_start_ns, file FROM rank ORDER BY rank"
        if trace_files is None:
            profile = warpscope.open(self.trace_path)
            return profile, profile.sql(query).assign(wanted=lambda ranks: ranks["rank"])
        files = {int(rank): self._found(file) for rank, file in trace_files.items()}
        if len(files) == 1:
            profile = warpscope.open(*files.values())
            return profile, profile.sql(query).assign(wanted=next(iter(files)))
        # The program reads a file or a folder, so it gets a folder with links.
        folder = tempfile.mkdtemp(prefix="warpscope-")
        weakref.finalize(self, shutil.rmtree, folder, True)
        links = os.path.join(folder, "traces")
        os.mkdir(links)
        for rank, file in files.items():
            os.symlink(file, os.path.join(links, f"{rank}-{os.path.basename(file)}"))
        converted = os.path.join(folder, "traces.wscope")
        with Run(find_program(), ["convert", links, "--out", converted]) as run:
            run.out.read()
        profile = warpscope.open(converted)
        ranks = profile.sql(query)
        wanted = [int(os.path.basename(file).split("-", 1)[0]) for file in ranks["file"]]
        return profile, ranks.assign(wanted=wanted, file=[files[rank] for rank in wanted])

    def _found(self, file):
        file = os.path.abspath(os.path.join(self.trace_path, os.fspath(file)))
        if not os.access(file, os.R_OK):
            raise ValueError(f"{file}: does not exist or cannot be read; check trace_files and trace_dir")
        return file

    # Ranks and steps

    def get_ranks(self):
        return sorted(self.trace_files)

    def checked_ranks(self, ranks):
        """Returns the ranks to analyze, [0] by default. Raises ValueError if there is no trace of one."""
        ranks = [0] if ranks is None or len(ranks) == 0 else list(ranks)
        for rank in ranks:
            if rank not in self.trace_files:
                raise ValueError(f"no trace of rank {rank}; there are {', '.join(map(str, self.get_ranks()))}")
        return ranks

    @functools.cached_property
    def _all_steps(self):
        steps = self.profile.sql(_STEPS)
        # HTA also takes a step's copy on the GPU for a start of the step.
        return steps if self.hta else steps[steps["side"] == "cpu"]

    @functools.cached_property
    def last_starts(self):
        """Start of the last step by rank (as the profile numbers it), which results leave out; {} if they do not."""
        steps = self._all_steps
        return steps.groupby("rank")["start"].max().to_dict() if steps["name"].nunique() > 1 else {}

    @property
    def is_trimmed(self):
        """True if results leave out the last step."""
        return bool(self.last_starts) and not self.include_last_profiler_step

    @functools.cached_property
    def profiler_steps(self):
        """The steps that results include: rank, number, start and end in ns since the start of the profile."""
        steps = self._all_steps
        if self.is_trimmed:
            steps = steps[steps["start"] < steps["rank"].map(self.last_starts)]
        number = np.array([self._step_number(name) for name in steps["name"]], dtype="int64")
        return steps.assign(number=number, end=steps["start"] + steps["dur"])[number >= 0]

    @staticmethod
    def _step_number(name):
        match = re.match(r"ProfilerStep\s*#\s*(\d+)", name or "")
        return int(match.group(1)) if match else -1

    def get_iterations(self, rank=None):
        rank = self.get_ranks()[0] if rank is None else rank
        return sorted(number for number in self.get_trace(rank)["iteration"].unique() if number >= 0)

    # Analyses

    def tables(self, analysis, ranks=None, **parameters):
        """Runs an analysis with the definitions of `hta`; returns its tables. `ranks`: as in get_ranks(); None: all."""
        if self.hta:
            parameters["hta_rounding" if self.rounding else "hta"] = True
            if self.include_last_profiler_step and self.last_starts:
                raise NotImplementedError("hta=True with include_last_profiler_step=True: Warpscope reproduces HTA's "
                                          "results only without the last step; use one of the two")
        elif "start" not in parameters and not self.is_trimmed:
            parameters["whole"] = True
        if ranks is not None:
            parameters["rank"] = [self.numbers[rank] for rank in ranks]
        tables = self.profile.analyze_all(analysis, **parameters)
        numbers = {number: rank for rank, number in self.numbers.items()}
        for table in tables.values():
            if "rank" in table.columns and any(number != rank for number, rank in numbers.items()):
                table["rank"] = table["rank"].map(numbers)
        return tables

    # Frames of events

    @functools.cached_property
    def symbol_table(self):
        found = self.profile.sql("SELECT DISTINCT name FROM slice UNION SELECT DISTINCT category FROM slice")
        return TraceSymbolTable(found.iloc[:, 0])

    @functools.cached_property
    def _zero(self):
        """Time 0 of results, in ns since the start of the profile: for HTA, the first event."""
        first = self.profile.sql("SELECT min(start) AS first FROM slice WHERE category <> 'Trace'")["first"]
        return int(first[0]) if self.hta and len(first) and not pd.isna(first[0]) else 0

    def _file_zero(self, rank):
        """Time 0 of results as the rank's file has it, in ns."""
        start, in_file = self._starts[rank]
        zero = in_file - start + self._zero
        return -(-zero // 1000) * 1000 if self.rounding else zero

    def file_times(self, rank, times):
        """Converts times of results, in µs, to the `ts` of the rank's file."""
        return times + self._file_zero(rank) / 1000

    def get_trace(self, rank):
        """Returns the events of a rank, one row per slice. Raises ValueError if there is no trace of it."""
        return self.traces[self.checked_ranks([rank])[0]]

    def get_all_traces(self):
        return self.traces

    def get_trace_duration(self, rank=None):
        """Returns the time from the start of the first event to the start of the last, in µs."""
        times = self.get_trace(self.get_ranks()[0] if rank is None else rank)["ts"]
        return times.max() - times.min()

    def read_frame(self, rank):
        number = self.numbers[rank]
        events = self.profile.sql(_EVENTS.format(rank=number))
        launches = self.profile.sql(f"SELECT launch, activity FROM launch WHERE rank = {number}")
        gpu = (events["gpu"] == 1) & (events["category"] != "gpu_user_annotation")
        launch_of = launches.drop_duplicates("activity").set_index("activity")["launch"]
        partner = events["id"].map(pd.concat([launch_of, launches.drop_duplicates("launch", keep="last")
                                              .set_index("launch")["activity"]]))
        begin = events["start"] + (self._starts[rank][1] - self._starts[rank][0])
        end = begin + events["dur"]
        if self.rounding:
            begin, end = -(-begin // 1000) * 1000, end // 1000 * 1000
        ids = self.symbol_table.sym_index
        ordinal = 2**32 - 1
        frame = pd.DataFrame({
            "index": events["id"] & ordinal,
            "cat": events["category"].map(ids),
            "name": events["name"].map(ids),
            "pid": events["process"],
            "tid": events["number"],
            "ts": whole_us(begin - self._file_zero(rank)),
            "dur": (end - begin) / 1000,
            "stream": np.where(gpu, events["number"], -1),
            "index_correlation": partner.fillna(-1).astype("int64").where(lambda of: of < 0, lambda of: of & ordinal),
            "iteration": [self._step_number(step) for step in events["step"]],
        })
        frame["end"] = frame["ts"] + frame["dur"]
        frame = frame.astype({column: "int64" for column in ("cat", "name", "stream", "iteration")})
        if self.hta and self.is_trimmed:
            host = events["id"].map(launch_of).map(events.set_index("id")["start"]).where(gpu, events["start"])
            frame = frame[host < self.last_starts.get(number, np.inf)]
        return frame.set_index("index", drop=False).rename_axis(None)

    def decode_symbol_ids(self, use_shorten_name=True):
        """Adds s_name and s_cat to all frames."""
        for rank in self.get_ranks():
            self.symbol_table.decode_df(self.get_trace(rank), True, use_shorten_name)

    # Files

    def get_raw_trace_for_one_rank(self, rank=0):
        """Returns the parsed JSON of a rank's file."""
        file = self.trace_files[self.checked_ranks([rank])[0]]
        with gzip.open(file, "rb") if file.endswith(".gz") else open(file, "rb") as opened:
            return json.load(opened)

    def write_raw_trace(self, output_file, trace_contents):
        with gzip.open(output_file, "wt") if output_file.endswith(".gz") else open(output_file, "w") as file:
            json.dump(trace_contents, file)


def whole_us(times):
    """Converts ns to µs: int64 if all are whole, float64 otherwise."""
    return times // 1000 if not (times % 1000).any() else times / 1000
