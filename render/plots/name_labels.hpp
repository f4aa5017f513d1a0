#pragma once
// Labels for names in charts and table views. Kernels are shortened by trace::kernel_labels() so that labels shown
// together stay distinguishable. Names of annotations and operators are not shortened.
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::plots {

/// Returns true if the column has kernel names or sequences of kernel names, possibly among other names. False for
/// columns of annotations and operators.
[[nodiscard]] bool holds_kernels(const Table& table, std::size_t column);

/// Labels for strings that are shown together. Each string is a kernel name or a sequence ("aten::add|kernel a|kernel
/// a", "kernel a -> kernel b"). Consecutive equal names in a sequence are combined: "aten::add → kernel a ×2".
class NameLabels {
 public:
  NameLabels() = default;
  explicit NameLabels(std::span<const std::string_view> texts);
  /// Labels the first `most` distinct strings in the first `rows` rows of the column.
  NameLabels(const Table& table, std::size_t column, std::size_t most = 1000, std::size_t rows = 20'000);

  /// Returns the label of a string. Strings not passed to the constructor are labeled independently of the others.
  [[nodiscard]] std::string of(std::string_view text) const;

 private:
  void add(std::span<const std::string_view> texts);

  std::map<std::string, std::string, std::less<>> by_name_;
};

/// Returns a copy of the table for display, with kernel labels instead of names. If a "kind" column gives the type of
/// each row, only kernels are labeled.
[[nodiscard]] Table with_labels(const Table& table);

}  // namespace warpscope::plots
