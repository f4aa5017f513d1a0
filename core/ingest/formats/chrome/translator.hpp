#pragma once
// Second pass over a Chrome trace: rewrites each event as Kineto would have written it and passes it on.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/formats/chrome/flow_launches.hpp"
#include "core/ingest/formats/chrome/survey.hpp"

namespace warpscope::ingest::chrome {

class Translator final : public EventSink {
 public:
  /// All arguments must outlive this object. `file` identifies the source in diagnostics.
  Translator(const Survey& survey, const FlowLaunches& launches, EventSink& sink, Diagnostics& diagnostics,
             const std::string& file)
      : survey_(survey), launches_(launches), sink_(sink), diagnostics_(diagnostics), file_(file) {}
  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override { sink_.metadata(key, json); }
  /// Returns the number of events dropped because their lanes duplicate other lanes.
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
  Diagnostics& diagnostics_;
  const std::string& file_;
  std::uint64_t dropped_ = 0;
  std::string name_, arguments_, id_;  // text of the event passed on
};

}  // namespace warpscope::ingest::chrome
