"""The public interface of Holistic Trace Analysis (HTA) 0.6, computed by Warpscope.

A notebook changes one import:

    from warpscope.hta import TimeSeriesTypes, TraceAnalysis    # was: from hta.trace_analysis import …

    analyzer = TraceAnalysis(trace_dir="traces")
    analyzer.get_temporal_breakdown(visualize=False)

Results are exact. TraceAnalysis(trace_dir="traces", hta=True) reproduces HTA's; docs/guide/hta.md lists what differs.
Requires pandas; charts require plotly.
"""

from .trace_analysis import TimeSeriesTypes, TraceAnalysis

__all__ = ["TimeSeriesTypes", "TraceAnalysis"]
