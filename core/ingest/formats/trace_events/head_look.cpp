#include "core/ingest/formats/trace_events/head_look.hpp"

#include <algorithm>

#include "core/ingest/json/flat_arguments.hpp"
#include "core/trace/category.hpp"

namespace warpscope::ingest {

void HeadLook::event(const RawEvent& event) {
  constexpr std::size_t kProcesses = 16;
  if (event.phase == 'X' || event.phase == 'B' || event.phase == 'E' || event.phase == 'i') {
    if (event.has_time && event.time > 0) first = std::min(first.value_or(event.time), event.time);
  }
  if (event.phase != 0) ++events;
  if (!event.category.empty() && trace::role_of_category(event.category) != trace::Role::other) ++categorized;
  if (processes.size() < kProcesses && !event.process.empty()) processes.emplace(event.process);
  if (event.phase == 'M' && event.name == "process_name")
    process_names.emplace(event.process, argument(event.arguments, "name"));
}

bool HeadLook::has_key(std::string_view key) const {
  return std::ranges::any_of(keys, [&](const auto& each) { return each.first == key; });
}

HeadLook look_at_head(std::string_view text) {
  HeadLook look;
  look.shape = look_at_events(text, look).shape;
  return look;
}

}  // namespace warpscope::ingest
