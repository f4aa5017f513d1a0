#include "core/ingest/formats/pevents/timeline_survey.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include "core/ingest/json/number.hpp"

namespace warpscope::ingest::pevents {

namespace {

constexpr std::int64_t kMicro = 1000;
// Earlier launch times are relative to the file's base.
constexpr Ns kFirstDate = Ns{1'000'000'000} * 1'000'000'000;

}  // namespace

std::size_t TimelineSurvey::OperatorHash::operator()(const Operator& one) const {
  return static_cast<std::size_t>((one.thread * 0x9E3779B97F4A7C15u) ^ static_cast<std::uint64_t>(one.start) ^
                                  one.name * 31);
}

TimelineSurvey::Operator TimelineSurvey::key_of(std::string_view thread, Ns start, std::string_view name) {
  const std::hash<std::string_view> hash;
  return {hash(thread), start / kMicro, name.empty() ? 0 : hash(name)};
}

std::optional<TimelineSurvey::Operator> TimelineSurvey::launcher_in(const PhaseArguments& run,
                                                                    const Announced& announced) {
  if (run.launch_thread.empty()) return std::nullopt;
  const json::Number time = json::parse_microseconds(run.launch_time);
  if (time.status != json::NumberStatus::ok) return std::nullopt;
  return key_of(run.launch_thread, time.value < kFirstDate ? announced.absolute(time.value) : time.value,
                run.launch_name);
}

void TimelineSurvey::begin_file(std::string_view kind) {
  kind_ = kind;
  announced_.emplace(base_of(kind), kind);
  ends_.push_back(0);
}

void TimelineSurvey::event(const RawEvent& event) {
  if (event.phase == 'M') {
    if (const auto base = base_in(event)) bases_.try_emplace(kind_, *base);
    return announced_->add(event);
  }
  if (!event.has_time) return;
  const Ns start = announced_->absolute(event.time);
  const bool long_one = event.has_duration && event.duration > kLongestTimelineEvent;
  const Ns length = event.has_duration && !long_one ? std::max<Ns>(0, event.duration) : 0;
  ends_.back() = std::max(ends_.back(), saturating_add(start, length));
  const std::string_view phase = announced_->phase(event.process);
  const PhaseKind kind = phase_kind(phase, kind_);
  if (kind != PhaseKind::operators && kind != PhaseKind::gpu && (process_ || kind == PhaseKind::loader)) return;
  const PhaseArguments arguments(event.arguments);
  if (!process_ && kind != PhaseKind::loader && !arguments.pid.empty()) {
    std::int64_t number = 0;
    const std::string_view pid = arguments.pid;
    if (std::from_chars(pid.data(), pid.data() + pid.size(), number).ec == std::errc{} && number > 0) process_ = number;
  }
  if (event.phase != 'X') return;
  if (kind == PhaseKind::operators) operators_.push_back(key_of(arguments.tid, start, event.name));
  if (kind != PhaseKind::gpu) return;
  if (const auto launcher = launcher_in(arguments, *announced_)) runs_.emplace(*launcher, 0);
}

/// Returns the operator with that thread, start and name (any name if `wanted` has none), if there is exactly one.
std::optional<TimelineSurvey::Operator> TimelineSurvey::the_one(const Operator& wanted) const {
  std::optional<Operator> found;
  const auto from = std::ranges::lower_bound(operators_, Operator{wanted.thread, wanted.start - 1, 0});
  for (auto one = from; one != operators_.end() && one->thread == wanted.thread && one->start <= wanted.start + 1;
       ++one) {
    if (wanted.name != 0 && one->name != wanted.name) continue;
    if (found) return std::nullopt;
    found = *one;
  }
  return found;
}

void TimelineSurvey::finish() {
  std::ranges::sort(operators_);
  std::vector<Operator> wanted;
  wanted.reserve(runs_.size());
  for (const auto& [run, id] : runs_) wanted.push_back(run);
  std::ranges::sort(wanted);  // so ids do not depend on the order of a hash table
  std::int64_t next = 1;
  for (const Operator& run : wanted) {
    const auto launcher = the_one(run);
    if (!launcher) {
      runs_.erase(run);
      continue;
    }
    const auto [entry, fresh] = launchers_.try_emplace(*launcher, next);
    next += fresh ? 1 : 0;
    runs_[run] = entry->second;
  }
  operators_ = {};
}

Ns TimelineSurvey::base_of(std::string_view kind) const {
  const auto found = bases_.find(kind);
  if (found != bases_.end()) return found->second;
  return bases_.empty() ? 0 : bases_.begin()->second;
}

std::optional<std::int64_t> TimelineSurvey::launch_by(std::string_view thread, Ns start, std::string_view name) const {
  const auto found = launchers_.find(key_of(thread, start, name));
  return found == launchers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> TimelineSurvey::launch_of(const PhaseArguments& run, const Announced& announced) const {
  const auto launcher = launcher_in(run, announced);
  const auto found = launcher ? runs_.find(*launcher) : runs_.end();
  return found == runs_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warpscope::ingest::pevents
