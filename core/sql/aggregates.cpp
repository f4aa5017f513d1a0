#include "core/sql/aggregates.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace warpscope::sql {

namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 26;  // 512 MiB

std::optional<double> number_in(sqlite3_value* value) {
  const int type = sqlite3_value_numeric_type(value);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? std::optional(sqlite3_value_double(value)) : std::nullopt;
}

/// State of median and percentile.
struct Values {
  std::vector<double> values;
  double percent = 50;
};

Values** values_of(sqlite3_context* context, bool create) {
  return static_cast<Values**>(sqlite3_aggregate_context(context, create ? sizeof(Values*) : 0));
}

void add_value(sqlite3_context* context, int count, sqlite3_value** arguments) {
  Values** const slot = values_of(context, true);
  if (slot != nullptr && *slot == nullptr) *slot = new (std::nothrow) Values;
  if (slot == nullptr || *slot == nullptr) return sqlite3_result_error_nomem(context);
  Values& own = **slot;
  if (count > 1) {
    const auto percent = number_in(arguments[1]);
    if (!percent || !(*percent >= 0 && *percent <= 100))
      return sqlite3_result_error(context, "percentile(x, p) needs p between 0 and 100", -1);
    own.percent = *percent;
  }
  const auto number = number_in(arguments[0]);
  if (!number) return;
  if (own.values.size() >= kMostValues) return sqlite3_result_error_toobig(context);
  own.values.push_back(*number);
}

void finish_percentile(sqlite3_context* context) {
  Values** const slot = values_of(context, false);
  const std::unique_ptr<Values> own(slot == nullptr ? nullptr : *slot);
  if (!own || own->values.empty()) return;
  std::vector<double>& values = own->values;
  const double place = own->percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(values, below);
  const double rest = place - std::floor(place);
  double result = *below;
  if (rest > 0) result += rest * (*std::min_element(below + 1, values.end()) - result);
  sqlite3_result_double(context, result);
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
