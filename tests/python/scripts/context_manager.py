"""A script as SageMaker Profiler's users write them, with annotations as context managers."""

import os

import training_loop

if os.environ.get("IMPORT_TORCH"):
    import torch

try:
    import smprof
except ImportError:
    import smppy as smprof

SMProf = smprof.SMProfiler.instance()
config = smprof.Config()
config.profiler = {
    "EnableCuda": "1",
}
SMProf.configure(config)
SMProf.start_profiling()
training_loop.wait_for_ranks()

for i in range(training_loop.STEPS):
    with smprof.annotate("step_" + str(i)), training_loop.Stopwatch("step"):
        for phase in training_loop.PHASES:
            with smprof.annotate(phase):
                training_loop.work(phase)

SMProf.stop_profiling()
training_loop.save_measured()
