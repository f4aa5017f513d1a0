#pragma once
// Follows a loaded directory that a job is still writing to: loads new files and rereads growing files.
#include <chrono>
#include <optional>

#include "core/ingest/listing/directory_watch.hpp"
#include "core/ingest/load/load_context.hpp"
#include "core/ingest/load/source_loader.hpp"

namespace warpscope::ingest {

class LoadWatch {
 public:
  LoadWatch(LoadContext& load, SourceLoader& sources) : load_(load), sources_(sources) {}

  /// Scans the directory and loads new data.
  void look();
  /// Returns how long to wait before the next scan.
  [[nodiscard]] std::chrono::milliseconds pause() const;
  /// Returns true if nothing has changed for `time`.
  [[nodiscard]] bool quiet_for(std::chrono::milliseconds time) const;

 private:
  void note(const SourceChange& change);

  LoadContext& load_;
  SourceLoader& sources_;
  std::optional<DirectoryWatch> watch_;
  std::optional<LoadContext::Clock::time_point> quiet_since_;  // none: nothing changed since the load
};

}  // namespace warpscope::ingest
