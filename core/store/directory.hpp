#pragma once
// The directory at the end of a store: its sources and their positions, and diagnostics for the loaded path.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/store/format.hpp"
#include "core/store/metrics_section.hpp"
#include "core/store/rank_reader.hpp"
#include "core/store/source_key.hpp"

namespace warpscope::store {

struct SourceEntry {
  SourceKey key;
  std::optional<RankPlace> rank;  ///< nullopt if the source has no rank
  std::uint64_t slices = 0;
  std::optional<SectionRef> archive;  ///< index of its event text archive; offset from byte 0 of the file
};

struct Directory {
  std::string program;  ///< the program that wrote it: "warpscope 0.1.0"
  std::string root;     ///< loaded path
  Diagnostics diagnostics;
  std::vector<SourceEntry> sources;
  std::vector<MetricsPlace> metrics;  ///< one per node with metrics
};

[[nodiscard]] std::vector<std::uint8_t> write_directory(const Directory& directory);
/// Parses a directory; nullopt if it is inconsistent. `end`: position of the directory in the file; everything else
/// precedes it.
[[nodiscard]] std::optional<Directory> read_directory(std::span<const std::uint8_t> bytes, std::uint64_t end);

}  // namespace warpscope::store
