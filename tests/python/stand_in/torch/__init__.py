"""Takes the place of PyTorch in tests of smprof: records which calls were made."""

from torch import distributed, profiler
