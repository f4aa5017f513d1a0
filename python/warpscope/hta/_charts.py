"""Charts for visualize=True, if plotly is installed."""

import functools
import warnings


@functools.lru_cache(maxsize=None)
def _express():
    """Returns plotly.express; without it, warns once and returns None."""
    try:
        import plotly.express
    except ImportError:
        warnings.warn("plotly is not installed, so visualize=True shows nothing; install it, or pass visualize=False",
                      stacklevel=5)
        return None
    return plotly.express


def show(visualize, kind, frame, title, renderer=None, **options):
    """Shows a chart of plotly.express, such as kind="bar", x="rank". No-op if `visualize` is false."""
    if not visualize or frame is None or frame.empty:
        return
    express = _express()
    if express is not None:
        getattr(express, kind)(frame, title=title, **options).show(renderer=renderer or None)
