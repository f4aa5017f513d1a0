#pragma once
// The GPU activity of a rank, separated by device. Code that handles one device after the other takes a device's rows
// from here: filtering all rows for each device takes quadratic time if a file has thousands of devices.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

class RowsByDevice {
 public:
  /// `rows` must outlive this object. Copies them only if there are several devices. O(n log n).
  explicit RowsByDevice(std::span<const GpuRow> rows) : rows_(rows) {
    if (std::ranges::adjacent_find(rows, std::ranges::not_equal_to(), &GpuRow::device) == rows.end()) return;
    sorted_.assign(rows.begin(), rows.end());
    std::ranges::stable_sort(sorted_, {}, &GpuRow::device);
    rows_ = sorted_;
  }
  RowsByDevice(const RowsByDevice&) = delete;
  RowsByDevice& operator=(const RowsByDevice&) = delete;

  /// Returns the rows of a device, in the order of all rows. O(log n).
  [[nodiscard]] std::span<const GpuRow> of(std::uint32_t device) const {
    const auto found = std::ranges::equal_range(rows_, device, {}, &GpuRow::device);
    return {found.begin(), found.end()};
  }
  /// Calls visit(device, rows) for each device that has rows.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < rows_.size();) {
      const std::span<const GpuRow> own = of(rows_[i].device);
      visit(own.front().device, own);
      i += own.size();
    }
  }

 private:
  std::vector<GpuRow> sorted_;
  std::span<const GpuRow> rows_;
};

/// Calls visit(group, rows) for each device group (see device_groups) that has rows.
template <class Visit>
void for_each_device_group(std::span<const GpuRow> rows, bool hta, Visit visit) {
  if (!hta)
    RowsByDevice(rows).for_each(visit);
  else if (!rows.empty())
    visit(std::uint32_t{0}, rows);
}

}  // namespace warpscope::analysis
