#pragma once
// What stands at the end of a store: which sources it holds, where, and what was said of the directory they came from.
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

/// Texts of the events of one source, packed by someone else: the store keeps them as they are.
struct ArchivePlace {
  SectionRef index;          ///< what the archive needs to find a block, and the places of the blocks; from byte 0
  std::uint64_t blocks = 0;  ///< how many
  std::uint64_t bytes = 0;   ///< of all blocks
};

struct SourceEntry {
  SourceKey key;
  std::optional<RankPlace> rank;  ///< nothing if the source yielded none
  std::uint64_t slices = 0;
  std::optional<ArchivePlace> archive;
};

struct Directory {
  std::string program;  ///< what wrote it: "warpscope 0.1.0"
  std::string root;     ///< the path that was loaded
  Diagnostics diagnostics;
  std::vector<SourceEntry> sources;
  std::vector<MetricsPlace> metrics;  ///< of each node that measured itself
};

[[nodiscard]] std::vector<std::uint8_t> write_directory(const Directory& directory);
/// Nothing if it contradicts itself. `end`: where the directory begins; everything else lies before it.
[[nodiscard]] std::optional<Directory> read_directory(std::span<const std::uint8_t> bytes, std::uint64_t end);

}  // namespace warpscope::store
