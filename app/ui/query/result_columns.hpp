#pragma once
// What the columns of a query's result are: times, durations, bytes, ranks, slices. SQL returns numbers; their meaning
// comes from the table column that a result column is, or from the expression that computes it: `sum(dur) AS time` is a
// duration. Used for units, charts and links to the Timeline; values and names stay as SQL has them.
#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/model/timeline_request.hpp"
#include "core/base/table.hpp"
#include "core/sql/relation.hpp"

namespace warpscope::ui {

/// Sets the kinds and roles of a result's columns and returns those that contain slices. `fields`: see sql::Limits.
[[nodiscard]] std::vector<std::size_t> describe_columns(std::vector<Column>& columns,
                                                        const std::vector<const sql::Field*>& fields,
                                                        std::string_view query);

/// Returns the slice in the first of these columns that has one in this row.
[[nodiscard]] std::optional<trace::SliceRef> slice_in(const trace::Profile& profile, const Table& rows, std::size_t row,
                                                      const std::vector<std::size_t>& slices);

}  // namespace warpscope::ui
