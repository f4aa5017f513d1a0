#pragma once
// First pass over a process's timelines: collects bases, the process id, the end of each file's events, and the
// operator that launched each GPU activity. Each GPU event contains the thread and start time of the operator that
// launched it. The two are connected only if exactly one operator matches; the recorded start may be off by a
// microsecond.
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ingest/formats/pevents/phase.hpp"

namespace warpscope::ingest::pevents {

/// Longest possible event. For events without a duration, old writers recorded another clock's epoch time as the
/// duration.
inline constexpr Ns kLongestTimelineEvent = Ns{7} * 24 * 3600 * 1'000'000'000;

class TimelineSurvey final : public EventSink {
 public:
  /// Sets the file kind for the events that follow. Call before the first event.
  void begin_file(std::string_view kind);
  void event(const RawEvent& event) override;
  /// Call once after the last event.
  void finish();

  /// Returns the base for files of this kind, or that of any other file if they have none; 0 if no file has a base.
  [[nodiscard]] Ns base_of(std::string_view kind) const;
  /// Returns the time of the last end or mark in a file, ignoring overlong events.
  [[nodiscard]] Ns end_of_file(std::size_t file) const { return ends_[file]; }
  [[nodiscard]] std::optional<std::int64_t> process() const { return process_; }
  /// Returns an operator's correlation id; nullopt if it has no unambiguous launch.
  [[nodiscard]] std::optional<std::int64_t> launch_by(std::string_view thread, Ns start, std::string_view name) const;
  /// Same for GPU activity.
  [[nodiscard]] std::optional<std::int64_t> launch_of(const PhaseArguments& run, const Announced& announced) const;

 private:
  struct Operator {
    std::uint64_t thread = 0;  // hash
    std::int64_t start = 0;    // µs since the epoch
    std::uint64_t name = 0;    // hash

    friend auto operator<=>(const Operator&, const Operator&) = default;
  };
  struct OperatorHash {
    std::size_t operator()(const Operator& one) const;
  };
  [[nodiscard]] static Operator key_of(std::string_view thread, Ns start, std::string_view name);
  [[nodiscard]] static std::optional<Operator> launcher_in(const PhaseArguments& run, const Announced& announced);
  [[nodiscard]] std::optional<Operator> the_one(const Operator& wanted) const;

  std::string kind_;
  std::optional<Announced> announced_;
  std::map<std::string, Ns, std::less<>> bases_;
  std::vector<Ns> ends_;
  std::optional<std::int64_t> process_;
  std::vector<Operator> operators_;
  std::unordered_map<Operator, std::int64_t, OperatorHash> runs_;       // launchers of GPU activity → correlation id
  std::unordered_map<Operator, std::int64_t, OperatorHash> launchers_;  // operators → correlation id
};

}  // namespace warpscope::ingest::pevents
