#pragma once
// The second look at a Chrome trace: says of each event what Kineto would have said, and hands it on.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/formats/chrome/flow_launches.hpp"
#include "core/ingest/formats/chrome/survey.hpp"

namespace warpscope::ingest::chrome {

class Translator final : public EventSink {
 public:
  /// All must outlive it.
  Translator(const Survey& survey, const FlowLaunches& launches, EventSink& sink)
      : survey_(survey), launches_(launches), sink_(sink) {}
  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override { sink_.metadata(key, json); }
  /// Events of lanes that repeat others.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  void slice(RawEvent event, const LaneUse& use);
  void run(RawEvent& event);
  void host(RawEvent& event);
  void sample(RawEvent event);
  void flow(RawEvent event);

  const Survey& survey_;
  const FlowLaunches& launches_;
  EventSink& sink_;
  std::uint64_t dropped_ = 0;
  std::string name_, arguments_, id_;  // texts of the event handed on
};

}  // namespace warpscope::ingest::chrome
