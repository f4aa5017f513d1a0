"""The former name of smprof, for scripts that still import it."""

import sys

import smprof

sys.modules[__name__] = smprof
