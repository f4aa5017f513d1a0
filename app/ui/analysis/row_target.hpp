#pragma once
// Determines what the Timeline shows for a table row, based on the table's columns. In order of preference: the slice
// that the row's name refers to; a time range, with rank or stream if known; all slices with the row's name; the row's
// rank or stream.
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/model/timeline_request.hpp"
#include "core/analysis/operators/call_tables.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// Returns the Timeline request for a row, or nullopt if there is nothing to show. The table must come from this
/// profile. Reads no columns.
[[nodiscard]] std::optional<TimelineRequest> target_of(const trace::Profile& profile, const Table& table,
                                                       std::size_t row);

/// Returns a query for the slices that a row counts: of its kind of activity, or with its name; limited to its rank if
/// it has one. nullopt if there are none, as for idle time, or if the row describes a step.
[[nodiscard]] std::optional<analysis::CallQuery> calls_of_row(const trace::Profile& profile, const Table& table,
                                                              std::size_t row);

/// Shows a row of a table of the answer in the Timeline. If the row has a rank but no time, shows `range`. The Timeline
/// does not highlight ranks or streams, so a message names them. No-op for an answer about an older profile.
void follow_row(AppContext& app, const AnalysisAnswer& answer, std::size_t table, std::size_t row,
                std::optional<Interval> range = std::nullopt);

}  // namespace warpscope::ui
