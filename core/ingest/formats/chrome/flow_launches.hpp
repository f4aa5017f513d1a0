#pragma once
// Launches recorded only as flows: arrows from a host thread to a stream. Each end of a flow binds to the innermost
// slice containing it; the flow's number becomes that slice's correlation id.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ingest/formats/chrome/survey.hpp"

namespace warpscope::ingest::chrome {

/// Finds the slices at both ends of the flows that represent launches. O((S + E) log E) for S slices and E flow ends;
/// more if slices contain many ends.
class FlowLaunches final : public EventSink {
 public:
  explicit FlowLaunches(Survey::FlowEnds ends) : ends_(std::move(ends)) {}
  void event(const RawEvent& event) override;
  /// Call once after the last event.
  void finish();
  /// Returns the correlation id of the event at this offset.
  [[nodiscard]] std::optional<std::int64_t> correlation_at(std::uint64_t offset) const;

 private:
  struct Owner {
    Ns duration = 0;
    std::uint64_t offset = 0;
  };
  Survey::FlowEnds ends_;
  std::map<Survey::Lane, std::vector<std::optional<Owner>>> owners_;
  std::unordered_map<std::uint64_t, std::int64_t> by_offset_;
};

}  // namespace warpscope::ingest::chrome
