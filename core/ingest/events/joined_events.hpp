#pragma once
// Collects the events read by one thread and adds them to a rank in batches.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/events/event_collector.hpp"

namespace warpscope::ingest {

class JoinedEvents final : public EventSink {
 public:
  /// `file` identifies the source in diagnostics; it and `joiner` must outlive this object. `number`: index of this
  /// collector, see BatchJoiner.
  JoinedEvents(const std::string& file, BatchJoiner& joiner, std::size_t number = 0,
               SliceFields required = SliceFields::all)
      : joiner_(joiner), number_(number), collector_(file, required) {
    collector_.fill(batch_);
  }
  void event(const RawEvent& event) override {
    collector_.event(event);
    if (batch_.events >= kPortion) join();
  }
  void metadata(std::string_view key, std::string_view json) override { collector_.metadata(key, json); }
  /// Joins the events collected since the last batch. Call once more at the end.
  void join() {
    if (batch_.empty() && batch_.metadata.empty()) return;
    joiner_.join(number_, batch_);
    batch_.clear();
  }
  /// Diagnostics of the next batch.
  [[nodiscard]] Diagnostics& diagnostics() { return batch_.diagnostics; }

 private:
  static constexpr std::uint64_t kPortion = 4096;

  BatchJoiner& joiner_;
  std::size_t number_;
  EventCollector collector_;
  EventBatch batch_;
};

}  // namespace warpscope::ingest
