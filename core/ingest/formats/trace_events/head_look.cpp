#include "core/ingest/formats/trace_events/head_look.hpp"

#include <algorithm>

#include "core/ingest/json/flat_arguments.hpp"
#include "core/trace/category.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kProcesses = 16;

class HeadSink final : public EventSink {
 public:
  explicit HeadSink(HeadLook& look) : look_(look) {}

  void event(const RawEvent& event) override {
    if (event.phase == 'X' || event.phase == 'B' || event.phase == 'E' || event.phase == 'i') {
      if (event.has_time && event.time > 0) look_.first = std::min(look_.first.value_or(event.time), event.time);
    }
    if (event.phase != 0) ++look_.events;
    if (!event.category.empty() && trace::role_of_category(event.category) != trace::Role::other) ++look_.categorized;
    if (look_.processes.size() < kProcesses && !event.process.empty()) look_.processes.emplace(event.process);
    if (event.phase == 'M' && event.name == "process_name")
      look_.process_names.emplace(event.process, argument(event.arguments, "name"));
  }
  void metadata(std::string_view key, std::string_view json) override { look_.keys.emplace_back(key, json); }

 private:
  HeadLook& look_;
};

}  // namespace

bool HeadLook::has_key(std::string_view key) const {
  return std::ranges::any_of(keys, [&](const auto& each) { return each.first == key; });
}

HeadLook look_at_head(std::string_view text) {
  HeadLook look;
  HeadSink sink(look);
  look.shape = look_at_events(text, sink).shape;
  return look;
}

}  // namespace warpscope::ingest
