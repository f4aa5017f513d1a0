#pragma once
// Takes a snapshot of all samplers at regular times and writes it. It does not wait: its owner calls sample() when it
// is due, and meanwhile looks after signals and the recorded program.
//
// A snapshot has the time of the previous one, because most values are those of the time in between, and readers show
// a value from its time on. Times are those of the wall clock at the start plus the time that has passed since: if the
// wall clock jumps, for example because it is set, the times of samples continue without the jump.
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
  std::function<Ns()> steady;  ///< never jumps; includes time in which the machine sleeps
};
[[nodiscard]] Clocks system_clocks();

class Recorder {
 public:
  /// `writer` must outlive the recorder. Takes the first readings, which the rates of the first snapshot refer to.
  Recorder(std::vector<std::unique_ptr<Sampler>> samplers, MetricsWriter& writer, Ns interval, Say say,
           Clocks clocks = system_clocks());

  /// When the next snapshot is due, on the steady clock.
  [[nodiscard]] Ns due() const { return due_; }
  void sample();
  /// Takes a last snapshot, unless the previous one was just now, and marks the recording as ended. There is at least
  /// one.
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
  Ns offset_ = 0;  // by how much the wall clock differed when it was last checked
  std::vector<Sample> samples_;
};

}  // namespace warpscope::record
