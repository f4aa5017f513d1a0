// Compares every event of every real trace with a DOM parser that reads the whole document.
#include <simdjson.h>

#include <cmath>
#include <map>

#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/json/simd_block.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;
using simdjson::dom::element;

namespace {

std::vector<fs::path> trace_files() {
  std::vector<fs::path> files;
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces here");
    return files;
  }
  for (const auto& entry : fs::recursive_directory_iterator(*shared / "traces")) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.find("malformed") != std::string::npos) continue;
    if (entry.file_size() > largest_trace()) continue;
    if (path.ends_with(".json") || path.ends_with(".json.gz")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& path) {
  auto stream = ingest::open_byte_stream(path.string());
  if (!stream.ok()) return {};
  std::string text;
  std::vector<char> block(1 << 20);
  for (;;) {
    const auto got = (*stream)->read(block);
    if (!got.ok() || *got == 0) return text;
    text.append(block.data(), *got);
  }
}

std::string as_text(const element& event, std::string_view key) {
  element value;
  if (event[key].get(value) != simdjson::SUCCESS || value.is_null()) return {};
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return std::to_string(number);
  return {};
}

/// Compares a time field within the precision of the DOM's doubles. Two missing fields are equal.
bool same_time(const std::optional<Ns>& ours, const element& event, std::string_view key) {
  element value;
  if (event[key].get(value) != simdjson::SUCCESS) return !ours;
  double microseconds = 0;
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS)
    microseconds = std::stod(std::string(text));
  else if (value.get(microseconds) != simdjson::SUCCESS)
    return !ours;
  const double ns = microseconds * 1e3;
  return ours && std::abs(static_cast<double>(*ours) - ns) <= std::max(1.0, std::abs(ns) * 1e-15);
}

std::optional<std::int64_t> dom_correlation(const element& event, const KeptEvent& ours) {
  const bool host = ours.category == "cpu_op" || ours.category == "Operator" || ours.category == "python_function" ||
                    ours.category == "user_annotation" || ours.category == "gpu_user_annotation";
  std::int64_t number = 0;
  if (ours.phase != 'X' || host || event["args"]["correlation"].get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::size_t count_differences(const simdjson::dom::array& events, const Parsed& parsed) {
  std::size_t differences = 0;
  std::size_t i = 0;
  for (const element event : events) {
    if (!event.is_object()) continue;
    if (i == parsed.events.size()) return differences + 1;
    const KeptEvent& ours = parsed.events[i++];
    const bool same = std::string(ours.phase != 0 ? 1 : 0, ours.phase) == as_text(event, "ph") &&
                      ours.name == as_text(event, "name") && ours.category == as_text(event, "cat") &&
                      ours.process == as_text(event, "pid") && ours.thread == as_text(event, "tid") &&
                      ours.id == as_text(event, "id") && same_time(ours.time, event, "ts") &&
                      same_time(ours.duration, event, "dur") && ours.correlation == dom_correlation(event, ours);
    differences += same ? 0 : 1;
  }
  return differences + (parsed.events.size() - i);
}

}  // namespace

TEST_CASE("kineto: all real traces, event for event like a DOM parser", "[kineto][real]") {
  simdjson::dom::parser parser;
  std::size_t compared = 0;
  for (const fs::path& path : trace_files()) {
    const std::string text = text_of(path);
    element document;
    if (parser.parse(text).get(document) != simdjson::SUCCESS) continue;
    simdjson::dom::array events;
    if (document["traceEvents"].get(events) != simdjson::SUCCESS && document.get(events) != simdjson::SUCCESS) continue;
    INFO(path.string());
    const Parsed parsed = parse_text(text);
    CHECK(parsed.repaired() == 0);
    CHECK_FALSE(parsed.outcome.truncated);
    CHECK(count_differences(events, parsed) == 0);
    simdjson::dom::object object;
    if (document.get(object) == simdjson::SUCCESS) CHECK(parsed.metadata_texts.size() + 1 == object.size());
    for (const Diagnostic& diagnostic : parsed.diagnostics.all()) {
      INFO(diagnostic.code << " " << diagnostic.example);
      CHECK((diagnostic.code == "duplicate-key" || diagnostic.code == "not-an-event"));
    }
    ++compared;
  }
  if (shared_dir()) CHECK(compared >= 25);
}

TEST_CASE("repair: the slow path reads valid events like the fast one", "[kineto][real]") {
  namespace json = ingest::json;
  const auto shared = shared_dir();
  if (!shared) return;
  std::size_t compared = 0;
  for (const char* file :
       {"dlrm8/worker0_step_12.1694128201545.pt.trace.json", "amd_mi250/mi250_minitoy_train_ROCm6_2_kineto.json.gz",
        "triton/triton_example.json.gz", "critical_path/alexnet/benchmark_result_2869224_1695835535_trace.json.gz"}) {
    std::string text = text_of(*shared / "traces" / file);
    const Parsed parsed = parse_text(text);
    text.append(json::kPadding, '\0');
    for (std::size_t i = 0; i + 1 < parsed.events.size(); ++i) {
      const KeptEvent& fast = parsed.events[i];
      const json::Region region{text.data() + fast.offset, text.data() + parsed.events[i + 1].offset,
                                json::Bound::known};
      ingest::RawEvent patient;
      json::Scratch scratch;
      json::Notes notes;
      const json::EventOutcome repair = json::repair_event(region, patient, scratch, notes);
      INFO(file << " " << fast.offset);
      REQUIRE(repair.status == json::EventStatus::complete);
      CHECK(notes.empty());
      CHECK(patient.name == fast.name);
      CHECK(patient.category == fast.category);
      CHECK(patient.arguments == fast.arguments);
      CHECK(patient.process == fast.process);
      CHECK(patient.thread == fast.thread);
      CHECK(patient.phase == fast.phase);
      CHECK(patient.has_correlation == fast.correlation.has_value());
      CHECK(patient.correlation == fast.correlation.value_or(0));
      CHECK(patient.time == fast.time.value_or(0));
      CHECK(patient.duration == fast.duration.value_or(0));
      ++compared;
    }
  }
  CHECK(compared > 4000);
}
