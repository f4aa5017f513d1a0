#include "core/ingest/format/event_text.hpp"

#include <algorithm>

namespace warpscope::ingest {

const std::string* EventText::find(std::string_view path) const {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const EventRow& each) { return each.path == path; });
  return row == rows.end() ? nullptr : &row->value;
}

}  // namespace warpscope::ingest
