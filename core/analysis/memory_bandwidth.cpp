#include "core/analysis/memory_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/event_numbers.hpp"
#include "core/analysis/memory_operation.hpp"
#include "core/analysis/runs.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {
namespace {

constexpr Ns kShortest = 1000;
constexpr std::string_view kBandwidth = "memory bandwidth (GB/s)";
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

/// Of a copy, as it counts.
Interval time_of(const GpuRow& row) {
  const Ns length = row.time.length() == 0 ? kShortest : row.time.length();
  return {row.time.begin, saturating_add(row.time.begin, length)};
}

}  // namespace

MemoryBandwidths::MemoryBandwidths(const AnalysisInput& input, const KernelClasses::Choice& choice)
    : input_(input),
      profile_(input.profile),
      hta_(choice.hta),
      // Whole rows: a copy that reaches over an edge of the range moves there as fast as in all.
      rows_(profile_, {input.scope.ranks, {}}, {.hta = choice.hta, .rounding = choice.rounding}, input.cancel) {}

bool MemoryBandwidths::counts(const GpuRow& row) const {
  if (hta_ ? row.kind != KernelClass::memory : (kMoving & role_set(row.role)) == 0) return false;
  const std::optional<Interval>& range = input_.scope.range;
  const Interval time = time_of(row);
  return !range || (time.end > range->begin && time.begin < range->end);
}

/// What the trace says, in GB/s.
MemoryBandwidths::Rates MemoryBandwidths::named_rates(const trace::Rank& rank,
                                                      std::vector<trace::SliceOrdinal> copies) {
  Rates rates;
  const auto keep = [&](trace::SliceOrdinal slice, double rate) { rates.emplace(slice, rate); };
  if (const Failure failure = read_numbers(input_, rank, std::move(copies), kBandwidth, keep);
      failure && unread_.empty())
    unread_ = fmt::format("Bandwidths that rank {} names could not be read again, and are none here: {}.", rank.number,
                          failure->message());
  return rates;
}

std::vector<MemoryBandwidth> MemoryBandwidths::of(std::uint32_t r) {
  const trace::Rank& rank = *profile_.ranks[r];
  struct Moved {
    MemoryBandwidth told{};
    CurveBuilder changes{};
  };
  std::map<std::pair<std::int64_t, std::string>, Moved> kinds;  // by device, all as one for HTA
  std::map<std::pair<NameId, trace::Role>, std::string> words;  // asked once a name
  std::vector<GpuRow> rows = rows_.of(r);
  std::erase_if(rows, [&](const GpuRow& row) { return !counts(row); });
  Rates named;
  if (hta_) {
    std::vector<trace::SliceOrdinal> copies;
    for (const GpuRow& row : rows) copies.push_back(row.slice);
    named = named_rates(rank, std::move(copies));
  }
  const auto rate_of = [&](const GpuRow& row, const std::optional<std::uint64_t>& bytes) {
    if (!hta_) return 1e9 * static_cast<double>(bytes.value_or(0)) / static_cast<double>(time_of(row).length());
    const auto found = named.find(row.slice);
    return found == named.end() ? 0 : 1e9 * found->second;
  };
  for (const GpuRow& row : rows) {
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
    const double rate = rate_of(row, bytes);
    const Interval time = time_of(row);
    moved.changes.add(time.begin, rate);
    moved.changes.add(time.end, -rate);
  }
  std::vector<MemoryBandwidth> bandwidths;
  for (auto& [key, moved] : kinds) {
    moved.told.rate = within(hta_ ? moved.changes.every_change() : moved.changes.curve(), input_.scope.range);
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
      {why, silent, unread_, impossible_note(count_impossible(profile_, {ranks(), {}}, kMoving), "memory operation")});
}

std::vector<MemoryBandwidth> memory_bandwidths(const trace::Profile& profile, std::uint32_t rank,
                                               const CancelToken* cancel) {
  const AnalysisInput input{.profile = profile, .scope = {{rank}, {}}, .values = {}, .cancel = cancel};
  return MemoryBandwidths(input, {}).of(rank);
}

}  // namespace warpscope::analysis
