#pragma once
// Where a row of the analysis of critical paths leads in the Timeline: to the path itself, found again as the analysis
// found it, and of a link to that link.
#include <optional>
#include <span>
#include <vector>

#include "app/ui/model/path_wish.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

/// `tables` are its answer to `settings`, of which `table` is one. Nothing if the row is of a rank without a path.
[[nodiscard]] std::optional<PathWish> path_of_row(const trace::Profile& profile, const std::vector<Table>& tables,
                                                  const Table& table, std::size_t row,
                                                  std::span<const analysis::Setting> settings);

}  // namespace warpscope::ui
