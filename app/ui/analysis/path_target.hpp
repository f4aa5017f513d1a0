#pragma once
// The Timeline target of a row of the critical path analysis: the path, recomputed with the same parameters, and the
// edge if the row is one.
#include <optional>
#include <span>
#include <vector>

#include "app/ui/model/timeline_request.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

/// `tables` are the result of the analysis for `settings`; `table` is one of them. Returns nullopt if the rank of the
/// row has no path.
[[nodiscard]] std::optional<PathRequest> path_of_row(const trace::Profile& profile, const std::vector<Table>& tables,
                                                     const Table& table, std::size_t row,
                                                     std::span<const analysis::Setting> settings);

}  // namespace warpscope::ui
