#include "core/sql/aggregates.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warpscope::sql {

namespace {

std::optional<double> number_in(sqlite3_value* value) {
  const int type = sqlite3_value_numeric_type(value);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? std::optional(sqlite3_value_double(value)) : std::nullopt;
}

/// State of median and percentile; all zero at first. SQLite allocates the values, so that its memory limit includes
/// them.
struct Values {
  double* data;
  std::size_t size;
  std::size_t room;
  double percent;
};

void add_value(sqlite3_context* context, int count, sqlite3_value** arguments) {
  auto* const own = static_cast<Values*>(sqlite3_aggregate_context(context, sizeof(Values)));
  if (own == nullptr) return sqlite3_result_error_nomem(context);
  own->percent = 50;
  if (count > 1) {
    const auto percent = number_in(arguments[1]);
    if (!percent || !(*percent >= 0 && *percent <= 100))
      return sqlite3_result_error(context, "percentile(x, p) needs p between 0 and 100", -1);
    own->percent = *percent;
  }
  const auto number = number_in(arguments[0]);
  if (!number) return;
  if (own->size == own->room) {
    const std::size_t room = std::max<std::size_t>(64, own->room * 2);
    void* const grown = sqlite3_realloc64(own->data, room * sizeof(double));
    if (grown == nullptr) return sqlite3_result_error_nomem(context);
    own->data = static_cast<double*>(grown);
    own->room = room;
  }
  own->data[own->size++] = *number;
}

void finish_percentile(sqlite3_context* context) {
  const auto* const own = static_cast<const Values*>(sqlite3_aggregate_context(context, 0));
  if (own == nullptr || own->size == 0) return;
  const std::span<double> values(own->data, own->size);
  const double place = own->percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(values, below);
  const double rest = place - std::floor(place);
  double result = *below;
  if (rest > 0) result += rest * (*std::min_element(below + 1, values.end()) - result);
  sqlite3_result_double(context, result);
  sqlite3_free(own->data);
}

/// State of stddev: Welford's algorithm.
struct Moments {
  std::int64_t count;
  double mean;
  double squares;
};

void add_moment(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
  const auto number = number_in(arguments[0]);
  if (!number) return;
  auto* const own = static_cast<Moments*>(sqlite3_aggregate_context(context, sizeof(Moments)));
  if (own == nullptr) return sqlite3_result_error_nomem(context);
  const double off = *number - own->mean;
  own->mean += off / static_cast<double>(++own->count);
  own->squares += off * (*number - own->mean);
}

void finish_stddev(sqlite3_context* context) {
  const auto* const own = static_cast<const Moments*>(sqlite3_aggregate_context(context, 0));
  if (own == nullptr || own->count < 2) return;
  sqlite3_result_double(context, std::sqrt(own->squares / static_cast<double>(own->count - 1)));
}

}  // namespace

bool add_aggregates(sqlite3* database) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const auto add = [&](const char* name, int arguments, auto step, auto finish) {
    return sqlite3_create_function_v2(database, name, arguments, kFlags, nullptr, nullptr, step, finish, nullptr) ==
           SQLITE_OK;
  };
  return add("median", 1, add_value, finish_percentile) && add("percentile", 2, add_value, finish_percentile) &&
         add("stddev", 1, add_moment, finish_stddev);
}

}  // namespace warpscope::sql
