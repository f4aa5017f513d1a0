#include "core/analysis/request/host_question.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "core/store/format.hpp"

namespace warpscope::analysis {

namespace {

std::uint64_t add_text(std::string_view text, std::uint64_t hash) {
  return store::fnv1a({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, hash);
}

/// Returns a hash of what versions of Warpscope may differ in, because answers contain roles and kinds as numbers.
std::uint64_t vocabulary() {
  static const std::uint64_t kHash = [] {
    std::uint64_t hash = store::fnv1a({});
    for (const Analysis& each : analyses()) {
      hash = add_text(each.about, add_text(each.name, hash));
      for (const Parameter& parameter : each.parameters) hash = add_text(parameter.about, hash);
    }
    for (auto role = static_cast<int>(ColumnRole::none); role <= static_cast<int>(ColumnRole::counter); ++role)
      hash = add_text(to_string(static_cast<ColumnRole>(role)), hash);
    return hash;
  }();
  return kHash;
}

std::uint64_t slices_of(const trace::Profile& profile) {
  std::uint64_t slices = 0;
  for (const auto& rank : profile.ranks) slices += rank->lane_start.empty() ? 0 : rank->lane_start.back();
  return slices;
}

template <class Stream, class AnyScope>
void transfer(Stream& stream, AnyScope& scope) {
  stream.fields(scope.ranks, scope.evaluated_only);
  if (stream.has(scope.range)) stream.fields(scope.range->begin, scope.range->end);
}

}  // namespace

HostQuestion::HostQuestion(const trace::Profile& profile, const Scope& scope) : profile_(profile) {
  std::vector<Ns> shifts;
  shifts.reserve(profile.ranks.size());
  for (const auto& rank : profile.ranks) shifts.push_back(rank->clock_shift);
  stream_.fields(vocabulary(), slices_of(profile), shifts);
  transfer(stream_, scope);
}

std::optional<AskedProfile> HostedProfile::read(store::StreamReader& stream) {
  std::uint64_t words = 0;
  std::uint64_t slices = 0;
  std::vector<Ns> shifts;
  AskedProfile asked;
  stream.fields(words, slices, shifts);
  transfer(stream, asked.scope);
  if (!stream.ok() || words != vocabulary() || slices != slices_of(*profile_) ||
      shifts.size() != profile_->ranks.size())
    return std::nullopt;
  const MutexLock lock(mutex_);
  if (!shown_ || shifts != shifts_) {
    const bool recorded = std::ranges::all_of(shifts, [](Ns shift) { return shift == 0; });
    shown_ = recorded ? profile_ : trace::with_clock_shifts(*profile_, shifts);
    shared_ = std::make_shared<SharedResults>(*shown_);
    shifts_ = std::move(shifts);
  }
  asked.profile = shown_;
  asked.shared = shared_;
  asked.events = events_;
  return asked;
}

}  // namespace warpscope::analysis
