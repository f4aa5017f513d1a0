#include "app/ui/load/list_filter.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <sstream>

#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/natural_order.hpp"

namespace warpscope::ui {
namespace {

constexpr Ns kSecond = 1'000'000'000;
constexpr Ns kDay = 86400 * kSecond;

Ns start_of_today(Ns now) {
  const auto seconds = static_cast<std::time_t>(now / kSecond);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  parts.tm_hour = parts.tm_min = parts.tm_sec = 0;
  parts.tm_isdst = -1;
  return Ns{std::mktime(&parts)} * kSecond;
}

/// Returns -1, 0 or 1; unknown values come last.
template <class T>
int compared(const std::optional<T>& a, const std::optional<T>& b, bool descending) {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  if (*a == *b) return 0;
  return (*a < *b) != descending ? -1 : 1;
}

int compared_text(std::string_view a, std::string_view b, bool descending) {
  const int order = natural_less(a, b) ? -1 : natural_less(b, a) ? 1 : 0;
  return descending ? -order : order;
}

int compared_by(const ingest::FoundProfile& a, const ingest::FoundProfile& b, ListColumn column, bool descending) {
  switch (column) {
    case ListColumn::name:
      return compared_text(a.name, b.name, descending);
    case ListColumn::created:
      return compared(a.created, b.created, descending);
    case ListColumn::status:
      return compared_text(ingest::to_string(a.status), ingest::to_string(b.status), descending);
    case ListColumn::nodes:
      return compared(a.nodes, b.nodes, descending);
    case ListColumn::ranks:
      return compared(a.ranks, b.ranks, descending);
    case ListColumn::gpus:
      return compared(a.gpus, b.gpus, descending);
    case ListColumn::size:
      return compared(std::optional(a.bytes), std::optional(b.bytes), descending);
    case ListColumn::source:
      return compared_text(ingest::sources_text(a), ingest::sources_text(b), descending);
    case ListColumn::folder:
      break;
  }
  return 0;
}

}  // namespace

std::string_view to_string(ListAge age) {
  constexpr std::array<std::string_view, kListAges> kNames = {"Any time", "Today", "Last 7 days", "Last 30 days",
                                                              "Last 365 days"};
  return kNames[static_cast<std::size_t>(age)];
}

std::optional<Ns> earliest(ListAge age, Ns now) {
  switch (age) {
    case ListAge::any:
      return std::nullopt;
    case ListAge::day:
      return start_of_today(now);
    case ListAge::week:
      return now - 7 * kDay;
    case ListAge::month:
      return now - 30 * kDay;
    case ListAge::year:
      return now - 365 * kDay;
  }
  return std::nullopt;
}

bool ListFilter::passes(const ingest::FoundProfile& profile) const {
  if (status && profile.status != *status) return false;
  if (from && (!profile.created || *profile.created < *from)) return false;
  const std::string text = words.empty() ? std::string() : lower(profile.name + "\n" + profile.path);
  return std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> words_to_find(std::string_view query) {
  std::istringstream stream{lower(query)};
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string date_text(const std::optional<Ns>& time) {
  if (!time) return {};
  const auto seconds = static_cast<std::time_t>(*time / kSecond);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 32> buffer{};
  return {buffer.data(), std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d %H:%M", &local)};
}

std::string created_text(const ingest::FoundProfile& profile) {
  if (!profile.created) return std::string(kNoFigure);
  const bool of_file = profile.created_from == ingest::TimeOrigin::modified;
  return (of_file ? "file, " : "") + date_text(profile.created);
}

std::string created_tip(const ingest::FoundProfile& profile) {
  if (!profile.created) return "Unknown recording time";
  if (profile.created_from == ingest::TimeOrigin::modified)
    return "Modification time of the oldest file (copying changes it); the files contain no recording time";
  return "Recording time from " + std::string(ingest::to_string(profile.created_from));
}

std::string_view to_string(ListColumn column) {
  constexpr std::array<std::string_view, kListColumns> kNames = {"Name", "Created", "Status", "Nodes", "Ranks",
                                                                 "GPUs", "Size",    "Source", "Folder"};
  return kNames[static_cast<std::size_t>(column)];
}

bool comes_before(const ingest::FoundProfile& a, const ingest::FoundProfile& b, ListColumn column, bool descending) {
  int order = compared_by(a, b, column, descending);
  if (order == 0 && column != ListColumn::name && column != ListColumn::folder)
    order = compared_text(a.name, b.name, false);
  if (order == 0) order = compared_text(a.path, b.path, descending && column == ListColumn::folder);
  return order < 0;
}

}  // namespace warpscope::ui
