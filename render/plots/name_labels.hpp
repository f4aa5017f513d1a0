#pragma once
// Names in tables as charts and table views show them: kernels by trace::kernel_labels(), so that those shown together
// stay distinguishable; names of annotations and operators whole.
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::plots {

/// True if the column has names of kernels, alone or in sequences, possibly among other names. False for columns of
/// annotations and operators.
[[nodiscard]] bool holds_kernels(const Table& table, std::size_t column);

/// Labels of texts that are shown together, each a kernel or a sequence ("aten::add|kernel a|kernel a", "kernel a ->
/// kernel b"), of which equal neighbors are counted: "aten::add → kernel a ×2".
class NameLabels {
 public:
  NameLabels() = default;
  explicit NameLabels(std::span<const std::string_view> texts);
  /// Of the first `most` different texts of the column, within its first `rows` rows.
  NameLabels(const Table& table, std::size_t column, std::size_t most = 1000, std::size_t rows = 20'000);

  /// A text that was not among the given ones has the label that it has alone.
  [[nodiscard]] std::string of(std::string_view text) const;

 private:
  void add(std::span<const std::string_view> texts);

  std::map<std::string, std::string, std::less<>> by_name_;
};

/// The table with the labels of its kernels in place of their names, for people to read. Where a column "kind" says
/// what a row is, only kernels have labels.
[[nodiscard]] Table with_labels(const Table& table);

}  // namespace warpscope::plots
