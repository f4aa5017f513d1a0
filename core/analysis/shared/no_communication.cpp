#include "core/analysis/shared/no_communication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/format.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::size_t kSuspects = 3;

std::size_t ranks_of_job(const trace::Profile& profile) {
  std::set<std::int64_t> numbers;
  std::int64_t world = 0;
  for (const auto& rank : profile.ranks) {
    numbers.insert(rank->number);
    world = std::max(world, rank->world_size);
  }
  return std::max(numbers.size(), static_cast<std::size_t>(world));
}

}  // namespace

NoCommunicationCheck::NoCommunicationCheck(const trace::Profile& profile, const Scope& scope,
                                           const KernelClasses::Choice& choice)
    : profile_(profile) {
  const std::size_t ranks = ranks_of_job(profile);
  if (ranks > 1 && scope.whole() && !choice.hta) ranks_ = ranks;
}

void NoCommunicationCheck::add(std::span<const GpuRow> rows) {
  if (ranks_ == 0 || communicates_) return;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Ns> by_stream;  // of a device
  for (const GpuRow& row : rows) {
    if (row.kind == KernelClass::communication) {
      communicates_ = true;
      return;
    }
    computes_ = computes_ || trace::is_kernel(row.role);
    Ns& sum = by_stream[{row.device, row.track}];
    sum = saturating_add(sum, row.time.length());
  }
  std::map<std::uint32_t, std::pair<Ns, std::uint32_t>> busiest;  // by device: time, stream
  for (const auto& [stream, time] : by_stream) {
    auto& most = busiest.try_emplace(stream.first, time, stream.second).first->second;
    if (time > most.first) most = {time, stream.second};
  }
  for (const GpuRow& row : rows) {
    if (!trace::is_kernel(row.role) || row.kind != KernelClass::computation) continue;
    if (row.track == busiest.at(row.device).second) continue;
    Ns& sum = beside_[row.name];
    sum = saturating_add(sum, row.time.length());
  }
}

std::string NoCommunicationCheck::note() const {
  if (ranks_ == 0 || communicates_ || !computes_) return "";
  std::vector<std::pair<Ns, NameId>> suspects;
  suspects.reserve(beside_.size());
  for (const auto& [name, time] : beside_) suspects.emplace_back(time, name);
  const auto last = suspects.begin() + static_cast<std::ptrdiff_t>(std::min(kSuspects, suspects.size()));
  std::ranges::partial_sort(suspects, last, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text = fmt::format("The job has {} ranks, but no known communication kernels.", ranks_);
  if (suspects.empty()) return text;
  text += " Longest kernels outside the busiest stream: ";
  for (auto each = suspects.begin(); each != last; ++each)
    text += fmt::format("{}{} ({})", each == suspects.begin() ? "" : ", ",
                        trace::kernel_label(profile_.names().view(each->second)), format_duration(each->first));
  return text + ". If they communicate, set --kernel-class communication=NAME, or kernel_class in the settings.";
}

}  // namespace warpscope::analysis
