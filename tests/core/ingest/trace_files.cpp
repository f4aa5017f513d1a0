#include "tests/core/ingest/trace_files.hpp"

namespace warpscope::tests {

std::string trace_of(const std::string& events, const std::string& metadata) {
  return "{" + metadata + (metadata.empty() ? "" : ", ") + "\"traceEvents\": [" + events + "]}";
}

std::string kernel_event(const std::string& name, std::int64_t begin, std::int64_t duration) {
  return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" +
         std::to_string(begin) + R"(, "dur": )" + std::to_string(duration) + R"(, "args": {"device": 0, "stream": 7}})";
}

std::shared_ptr<const trace::Profile> load(const std::filesystem::path& path) {
  auto profile = tests::load_profile(path.string());
  INFO((profile ? std::string() : profile.error().message()));
  REQUIRE(profile.ok());
  return *profile;
}

std::shared_ptr<const trace::Profile> load_events(const std::string& events, const std::string& metadata) {
  const TestFolder folder;
  return load(folder.write("trace.json", trace_of(events, metadata)));
}

}  // namespace warpscope::tests
