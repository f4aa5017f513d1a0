#include "core/analysis/memory_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/memory_operation.hpp"
#include "core/analysis/runs.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {
namespace {

constexpr Ns kShortest = 1000;
constexpr RoleSet kMoving = role_set(trace::Role::memory_copy, trace::Role::memory_set);

/// HTA's word for a row.
std::string kind_of(std::string_view name) {
  if (name.starts_with("Memset")) return "Memset";
  if (!name.starts_with("Memcpy")) return "Memcpy Unknown";
  return std::string(name.substr(0, std::string_view("Memcpy HtoD").size()));
}

std::string kind_of(std::string_view name, trace::Role role) {
  if (role == trace::Role::memory_set) return "Memset";
  const MemoryOperation operation = copy_direction(name);
  if (operation == MemoryOperation::other_copy) return "Memcpy Unknown";
  return "Memcpy " + std::string(to_string(operation));
}

}  // namespace

MemoryBandwidths::MemoryBandwidths(const trace::Profile& profile, Scope scope, const Choice& choice,
                                   const CancelToken* cancel)
    : profile_(profile),
      scope_(std::move(scope)),
      hta_(choice.hta),
      // Whole rows: a copy that reaches over an edge of the range moves there as fast as in all.
      rows_(profile, {scope_.ranks, {}}, {.hta = choice.hta, .rounding = choice.rounding}, cancel) {}

std::vector<MemoryBandwidth> MemoryBandwidths::of(std::uint32_t r) {
  const trace::Rank& rank = *profile_.ranks[r];
  struct Moved {
    MemoryBandwidth told{};
    CurveBuilder changes{};
  };
  std::map<std::pair<std::int64_t, std::string>, Moved> kinds;  // by device, all as one for HTA
  std::map<std::pair<NameId, trace::Role>, std::string> words;  // asked once a name
  for (const GpuRow& row : rows_.of(r)) {
    if (hta_ ? row.kind != KernelClass::memory : (kMoving & role_set(row.role)) == 0) continue;
    const Ns length = row.time.length() == 0 ? kShortest : row.time.length();
    const Interval time{row.time.begin, saturating_add(row.time.begin, length)};
    if (scope_.range && (time.end <= scope_.range->begin || time.begin >= scope_.range->end)) continue;
    const std::optional<std::uint64_t> bytes = rank.bytes(row.slice);
    if (!bytes) ++silent_;
    if (!bytes && !hta_) continue;
    std::string& word = words[{row.name, row.role}];
    const std::string_view name = profile_.names().view(row.name);
    if (word.empty()) word = hta_ ? kind_of(name) : kind_of(name, row.role);
    Moved& moved = kinds[{hta_ ? 0 : rank.devices[row.device].id, word}];
    if (moved.told.count++ == 0) {
      moved.told.device = row.device;
      moved.told.kind = word;
    }
    const double rate = 1e9 * static_cast<double>(bytes.value_or(0)) / static_cast<double>(length);
    moved.changes.add(time.begin, rate);
    moved.changes.add(time.end, -rate);
  }
  std::vector<MemoryBandwidth> bandwidths;
  for (auto& [key, moved] : kinds) {
    moved.told.rate = within(hta_ ? moved.changes.every_change() : moved.changes.curve(), scope_.range);
    if (!moved.told.rate.empty()) bandwidths.push_back(std::move(moved.told));
  }
  return bandwidths;
}

std::string MemoryBandwidths::note(std::size_t rows) const {
  std::string silent;
  if (silent_ > 0)
    silent = fmt::format("Copies and sets left out, since they do not say how many bytes they moved: {}.",
                         format_count(static_cast<std::int64_t>(silent_)));
  std::string why;
  if (rows == 0) {
    const bool ran = std::ranges::any_of(ranks(), [&](std::uint32_t r) { return profile_.ranks[r]->counts.runs > 0; });
    why = ran ? silent.empty() ? "Nothing was copied or set here." : ""
              : without_runs_note(ranks().size(), ranks().size());
  }
  return joined_notes(
      {why, silent, impossible_note(count_impossible(profile_, {ranks(), {}}, kMoving), "memory operation")});
}

std::vector<MemoryBandwidth> memory_bandwidths(const trace::Profile& profile, std::uint32_t rank,
                                               const CancelToken* cancel) {
  return MemoryBandwidths(profile, {{rank}, {}}, {}, cancel).of(rank);
}

}  // namespace warpscope::analysis
