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
std::string trace_of(const std::string& events, const std::string& metadata = "");

/// A kernel on stream 7 of device 0; times in µs.
std::string kernel_event(const std::string& name, std::int64_t begin = 100, std::int64_t duration = 10);

std::shared_ptr<const trace::Profile> load(const std::filesystem::path& path);

/// Loads a single trace with these events.
std::shared_ptr<const trace::Profile> load_events(const std::string& events, const std::string& metadata = "");

}  // namespace warpscope::tests
