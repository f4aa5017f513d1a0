#pragma once
// Small handwritten traces.
#include <filesystem>
#include <string>

#include "core/ingest/load/loader.hpp"
#include "tests/catch.hpp"
#include "tests/load_profile.hpp"
#include "tests/test_folder.hpp"

namespace warpscope::tests {

/// A trace of these events (comma-separated JSON objects), preceded by `metadata` ("\"key\": value, …").
inline std::string trace_of(const std::string& events, const std::string& metadata = "") {
  return "{" + metadata + (metadata.empty() ? "" : ", ") + "\"traceEvents\": [" + events + "]}";
}

/// A kernel on stream 7 of device 0; times in µs.
inline std::string kernel_event(const std::string& name, std::int64_t begin = 100, std::int64_t duration = 10) {
  return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" +
         std::to_string(begin) + R"(, "dur": )" + std::to_string(duration) + R"(, "args": {"device": 0, "stream": 7}})";
}

inline std::shared_ptr<const trace::Profile> load(const std::filesystem::path& path) {
  auto profile = tests::load_profile(path.string());
  INFO((profile ? std::string() : profile.error().message()));
  REQUIRE(profile.ok());
  return *profile;
}

/// Loads a single trace with these events.
inline std::shared_ptr<const trace::Profile> load_events(const std::string& events, const std::string& metadata = "") {
  const TestFolder folder;
  return load(folder.write("trace.json", trace_of(events, metadata)));
}

}  // namespace warpscope::tests
