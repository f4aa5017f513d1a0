#pragma once
// Entries of a trace's text in file order; HTA identifies events by their index.
#include <simdjson.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tests/core/analysis/brute_force.hpp"

namespace warpscope::tests {

/// An entry of traceEvents.
struct TraceEntry {
  std::uint64_t offset = 0;
  bool wait = false;    // a cuda_sync row
  bool shadow = false;  // a gpu_user_annotation
};

inline std::vector<TraceEntry> entries_of(const std::filesystem::path& path) {
  const simdjson::padded_string text(plain_text_of(path));
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(text);
  std::vector<TraceEntry> entries;
  for (auto event : document["traceEvents"].get_array()) {
    simdjson::ondemand::object object = event.get_object();
    const std::string_view raw = object.raw_json();
    TraceEntry& entry = entries.emplace_back();
    entry.offset = static_cast<std::uint64_t>(raw.data() - text.data());
    entry.wait = raw.find("\"cuda_sync\"") != raw.npos;
    entry.shadow = raw.find("\"gpu_user_annotation\"") != raw.npos;
  }
  return entries;
}

}  // namespace warpscope::tests
