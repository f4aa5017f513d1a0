#include "core/ingest/formats/trace_events/head_look.hpp"

#include <algorithm>

#include "core/trace/category.hpp"

namespace warpscope::ingest {

void HeadLook::event(const RawEvent& event) {
  if (event.phase != 0) ++events;
  if (!event.category.empty() && trace::role_of_category(event.category) != trace::Role::other) ++categorized;
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
