#include "core/sql/functions.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/slices/slice_details.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::sql {

namespace {

void set_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

ArgumentReader& reader_of(sqlite3_context* context) {
  return *static_cast<ArgumentReader*>(sqlite3_user_data(context));
}

/// Returns the slice whose number is a function's first argument; nullopt for NULL and for unknown numbers.
std::optional<trace::SliceRef> slice_in(sqlite3_context* context, sqlite3_value** values) {
  if (sqlite3_value_numeric_type(values[0]) != SQLITE_INTEGER) return std::nullopt;
  return slice_of(reader_of(context).context().profile(), sqlite3_value_int64(values[0]));
}

void arg(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto slice = slice_in(context, values);
  const auto* name = reinterpret_cast<const char*>(sqlite3_value_text(values[1]));
  if (!slice || name == nullptr) return;
  const auto value = reader_of(context).read(*slice, name);
  if (!value) return sqlite3_result_error(context, value.error().message().c_str(), -1);
  if (*value == nullptr) return;
  const std::string& text = **value;
  if (const auto integer = parse_number<std::int64_t>(text)) return sqlite3_result_int64(context, *integer);
  if (const auto real = parse_number<double>(text); real && *real - *real == 0)
    return sqlite3_result_double(context, *real);
  set_text(context, text);
}

void parent(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto slice = slice_in(context, values);
  if (!slice) return;
  const auto enclosing = analysis::enclosing_slices(reader_of(context).context().profile(), *slice);
  if (!enclosing.empty()) sqlite3_result_int64(context, slice_id(enclosing.back()));
}

void path(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto slice = slice_in(context, values);
  if (!slice) return;
  const trace::Profile& profile = reader_of(context).context().profile();
  std::string text;
  const auto append = [&](trace::SliceRef each) {
    for (const trace::SliceRef outer : analysis::enclosing_slices(profile, each))
      text.append(profile.name(outer)).append(" / ");
    text.append(profile.name(each));
  };
  if (const trace::Connection* launch = profile.ranks[slice->rank]->launches.cause_of(slice->slice)) {
    append({slice->rank, launch->from});
    text.append(" / ");
  }
  append(*slice);
  set_text(context, text);
}

void ns(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  if (text == nullptr) return;
  const auto time = parse_time(text);
  if (time) return sqlite3_result_int64(context, *time);
  sqlite3_result_error(context, ("ns('" + std::string(text) + "'): " + time.error().what).c_str(), -1);
}

}  // namespace

std::vector<trace::SliceOrdinal> ArgumentReader::slices_ahead(trace::SliceRef slice) const {
  const trace::Rank& rank = *context_.profile().ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  const NameId name = rank.name(slice.slice);
  const trace::CategoryId category = rank.category(slice.slice);
  std::vector<trace::SliceOrdinal> alike;
  std::vector<trace::SliceOrdinal> others;
  for (std::uint32_t l = place.lane; l < rank.lanes.size() && alike.size() < kAhead; ++l) {
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = l == place.lane ? place.index : 0; i < lane.size() && alike.size() < kAhead; ++i) {
      if (lane.name(i) == name)
        alike.push_back(rank.ordinal({l, i}));
      else if (others.size() < kAhead && lane.category(i) == category)
        others.push_back(rank.ordinal({l, i}));
    }
  }
  others.resize(std::min(others.size(), kAhead - alike.size()));
  alike.insert(alike.end(), others.begin(), others.end());
  return alike;
}

Result<const std::string*> ArgumentReader::read(trace::SliceRef slice, std::string_view argument) {
  if (kept_ > kMostKept) {
    values_.clear();
    kept_ = 0;
  }
  auto own = values_.find(argument);
  if (own == values_.end()) own = values_.try_emplace(std::string(argument)).first;
  auto found = own->second.find(slice_id(slice));
  if (found == own->second.end()) {
    std::vector<std::string> paths;  // of each argument: nested, then at the top
    for (const auto& [name, values] : values_) {
      paths.push_back("args." + name);
      paths.push_back(name);
    }
    const std::vector<std::string_view> wanted(paths.begin(), paths.end());
    const auto keep = [&](trace::SliceOrdinal each, const ingest::EventText& event) {
      auto path = paths.begin();
      for (auto& [name, values] : values_) {
        const std::string* text = event.find(*path++);
        const std::string* top = event.find(*path++);
        if (text == nullptr) text = top;
        values[slice_id({slice.rank, each})] = text == nullptr ? std::nullopt : std::optional(*text);
        ++kept_;
      }
    };
    const bool alone = ++reads_[slice.rank] <= kReadsAlone;
    const ingest::EventLookup& events = context_.options().events != nullptr ? *context_.options().events : own_;
    if (Failure failure =
            events.read_each(*context_.profile().ranks[slice.rank],
                             alone ? std::vector{slice.slice} : slices_ahead(slice), keep, context_.cancel, wanted))
      return *failure;
    found = own->second.try_emplace(slice_id(slice)).first;
  }
  return found->second ? &*found->second : nullptr;
}

bool add_functions(sqlite3* database, ArgumentReader& reader) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const auto add = [&](const char* name, int arguments, auto function) {
    return sqlite3_create_function_v2(database, name, arguments, kFlags, &reader, function, nullptr, nullptr,
                                      nullptr) == SQLITE_OK;
  };
  return add("arg", 2, arg) && add("parent", 1, parent) && add("path", 1, path) && add("ns", 1, ns);
}

}  // namespace warpscope::sql
