#include "app/ui/load/list_filter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/natural_order.hpp"

namespace warpscope::ui {
namespace {

constexpr Ns kSecond = 1'000'000'000;
constexpr Ns kDay = 86400 * kSecond;

struct Span {
  Ns begin = 0;
  Ns end = 0;
};

Ns local_time(int year, int month, int day, int hour, int minute) {
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_isdst = -1;
  return Ns{std::mktime(&parts)} * kSecond;
}

Span today(Ns now) {
  const auto seconds = static_cast<std::time_t>(now / kSecond);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  const int year = parts.tm_year + 1900;
  return {local_time(year, parts.tm_mon + 1, parts.tm_mday, 0, 0),
          local_time(year, parts.tm_mon + 1, parts.tm_mday + 1, 0, 0)};
}

/// Parses a year, month, day or minute.
std::optional<Span> read_date(const std::string& text, Ns now) {
  if (text == "today") return today(now);
  if (text.size() > 1 && text.back() == 'd') {
    int days = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size() - 1, days);
    if (error == std::errc{} && end == text.data() + text.size() - 1 && days > 0 && days < 100'000)
      return Span{now - days * kDay, now + kDay};
  }
  std::array<int, 5> parts{0, 1, 1, 0, 0};
  char rest = 0;
  const int read =
      std::sscanf(text.c_str(), "%4d-%2d-%2dt%2d:%2d%c", &parts[0], &parts[1], &parts[2], &parts[3], &parts[4], &rest);
  constexpr std::array<std::size_t, 6> kLengths = {0, 4, 7, 10, 13, 16};
  if (read < 1 || read > 5 || text.size() != kLengths[static_cast<std::size_t>(read)]) return std::nullopt;
  if (parts[1] < 1 || parts[1] > 12 || parts[2] < 1 || parts[2] > 31 || parts[3] > 23 || parts[4] > 59)
    return std::nullopt;
  std::array<int, 5> after = parts;
  ++after[static_cast<std::size_t>(read) - 1];
  return Span{local_time(parts[0], parts[1], parts[2], parts[3], parts[4]),
              local_time(after[0], after[1], after[2], after[3], after[4])};
}

void narrow(std::optional<Ns>& bound, Ns to, bool lower_bound) {
  bound = !bound ? to : lower_bound ? std::max(*bound, to) : std::min(*bound, to);
}

Failure take_created(ListFilter& filter, const std::string& word, std::size_t at, Ns now) {
  const bool twice = at + 1 < word.size() && word[at + 1] == '=';
  const char sign = word[at];
  const std::string text = word.substr(at + (twice ? 2 : 1));
  const auto date = read_date(text, now);
  if (!date) return Error{word, "not a date", "use created:2026-05-01, created>2026-05 or created:7d"};
  if (sign == '>') narrow(filter.from, twice ? date->begin : date->end, true);
  if (sign == '<') narrow(filter.until, twice ? date->end : date->begin, false);
  if (sign == ':' || sign == '=') {
    narrow(filter.from, date->begin, true);
    narrow(filter.until, date->end, false);
  }
  return {};
}

/// Normalizes text for search: "In progress", "in-progress" and AWS's "InProgress" are equal.
std::string folded(std::string_view words) {
  std::string text = lower(words);
  std::erase_if(text, [](char c) { return c == ' ' || c == '-' || c == '_'; });
  return text;
}

/// Adds a search for statuses or kinds by name; Error if no name matches.
template <class Names>
Failure take_part(std::vector<std::string>& parts, const std::string& word, std::string_view typed,
                  const Names& names) {
  if (typed.empty()) return {};  // the user is still typing
  const std::string part = folded(typed);
  std::string all;
  bool known = false;
  for (const std::string_view name : names) {
    known = known || folded(name).find(part) != std::string::npos;
    all += (all.empty() ? "" : ", ") + lower(name);
  }
  if (!known) return Error{word, "unknown name", "use " + all};
  parts.push_back(part);
  return {};
}

std::array<std::string_view, ingest::kProfileStatuses> status_names() {
  std::array<std::string_view, ingest::kProfileStatuses> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = ingest::to_string(static_cast<ingest::ProfileStatus>(i));
  return names;
}

std::array<std::string_view, ingest::kListedKinds> kind_names() {
  std::array<std::string_view, ingest::kListedKinds> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = ingest::to_string(static_cast<ingest::ListedKind>(i));
  return names;
}

bool contains_all(const std::string& text, const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

/// -1, 0, 1; unknown values last.
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

}  // namespace

bool ListFilter::passes(const ingest::FoundProfile& profile) const {
  if (status && profile.status != *status) return false;
  if (from && (!profile.created || *profile.created < *from)) return false;
  if (until && (!profile.created || *profile.created >= *until)) return false;
  if (!statuses.empty() && !contains_all(folded(ingest::to_string(profile.status)), statuses)) return false;
  if (!kinds.empty() && !contains_all(folded(ingest::kinds_text(profile)), kinds)) return false;
  return words.empty() || contains_all(lower(profile.name + "\n" + profile.path), words);
}

Result<ListFilter> parse_list_filter(std::string_view query, Ns now) {
  ListFilter filter;
  std::istringstream stream{lower(query)};
  for (std::string word; stream >> word;) {
    const std::size_t at = word.find_first_of(":=<>");
    const std::string field = at == std::string::npos ? std::string() : word.substr(0, at);
    if (field == "created") {
      if (const Failure failure = take_created(filter, word, at, now)) return *failure;
    } else if (field == "status") {
      if (const Failure failure = take_part(filter.statuses, word, word.substr(at + 1), status_names()))
        return *failure;
    } else if (field == "kind") {
      if (const Failure failure = take_part(filter.kinds, word, word.substr(at + 1), kind_names())) return *failure;
    } else {
      filter.words.push_back(word);
    }
  }
  return filter;
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
  if (!profile.created) return "The recording time is unknown";
  if (profile.created_from == ingest::TimeOrigin::modified)
    return "Modification time of its oldest file, which copying changes: the files do not contain a recording time";
  return "Recording time from " + std::string(ingest::to_string(profile.created_from));
}

std::string_view to_string(ListColumn column) {
  constexpr std::array<std::string_view, kListColumns> kNames = {"Name", "Created", "Status", "Nodes", "Ranks",
                                                                 "GPUs", "Size",    "Source", "Folder"};
  return kNames[static_cast<std::size_t>(column)];
}

bool comes_before(const ingest::FoundProfile& a, const ingest::FoundProfile& b, ListColumn column, bool descending) {
  int order = 0;
  switch (column) {
    case ListColumn::name:
      order = compared_text(a.name, b.name, descending);
      break;
    case ListColumn::created:
      order = compared(a.created, b.created, descending);
      break;
    case ListColumn::status:
      order = compared_text(ingest::to_string(a.status), ingest::to_string(b.status), descending);
      break;
    case ListColumn::nodes:
      order = compared(a.nodes, b.nodes, descending);
      break;
    case ListColumn::ranks:
      order = compared(a.ranks, b.ranks, descending);
      break;
    case ListColumn::gpus:
      order = compared(a.gpus, b.gpus, descending);
      break;
    case ListColumn::size:
      order = compared(std::optional(a.bytes), std::optional(b.bytes), descending);
      break;
    case ListColumn::source:
      order = compared_text(ingest::kinds_text(a), ingest::kinds_text(b), descending);
      break;
    case ListColumn::folder:
      break;
  }
  if (order == 0 && column != ListColumn::name && column != ListColumn::folder)
    order = compared_text(a.name, b.name, false);
  if (order == 0) order = compared_text(a.path, b.path, descending && column == ListColumn::folder);
  return order < 0;
}

}  // namespace warpscope::ui
