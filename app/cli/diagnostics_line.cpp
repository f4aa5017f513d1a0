#include "app/cli/diagnostics_line.hpp"

#include <algorithm>
#include <vector>

#include "app/cli/messages.hpp"
#include "core/base/counted.hpp"
#include "core/base/display_path.hpp"
#include "core/base/utf8.hpp"

namespace warpscope::cli {

namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kExampleWidth = 100;

/// All diagnostics of one code.
struct Kind {
  Severity severity = Severity::info;
  std::uint64_t count = 0;
  std::vector<const Diagnostic*> entries;
};

std::vector<Kind> kinds_of(const Diagnostics& diagnostics, LoadedPart part) {
  std::vector<Kind> kinds;
  for (const Diagnostic& one : diagnostics.all()) {
    if (one.severity == Severity::info) continue;
    if (part == LoadedPart::share && (one.code == "ranks-missing" || one.code == "nodes-missing")) continue;
    auto kind = std::ranges::find_if(kinds, [&](const Kind& known) { return known.entries.front()->code == one.code; });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), Kind{});
    kind->severity = std::max(kind->severity, one.severity);
    kind->count += one.count;
    kind->entries.push_back(&one);
  }
  std::ranges::stable_sort(kinds, std::ranges::greater(), &Kind::severity);
  return kinds;
}

/// True if the diagnostic is about the whole profile, not a single file.
bool of_the_whole(const Diagnostic& one, const trace::Profile& profile) {
  if (one.file.empty()) return true;
  return one.file == profile.path &&
         std::ranges::none_of(profile.ranks, [&](const auto& rank) { return rank->source.path == one.file; });
}

/// "skipped bytes: 4 096 in rank3.json", "truncated: 3 files", "ranks missing: 2, 5–7 of 0–7".
std::string describe(const Kind& kind, const trace::Profile& profile) {
  const Diagnostic& first = *kind.entries.front();
  std::string text = first.code;
  std::ranges::replace(text, '-', ' ');
  text += ": ";
  if (kind.entries.size() == 1 && of_the_whole(first, profile)) return text + first.example;
  const std::size_t files = kind.entries.size();
  if (kind.count > files) text += format_count(static_cast<std::int64_t>(kind.count)) + " in ";
  return text + (files == 1 ? display_path(first.file, profile.path) : counted(files, "file", "files"));
}

}  // namespace

std::string diagnostics_line(const trace::Profile& profile, LoadedPart part) {
  const std::vector<Kind> kinds = kinds_of(profile.diagnostics, part);
  if (kinds.empty()) return {};
  const auto errors = static_cast<std::size_t>(std::ranges::count(kinds, Severity::error, &Kind::severity));
  const std::size_t warnings = kinds.size() - errors;
  std::string text = errors > 0 ? counted(errors, "error", "errors") : "";
  if (warnings > 0) text += (errors > 0 ? ", " : "") + counted(warnings, "warning", "warnings");
  for (std::size_t i = 0; i < std::min(kinds.size(), kMostNamed); ++i)
    text += (i == 0 ? ": " : "; ") + printable(describe(kinds[i], profile), kExampleWidth);
  if (kinds.size() > kMostNamed) text += "; and " + std::to_string(kinds.size() - kMostNamed) + " more";
  return text;
}

void print_diagnostics(const trace::Profile& profile, std::string_view listed_where, LoadedPart part) {
  const std::string text = diagnostics_line(profile, part);
  if (!text.empty()) print_message(text + " – " + std::string(listed_where));
}

void print_diagnostics_of(const trace::Profile& profile, const std::string& path, LoadedPart part) {
  print_diagnostics(profile, "`warpscope info " + path + "` lists them", part);
}

}  // namespace warpscope::cli
