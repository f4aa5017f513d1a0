"""The former name of smprof, for scripts written for it."""

import sys

import smprof

sys.modules[__name__] = smprof
