"""What TraceAnalysis.t and its parts are, under HTA's module names."""
