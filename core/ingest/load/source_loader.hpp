#pragma once
// Loads sources: from the store if unchanged, otherwise by reading them on several threads. Corruption found in the
// store is recorded there (StoreFile::damage).
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/ingest/load/load_context.hpp"
#include "core/ingest/load/memory_limiter.hpp"
#include "core/ingest/read/crew.hpp"

namespace warpscope::ingest {

class SourceLoader {
 public:
  SourceLoader(LoadContext& load, MemoryLimiter& memory) : load_(load), memory_(memory) {}

  /// Lets the next take() load metrics from the store. No-op without a store.
  void open_store();
  /// Loads all `sources`, for which jobs must exist. `growing` (may be empty): returns whether a file is still being
  /// written.
  void take(const std::vector<trace::SourceFile>& sources, const std::function<bool(const std::string&)>& growing = {});

 private:
  void take_one(SourceJob& job, bool growing);
  bool take_from_store(SourceJob& job);
  void read(SourceJob& job, bool growing);
  void add(const std::string& file, std::vector<std::shared_ptr<const trace::Rank>> ranks, bool growing);
  void drop(const trace::SourceFile& source, const Error& error);

  LoadContext& load_;
  MemoryLimiter& memory_;
  Crew crew_;
  unsigned threads_ = 1;
  // By source; nullopt if not loaded from the store.
  std::optional<std::map<std::string, std::shared_ptr<const trace::NodeMetrics>>> stored_metrics_;
};

}  // namespace warpscope::ingest
