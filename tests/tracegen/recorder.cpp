#include "tests/tracegen/recorder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kClockApart = 2'500'000;
constexpr std::int64_t kMissingLaunchEvery = 10;

// Kernels of the compute stream that get a defect, counted within each step.
constexpr int kNegativeKernel = 10;
constexpr int kAbsurdKernel = 14;
constexpr int kZeroKernel = 18;

std::string odd_name(const DefectSet& defects) {
  if (defects.has(Defect::bare_quote)) return R"(train.py(97): log("loss", step))";
  if (defects.has(Defect::backslash)) return R"(C:\code\_train\utils.py(97): log_loss)";
  if (defects.has(Defect::control_char)) return "aten::cross\x01_entropy\n\tloss\x1F";
  if (defects.has(Defect::bad_utf8)) return "aten::cross_\xFF\xFE\xC3(entropy_loss\x80";
  return {};
}

}  // namespace

Recorder::Recorder(const Options& options, const Program& program, const Place& place, std::unique_ptr<ByteSink> sink)
    : options_(options),
      place_(place),
      odd_op_(program.names[static_cast<std::size_t>(program.odd_op)]),
      odd_name_(odd_name(place.defects)),
      clock_ns_(place.defects.has(Defect::clock_apart) ? kClockApart : 0),
      missing_(options.seed * 0x9E3779B9ULL + static_cast<std::uint64_t>(place.rank)),
      pairs_(place.defects.has(Defect::begin_end)) {
  for (const NodeClock& clock : options.clocks) {
    if (clock.node != place.node) continue;
    clock_ns_ += clock.ahead_ns;
    clock_gains_ppb_ += clock.gains_ppb;
  }
  for (const Recorded& late : options.late_starts)
    if (late.rank == place.rank) records_from_ = place.start_ns + late.value;
  for (const Recorded& missing : options.missing_runs)
    if (missing.rank == place.rank) missing_percent_ = missing.value;
  if (sink) {
    writer_ = std::make_unique<KinetoWriter>(options, program, place, std::move(sink));
    writer_->header();
  }
  truth_.rank = place.written_rank;
  truth_.node = place.node;
  truth_.device = place.device;
  truth_.pid = place.pid;
  truth_.host = place.host;
  truth_.file = place.file;
  truth_.exact = !place.defects.has(Defect::truncated_stream);
  truth_.begin_ns = std::numeric_limits<std::int64_t>::max();
  truth_.end_ns = std::numeric_limits<std::int64_t>::min();
}

std::int64_t Recorder::settle(std::int64_t ns) const {
  std::int64_t time = ns + clock_ns_;
  if (clock_gains_ppb_ != 0) time += (ns - place_.start_ns) / 1000 * clock_gains_ppb_ / 1'000'000;
  return options_.generation == Generation::current ? time : time / 1000 * 1000;
}

std::int64_t& Recorder::category(std::string_view current, std::string_view old) {
  return truth_.slices_by_category[std::string(options_.generation == Generation::torch_1_8 ? old : current)];
}

void Recorder::count_slice(std::int64_t& counter, std::int64_t begin, std::int64_t end) {
  ++counter;
  ++truth_.slices;
  truth_.begin_ns = std::min(truth_.begin_ns, begin);
  truth_.end_ns = std::max(truth_.end_ns, end);
}

void Recorder::begin_step(int step) {
  step_ = step;
  kernel_in_step_ = 0;
}

void Recorder::host_events(std::span<const HostEvent> events) {
  if (!writing(Section::host)) return;
  // As in a real file: operators and annotations, then Python frames, then memory events.
  std::vector<HostEvent> open;
  for (const HostKind last : {HostKind::annotation, HostKind::frame, HostKind::memory}) {
    for (const HostEvent& event : events) {
      if (event.kind == last || (last == HostKind::annotation && event.kind == HostKind::op)) host_event(event, open);
    }
  }
  close_edges(open, std::numeric_limits<std::int64_t>::max());
}

void Recorder::host_event(const HostEvent& original, std::vector<HostEvent>& open) {
  const bool old = options_.generation == Generation::torch_1_8;
  if (original.kind == HostKind::memory && old) return;
  if (original.begin < records_from_) return;
  HostEvent event = original;
  event.begin = settle(event.begin);
  event.end = settle(event.end);
  if (event.kind == HostKind::memory) {
    if (writer_) writer_->host_event(event);
    return;
  }
  if (!odd_name_.empty() && event.name == odd_op_) event.name = odd_name_;
  const std::string_view kind = event.kind == HostKind::op           ? "cpu_op"
                                : event.kind == HostKind::annotation ? "user_annotation"
                                                                     : "python_function";
  const bool as_pair = pairs_ && event.kind == HostKind::annotation;
  count_slice(category(kind, as_pair ? kind : "Operator"), event.begin, event.end);
  if (event.flow == Flow::finish && !old) ++truth_.fwdbwd;
  if (event.kind == HostKind::annotation && event.name.starts_with("ProfilerStep#")) ++truth_.steps;
  if (!writer_) return;
  if (as_pair) {
    close_edges(open, event.begin);
    writer_->edge(event, true);
    open.push_back(event);
  } else {
    writer_->host_event(event);
  }
}

void Recorder::close_edges(std::vector<HostEvent>& open, std::int64_t until) {
  while (!open.empty() && open.back().end <= until) {
    writer_->edge(open.back(), false);
    open.pop_back();
  }
}

void Recorder::group(const Call& original, std::span<const Run> all) {
  if (!writing(Section::device)) return;
  std::span<const Run> runs = all;
  std::vector<Run> kept;
  if (records_from_ > 0 || missing_percent_ > 0) {
    for (const Run& run : all)
      if (run.begin >= records_from_ && (missing_percent_ == 0 || missing_.below(100) >= missing_percent_))
        kept.push_back(run);
    runs = kept;
    if (original.begin < records_from_) {
      for (const Run& run : runs) write_run(original, run, false);
      return;
    }
  }
  if (place_.defects.has(Defect::truncated) && step_ >= options_.steps / 2 && !runs.empty()) {
    cut_off_ = true;
    if (!writer_) return;
    Run last = runs.front();
    last.begin = settle(last.begin);
    last.end = settle(last.end);
    writer_->cut_off_in(last);
    return;
  }
  Call call = original;
  call.begin = settle(call.begin);
  call.end = settle(call.end);
  const bool missing = !runs.empty() && place_.defects.has(Defect::missing_launch) &&
                       launches_++ % kMissingLaunchEvery == kMissingLaunchEvery - 1;
  for (const Run& run : runs) write_run(call, run, !missing);
  if (missing) return;
  const RuntimeApiInfo& api = info(call.api);
  count_slice(category(api.driver ? "cuda_driver" : "cuda_runtime", "Runtime"), call.begin, call.end);
  ++truth_.calls;
  if (!runs.empty()) ++truth_.launches;
  if (writer_) writer_->call(call);
}

void Recorder::write_run(const Call& call, const Run& original, bool launched) {
  Run run = original;
  run.begin = settle(run.begin);
  run.end = settle(run.end);
  std::int64_t duration = run.end - run.begin;
  bool flagged = false;
  if (run.kernel != nullptr) {
    const int index = kernel_in_step_++;
    const DefectSet& defects = place_.defects;
    flagged = true;
    if (defects.has(Defect::negative_duration) && index == kNegativeKernel) {
      duration = -5000;
    } else if (defects.has(Defect::absurd_duration) && index == kAbsurdKernel) {
      // The result of unsigned arithmetic on a missing end, and the maximum.
      duration = step_ % 2 == 0 ? 18'446'744'073'709'551 : std::numeric_limits<std::int64_t>::max();
    } else if (defects.has(Defect::zero_begin) && index == kZeroKernel) {
      run.begin = writer_ ? writer_->origin() : 0;
    } else {
      flagged = false;
    }
  }
  const bool old = options_.generation == Generation::torch_1_8;
  std::int64_t* count = &truth_.kernels;
  std::string_view kind = old ? "Kernel" : "kernel";
  if (run.copy == Copy::set) {
    count = &truth_.sets;
    kind = old ? "Memset" : "gpu_memset";
  } else if (run.copy != Copy::none) {
    count = &truth_.copies;
    kind = old ? "Memcpy" : "gpu_memcpy";
  }
  ++*count;
  truth_.moved += run.copy == Copy::none ? 0 : run.bytes;
  std::int64_t& slices = truth_.slices_by_category[std::string(kind)];
  if (flagged) {
    ++truth_.flagged;
    ++truth_.slices;
    ++slices;
  } else {
    count_slice(slices, run.begin, run.begin + duration);
    busy_.add(run.begin, run.begin + duration);
    std::int64_t& stream_end = stream_end_[static_cast<std::size_t>(run.stream)];
    if (run.begin < stream_end) ++truth_.overlaps;
    stream_end = std::max(stream_end, run.begin + duration);
  }
  if (launched) ++truth_.connections;
  streams_.insert(run.stream);
  if (!writer_) return;
  writer_->run(run, duration);
  if (run.collective != nullptr && place_.defects.has(Defect::async)) writer_->async_events(call, run);
}

void Recorder::shadow(Shadow shadow) {
  if (!writing(Section::device) || options_.generation == Generation::torch_1_8) return;
  if (shadow.begin < records_from_) return;
  shadow.begin = settle(shadow.begin);
  shadow.end = settle(shadow.end);
  count_slice(category("gpu_user_annotation", ""), shadow.begin, shadow.end);
  if (writer_) writer_->shadow(shadow);
}

void Recorder::sample(Sample sample) {
  if (!writing(Section::device)) return;
  sample.time = settle(sample.time);
  ++truth_.samples;
  if (writer_) writer_->sample(sample);
}

void Recorder::finish(std::int64_t begin, std::int64_t end) {
  truth_.streams = static_cast<std::int64_t>(streams_.size());
  truth_.busy_ns = busy_.total();
  if (!cut_off_) {
    ++truth_.slices;
    ++truth_.slices_by_category["Trace"];
    if (options_.generation == Generation::current) {
      ++truth_.slices;
      ++truth_.slices_by_category["overhead"];
    }
  }
  if (!writer_) return;
  if (!cut_off_) writer_->trailer(settle(begin), settle(end));
  truth_.events = writer_->events();
}

}  // namespace warpscope::tracegen
