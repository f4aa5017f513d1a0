#pragma once
// Decides when to reread a file that a job is still writing. Reading time grows with the file, so a file that grows a
// little each second must not be reread every second; a file that stopped growing is reread immediately. A pause of
// five times the reading time limits the cost of following a file to a sixth of a core; displayed data is never older
// than that pause.
#include <chrono>
#include <map>
#include <string>

#include "core/ingest/listing/discover.hpp"

namespace warpscope::ingest {

class RereadPolicy {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLeastPause{2};
  static constexpr int kPauses = 5;  // times the last reading time

  /// Records that `source` was read or found unreadable. Pass the state from before the read started.
  void was_read(const trace::SourceFile& source, Clock::time_point end, Clock::duration took);
  void forget(const std::string& path) { read_.erase(path); }

  /// Returns whether to read `source` in its current state: never if this state was already read, immediately if the
  /// file was never read or is `settled`, otherwise after the pause.
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
