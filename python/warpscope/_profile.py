"""A profile: the traces of a job, and what the program computes from them."""

import html
import json
import os
import tempfile
import warnings

from . import _frames, _query
from ._program import NOT_WRITTEN, DiagnosticsWarning, Error, Run, StoreWarning, find_program

_SUMMARY = """
SELECT * FROM (SELECT count(*) AS ranks, sum(gpus) AS gpus, sum(slices) AS slices FROM rank)
LEFT JOIN (SELECT code, count FROM diagnostic WHERE severity IN ('error', 'warning'))"""


def _signature(path):
    """Returns a value that changes if files appear, disappear, grow or are rewritten."""
    def of(status):
        return status.st_size, status.st_mtime_ns, status.st_ino

    if path.startswith("ssh://"):  # the program looks there
        return ()
    if not os.path.isdir(path):
        return of(os.stat(path))
    found = []
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files):
            file = os.path.join(folder, name)
            try:
                found.append((file, *of(os.stat(file))))
            except OSError:  # removed meanwhile
                continue
    return tuple(found)


class Profile:
    """The traces at a path. `warpscope.open()` creates it.

    Each method runs the program `warpscope`. The first call reads the traces and saves a store, so that later calls, in
    this process or another one, start in milliseconds. If the traces change, the next call reads them again.

    Times are integers in ns since the start of the profile; durations are in ns too.
    """

    def __init__(self, path, *, program=None, store=True, memory=None):
        self.path = os.fspath(path)
        remote = self.path.startswith("ssh://")
        if not remote:
            self.path = os.path.abspath(self.path)
        self._program = program or find_program()
        self._store = store
        self._memory = memory
        self._seen = None
        self._kept = {}
        if not remote and not os.path.exists(self.path):
            raise Error(f"{self.path}: does not exist; check the path")
        summary = self._json(["sql", self.path, "--json"], _SUMMARY)["rows"]
        self.ranks, self.gpus, self.slices = (summary[0][each] or 0 for each in ("ranks", "gpus", "slices"))
        self._warn([f"{each['count']:,} × {each['code']}" for each in summary if each["code"] is not None])

    def __repr__(self):
        def count(number, noun):
            return f"{number:,} {noun}" + ("" if number == 1 else "s")

        parts = [count(self.ranks, "rank"), count(self.gpus, "GPU"), count(self.slices, "slice")]
        return f"<warpscope.Profile {self.path!r}: {', '.join(parts)}>"

    # What the profile contains

    @property
    def info(self):
        """What `warpscope info --json` prints, as a dict: nodes, ranks, counts, diagnostics. A new copy each time."""
        return json.loads(self._once("info", lambda: json.dumps(self._json(["info", self.path, "--json"]))))

    @property
    def findings(self):
        """What wastes GPU time and how to fix it, the costliest first: the table `finding` of SQL, one row each."""
        found = self._once("findings", lambda: self.sql("SELECT * FROM finding"))
        return found.copy() if hasattr(found, "copy") else list(found)

    @property
    def diagnostics(self):
        """Problems of the traces: the table `diagnostic` of SQL."""
        return self.sql("SELECT * FROM diagnostic")

    def rules(self, **parameters):
        """All rules with their verdicts, as `warpscope rules --json` prints them, one row each.

        `parameters` are those of the rules: LaunchBound_share=0.2.
        """
        arguments = ["rules", self.path, "--json"]
        for name, value in parameters.items():
            arguments += ["--set", f"{name}={_query.setting(value)}"]
        return _frames.from_records(self._json(arguments)["rules"])

    def sql(self, query, /, *, text="object", timeout=600, **values):
        """Runs a query and returns its rows: the result of the last statement that has columns.

        `values` replace parameters of the query: p.sql("… WHERE name = :name AND rank IN :ranks", name="mm",
        ranks=[0, 3]). `timeout` is in seconds; 0: none. The tables are listed in docs/sql.md and by `warpscope sql`'s
        .tables and .schema.

        With pandas, returns a DataFrame. Integers are int64, or Int64 if some are NULL; reals are float64 with NaN; text
        is object (str, or None), or with text="category" a Categorical, which is smaller and faster to group. Without
        pandas, returns a list of dicts. Raises Error if the query is wrong, refused or stopped.
        """
        if text not in ("object", "category"):
            raise ValueError('text is "object" or "category"')
        arguments = ["sql", self.path, _frames.format_flag(), "--timeout", str(timeout)]
        return self._read(arguments, lambda file: _frames.read_table(file, text), _query.with_values(query, values))

    # Analyses

    def analyze(self, analysis, /, *, rank=None, start=None, end=None, whole=False, other=None, kernel_class=None,
                hta=False, hta_rounding=False, **parameters):
        """Runs an analysis and returns its main table, like `warpscope analyze`, with the columns of its CSV.

        `rank`: only these ranks: 3, [0, 3] or "0,3-5". `start`, `end`: only this range of time: ns, a timedelta or
        "12.3ms". `whole`: the whole recording instead of the evaluated steps. `other`: the second profile or path, for
        trace_diff and ops_diff. `kernel_class`: "communication=my_ring", or a list. `hta`, `hta_rounding`: count as HTA
        does. `parameters`: those of the analysis: p.analyze("kernel_time", k=5). docs/cli.md lists analyses and parameters.

        Returns a DataFrame as sql() does; its attrs["note"] has the table's note, which explains what is missing or
        excluded. Without pandas, returns a list of dicts. Raises Error.
        """
        tables = self._tables(analysis, analysis, rank=rank, start=start, end=end, whole=whole, other=other,
                              kernel_class=kernel_class, hta=hta, hta_rounding=hta_rounding, **parameters)
        return tables[analysis] if analysis in tables else _frames.from_records([])

    def analyze_all(self, analysis, /, **options):
        """Same, but returns all tables of the analysis: {"late_ranks": …, "late_ranks_late_by_step": …}."""
        return self._tables(analysis, None, **options)

    # For notebooks

    def timeline(self, start=None, end=None, *, page="timeline", size=(1600, 1000), theme=None, select=None, **options):
        """Returns a picture of the window as a notebook shows it, from `start` to `end` (as in analyze()).

        `page`: another page, such as "findings". `size`: in pixels. `theme`: "dark" or "light". `select`: a filter;
        selects the first slice that matches. `options`: others of `warpscope snapshot`, such as clocks="recorded".
        """
        arguments = ["snapshot", self.path, "--page", page, "--size", "{}x{}".format(*size)]
        options = {"from": start, "to": end, "theme": theme, "select": select, **options}
        for name, value in options.items():
            if value is not None:
                arguments += ["--" + name, _query.time(value) if name in ("from", "to") else str(value)]
        return Picture(self._written(arguments, "--out", "timeline.png"))

    def report(self, *, rows=None):
        """Returns the findings and all analyses as a page that a notebook shows; save("report.html") keeps it.

        `rows`: the most rows per table, 0 for all.
        """
        arguments = ["report", self.path] + ([] if rows is None else ["--rows", str(rows)])
        return Report(self._written(arguments, "--html", "report.html").decode())

    # Runs of the program

    def _load_flags(self, command):
        flags = [] if self._memory is None else ["--memory", str(self._memory)]
        if not self._store:
            return flags + ["--no-store"], None
        seen = _signature(self.path)
        if seen != self._seen:
            self._kept.clear()
            if command != "snapshot" and not self.path.endswith(".wscope"):
                return flags + ["--save-store"], seen
        return flags, None

    def _read(self, arguments, read, text=None):
        """Runs the program and returns what `read` reads from its output."""
        flags, seen = self._load_flags(arguments[0])
        saves = seen is not None
        arrays = "--npz" in arguments
        allowed = (NOT_WRITTEN,) if saves else ()
        with Run(self._program, [*arguments, *flags], text, allowed, to_file=arrays) as run:
            if arrays:
                run.wait()
            result = read(run.out)
            if not arrays:
                run.out.read()
            status = run.wait()
            if status == NOT_WRITTEN:
                self._store = False
                warnings.warn(StoreWarning(run.messages()[-1]), stacklevel=4)
        if saves:
            self._seen = seen
        return result

    def _json(self, arguments, text=None):
        return self._read(arguments, json.load, text)

    def _tables(self, analysis, only, *, rank=None, start=None, end=None, other=None, kernel_class=None, whole=False,
                hta=False, hta_rounding=False, **parameters):
        arguments = ["analyze", analysis, self.path]
        if other is not None:
            arguments.append(other.path if isinstance(other, Profile) else os.fspath(other))
        arguments.append(_frames.format_flag())
        for option, value in (("--rank", _query.ranks(rank)), ("--from", _query.time(start)), ("--to", _query.time(end))):
            arguments += [] if value is None else [option, value]
        for option, value in (("--whole", whole), ("--hta", hta), ("--hta-rounding", hta_rounding)):
            arguments += [option] if value else []
        for each in [kernel_class] if isinstance(kernel_class, str) else kernel_class or []:
            arguments += ["--kernel-class", each]
        for name, value in parameters.items():
            arguments += ["--set", f"{name}={_query.setting(value)}"]
        return self._read(arguments, lambda file: _frames.read_tables(file, only))

    def _written(self, arguments, option, name):
        """Runs a command that writes a file; returns the file's contents."""
        with tempfile.TemporaryDirectory(prefix="warpscope-") as folder:
            file = os.path.join(folder, name)
            self._read([*arguments, option, file], lambda out: out.read())
            with open(file, "rb") as written:
                return written.read()

    def _once(self, key, compute):
        """Returns compute(), or the previous result if the traces have not changed since."""
        if self._store and self._seen != _signature(self.path):
            self._kept.clear()
        if key not in self._kept:
            value = compute()
            if not self._store:
                return value
            self._kept[key] = value
        return self._kept[key]

    def _warn(self, diagnostics):
        if diagnostics:
            kinds = ", ".join(diagnostics[:3]) + (", …" if len(diagnostics) > 3 else "")
            warnings.warn(DiagnosticsWarning(f"{self.path}: {kinds}; see Profile.diagnostics"), stacklevel=4)


class Picture:
    """A PNG image. Notebooks show it; `png` has its bytes."""

    def __init__(self, png):
        self.png = png

    def _repr_png_(self):
        return self.png

    def save(self, path):
        """Writes the image to a file, which it replaces."""
        with open(path, "wb") as file:
            file.write(self.png)

    def __repr__(self):
        return f"<warpscope.Picture: {len(self.png):,} bytes of PNG>"


class Report:
    """An HTML page. Notebooks show it in a frame; `html` has its text."""

    def __init__(self, text):
        self.html = text

    def _repr_html_(self):
        # A frame keeps the page's styles away from the notebook.
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 40em; border: 0" '
                'sandbox="allow-scripts"></iframe>')

    def save(self, path):
        """Writes the page to a file, which it replaces."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self):
        return f"<warpscope.Report: {len(self.html):,} characters of HTML>"
