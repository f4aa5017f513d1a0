#pragma once
// Takes a snapshot of all samplers at regular intervals and writes it. The recorder never waits: its owner calls
// sample() when a snapshot is due and handles signals and the recorded program in between.
//
// Each snapshot is labeled with the time of the previous one, because most values cover the interval between the two,
// and readers show each value from its timestamp onward. Timestamps are the wall clock time at the start of the
// recording plus the time elapsed since then. If the wall clock jumps, for example when it is set, sample timestamps
// ignore the jump.
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/time.hpp"
#include "core/record/metrics_writer.hpp"
#include "core/record/sampler.hpp"

namespace warpscope::record {

struct Clocks {
  std::function<Ns()> wall;    ///< ns since the Unix epoch
  std::function<Ns()> steady;  ///< never jumps; includes time the machine spends asleep
};
[[nodiscard]] Clocks system_clocks();

class Recorder {
 public:
  /// `writer` must outlive the recorder. Takes the initial readings, which the first snapshot needs to compute rates.
  Recorder(std::vector<std::unique_ptr<Sampler>> samplers, MetricsWriter& writer, Ns interval, Say say,
           Clocks clocks = system_clocks());

  /// Returns the time of the next snapshot, on the steady clock.
  [[nodiscard]] Ns due() const { return due_; }
  void sample();
  /// Takes a final snapshot unless one was just taken, and marks the recording as ended. A recording always contains at
  /// least one snapshot.
  void finish();

 private:
  void take_readings(Ns now);
  void check_wall_clock(Ns time);

  std::vector<std::unique_ptr<Sampler>> samplers_;
  MetricsWriter& writer_;
  Ns interval_;
  Say say_;
  Clocks clocks_;
  Ns wall_start_;
  Ns steady_start_;
  std::optional<Ns> last_;  // reading, on the steady clock
  bool sampled_ = false;
  Ns due_ = 0;
  Ns offset_ = 0;  // offset of the wall clock when last checked
  std::vector<Sample> samples_;
};

}  // namespace warpscope::record
