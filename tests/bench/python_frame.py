"""Measures p.sql() in this process: seconds of each run, bytes of the DataFrame, and Python's peak memory above what it
used before the query, until all values have been counted. Prints JSON.  Usage: python_frame.py PACKAGE PATH QUERY RUNS"""

import json
import sys
import time


def peak_bytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


def main():
    package, path, query, runs = sys.argv[1:]
    sys.path.insert(0, package)
    try:
        import pandas
    except ImportError:
        print(json.dumps({"error": "pandas is not installed"}))
        return
    import warpscope
    profile = warpscope.open(path)
    before, peak = peak_bytes(), 0
    frame = profile.sql(query)
    for name in frame.columns:  # reads all values: those of numbers are mapped
        frame[name].nunique()
        peak = max(peak, peak_bytes() - before)
    seconds = []
    for _ in range(int(runs)):
        del frame
        began = time.monotonic()
        frame = profile.sql(query)
        seconds.append(time.monotonic() - began)
    print(json.dumps({"pandas": pandas.__version__, "rows": len(frame), "columns": len(frame.columns),
                      "frame_bytes": int(frame.memory_usage(index=False).sum()), "peak_bytes": peak,
                      "median_seconds": sorted(seconds)[len(seconds) // 2], "least_seconds": min(seconds)}))


main()
