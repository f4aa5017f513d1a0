"""The same with the former name of the module, and with annotations that start and end in separate lines."""

import os

import smppy
import training_loop

if os.environ.get("IMPORT_TORCH"):
    import torch

SMProf = smppy.SMProfiler.instance()
config = smppy.Config()
config.profiler = {
    "EnableCuda": "1",
}
SMProf.configure(config)
SMProf.start_profiling()
training_loop.wait_for_ranks()

for i in range(training_loop.STEPS):
    step_annotator = smppy.annotation_begin("step_" + str(i))
    with training_loop.Stopwatch("step"):
        for phase in training_loop.PHASES:
            annotator = smppy.annotation_begin(phase)
            training_loop.work(phase)
            smppy.annotation_end(annotator)
    smppy.annotation_end(step_annotator)

SMProf.stop_profiling()
training_loop.save_measured()
