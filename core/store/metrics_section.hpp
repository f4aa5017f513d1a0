#pragma once
// What a node measured of itself, in a store: a head that says which series there are, and their columns. All of it is
// read at once: it is small beside the ranks.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/format.hpp"
#include "core/store/section_writer.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::store {

/// Where the two sections are.
struct MetricsPlace {
  SectionRef head;
  SectionRef columns;
};

/// Both sections one after the other; the refs count from the begin of `bytes`.
struct MetricsBytes {
  std::vector<std::uint8_t> bytes;
  MetricsPlace place;
};

[[nodiscard]] MetricsBytes write_metrics(const trace::NodeMetrics& metrics, const Packing& packing);
/// The refs count from the begin of the file. `checked`: see SectionReader. Errors: the store is damaged.
[[nodiscard]] Result<std::shared_ptr<const trace::NodeMetrics>> read_metrics(const StoreBytes& bytes,
                                                                             const MetricsPlace& place, bool checked);

}  // namespace warpscope::store
