#pragma once
// When a file that a job still writes into is worth reading again. Reading takes as long as the file is, so a file that
// grows by a little each second must not be read each second; one that has come to rest is read at once. With a pause
// of five times the reading, following a file costs at most a sixth of a core, and what is shown is never older than
// that.
#include <chrono>
#include <map>
#include <string>

#include "core/ingest/listing/discover.hpp"

namespace warpscope::ingest {

class RereadPolicy {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLeastPause{2};
  static constexpr int kPauses = 5;  // of the time that the last reading took

  /// `source` was read, or nothing could be read of it; as it was before the reading began.
  void was_read(const trace::SourceFile& source, Clock::time_point end, Clock::duration took);
  void forget(const std::string& path) { read_.erase(path); }

  /// Whether to read `source`, as it is now: never if it was read in this state, at once if it was never read or is
  /// `settled`, else after the pause.
  [[nodiscard]] bool due(const trace::SourceFile& source, bool settled, Clock::time_point now) const;

 private:
  struct Reading {
    trace::SourceFile source;
    Clock::time_point end;
    Clock::duration took;
  };
  std::map<std::string, Reading> read_;
};

}  // namespace warpscope::ingest
