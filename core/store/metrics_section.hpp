#pragma once
// A node's system metrics in a store: a header listing the series, followed by their columns. They are read completely,
// not on first use, because they are small compared to the ranks.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/format.hpp"
#include "core/store/section_writer.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::store {

/// Positions of the two sections.
struct MetricsPlace {
  SectionRef head;
  SectionRef columns;
};

/// Both sections, concatenated. Ref offsets are relative to the start of `bytes`.
struct MetricsBytes {
  std::vector<std::uint8_t> bytes;
  MetricsPlace place;
};

[[nodiscard]] MetricsBytes write_metrics(const trace::NodeMetrics& metrics, const Packing& packing);
/// Reads the metrics at `place`; its offsets are relative to the start of the file. `checked`: see SectionReader.
/// Errors: the store is corrupt.
[[nodiscard]] Result<std::shared_ptr<const trace::NodeMetrics>> read_metrics(const StoreBytes& bytes,
                                                                             const MetricsPlace& place, bool checked);

}  // namespace warpscope::store
