// Compares load estimates with actual loads.
#include "core/ingest/read/preflight.hpp"

#include <filesystem>

#include "core/ingest/listing/discover.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

Preflight preflight_of(const fs::path& path) {
  const auto found = discover(path);
  REQUIRE(found);
  return preflight(found->sources, 2);
}

/// Returns the error of `estimate`, as a factor of at least 1.
double factor(std::uint64_t estimate, std::uint64_t truth) {
  const double share = static_cast<double>(estimate) / static_cast<double>(truth);
  return share < 1 ? 1 / share : share;
}

struct Truth {
  std::uint64_t text = 0;
  std::uint64_t slices = 0;
};

Truth truth_of(const fs::path& path) {
  Truth truth;
  const auto profile = load(path);
  for (const auto& rank : profile->ranks) {
    truth.text += rank->source.text_bytes;
    truth.slices += rank->counts.slices;
  }
  return truth;
}

void write_set(const fs::path& folder, tracegen::Format format, tracegen::Layout layout, std::int64_t slices) {
  tracegen::Options options = *tracegen::preset("small");
  options.slices = slices;
  options.format = format;
  options.layout = layout;
  (void)tracegen::generate(options, folder);
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

constexpr std::string_view kShortEvent =
    R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1.5, "dur": 1, "args": {"stream": 7}},
)";

}  // namespace

TEST_CASE("generated sets are estimated within a factor of 1.5, for any format and layout", "[preflight]") {
  using tracegen::Format;
  using tracegen::Layout;
  for (const Format format : {Format::json, Format::gz, Format::zst}) {
    for (const Layout layout : {Layout::kineto, Layout::minified, Layout::indented}) {
      // Under sanitizers, which don't change estimates: each format with one layout.
      const Layout only = format == Format::json ? Layout::kineto
                          : format == Format::gz ? Layout::minified
                                                 : Layout::indented;
      if (sanitized() && layout != only) continue;
      const TestFolder folder;
      write_set(folder.path(), format, layout, 60'000);
      const Preflight estimate = preflight_of(folder.path());
      const Truth truth = truth_of(folder.path());
      INFO(static_cast<int>(format) << ' ' << static_cast<int>(layout) << ": " << estimate.text_bytes << " of "
                                    << truth.text << " bytes, " << estimate.slices << " of " << truth.slices);
      CHECK(estimate.files == 2);
      CHECK(factor(estimate.text_bytes, truth.text) < 1.5);
      CHECK(factor(estimate.slices, truth.slices) < 1.5);
      CHECK(estimate.seconds > 0);
      CHECK(estimate.resident_bytes >= estimate.slices * 24);
      CHECK(estimate.peak_bytes > estimate.resident_bytes);
    }
  }
}

TEST_CASE("real traces are also estimated", "[preflight][shared]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped: there is no folder of real traces");
    return;
  }
  Truth all;
  Truth estimated;
  for (const char* name : {"diff", "h100_inference", "mi300_resnet_ddp", "mtia", "ns_resolution", "resnet50_torch1.9",
                           "resnet_param", "v100_5steps", "dlrm8"}) {
    if (sanitized() && std::string_view(name) != "v100_5steps") continue;
    const fs::path path = *shared / "traces" / name;
    const Preflight estimate = preflight_of(path);
    const Truth truth = truth_of(path);
    INFO(name << ": " << estimate.slices << " of " << truth.slices);
    CHECK(factor(estimate.text_bytes, truth.text) < 1.02);
    CHECK(factor(estimate.slices, truth.slices) < 1.7);  // the start of a compressed file gives only a rough estimate
    all.slices += truth.slices;
    estimated.slices += estimate.slices;
  }
  CHECK(factor(estimated.slices, all.slices) < 1.5);
}

TEST_CASE("small files are counted, not estimated", "[preflight]") {
  const TestFolder folder;
  const std::string text = trace_of(repeated(kShortEvent, 999) + R"({"ph": "X", "name": "last", "ts": 1, "dur": 1})");
  folder.write("a.json", text);
  folder.write("b.json.gz", gzip(text));
  folder.write("c.json.zst", zstd(text));
  const Preflight estimate = preflight_of(folder.path());
  CHECK(estimate.slices == 3000);
  CHECK(estimate.text_bytes == 3 * text.size());
}

TEST_CASE("a gzip trailer of only the last member is not used", "[preflight]") {
  const TestFolder folder;
  const std::string half = repeated(kShortEvent, 100'000);
  const std::string text = "[" + half + half;
  const fs::path path = folder.write("a.json.gz", gzip("[" + half) + gzip(half) + gzip(" "));
  const Preflight estimate = preflight_of(path);
  CHECK(factor(estimate.text_bytes, text.size()) < 1.5);
}

TEST_CASE("the estimate samples a bounded number of files", "[preflight]") {
  const TestFolder folder;
  const std::string text = trace_of(repeated(kShortEvent, 99) + R"({"ph": "X", "name": "last", "ts": 1, "dur": 1})");
  for (int i = 0; i < 50; ++i) folder.write("rank" + std::to_string(i) + ".json", text);
  auto found = discover(folder.path());
  REQUIRE(found);
  fs::remove_all(folder.path() / "rank49.json");  // missing files count as if they were like the others
  const Preflight estimate = preflight(found->sources);
  CHECK(estimate.files == 50);
  CHECK(factor(estimate.slices, 5000) < 1.05);
}

TEST_CASE("empty input and files without traces cost nothing", "[preflight]") {
  const Preflight none = preflight({});
  CHECK(none.files == 0);
  CHECK(none.slices == 0);
  CHECK(none.seconds == 0);
  const TestFolder folder;
  CHECK(preflight_of(folder.write("other.json", R"({"jobs": [1, 2, 3]})")).slices == 0);
  trace::SourceFile absent;
  absent.path = (folder.path() / "absent.json").string();
  absent.size = 1000;
  CHECK(preflight(std::span(&absent, 1)).slices == 0);
}

TEST_CASE("system metrics count with their files, bytes and memory", "[preflight]") {
  const TestFolder folder;
  const std::string line =
      R"({"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":4.76,"NodeId":"algo-1","Timestamp":)";
  std::uint64_t size = 0;
  for (int minute = 0; minute < 12; ++minute) {
    std::string text;
    for (int i = 0; i < 600; ++i)
      text += line + std::to_string(1783653720 + 60 * minute + i / 10) + "." + std::to_string(i % 10) + "}\n";
    size += text.size();
    folder.write("system/incremental/2026050112/" + std::to_string(1783653720 + 60 * minute) + ".algo-1.json", text);
  }
  const auto alone = discover(folder.path());
  REQUIRE(alone);
  REQUIRE(alone->sources.size() == 1);
  const Preflight metrics = preflight(alone->sources, 2);
  CHECK(metrics.files == 12);
  CHECK(metrics.disk_bytes == size);
  CHECK(describe(metrics).starts_with("12 files, "));
  CHECK(describe(metrics).find("slices") == std::string::npos);
  const auto profile = load(folder.path());
  REQUIRE(profile->metrics.size() == 1);
  CHECK(metrics.resident_bytes - kResidentBase >= profile->metrics[0]->resident_bytes());

  folder.write("rank0.json", trace_of(repeated(kShortEvent, 9) + R"({"ph": "X", "name": "last", "ts": 1, "dur": 1})"));
  const auto both = discover(folder.path());
  REQUIRE(both);
  const Preflight all = preflight(both->sources, 2);
  const Preflight traces = preflight(std::span(both->sources).first(1), 2);
  CHECK(all.files == 13);
  CHECK(all.slices == 10);
  CHECK(all.disk_bytes == traces.disk_bytes + size);
  CHECK(all.text_bytes == traces.text_bytes + size);
  CHECK(all.resident_bytes > traces.resident_bytes);
  CHECK(all.peak_bytes > traces.peak_bytes);
  CHECK(describe(all).starts_with("13 files, "));
}

TEST_CASE("the text of an estimate omits unknown values", "[preflight]") {
  const auto slices = [](std::uint64_t count) {
    Preflight estimate;
    estimate.slices = count;
    const std::string text = describe(estimate);
    const std::size_t from = text.find("about ");
    return text.substr(from, text.find(" slices") - from);
  };
  CHECK(slices(999) == "about 999");
  CHECK(slices(12'345) == "about 12\u2009000");
  CHECK(slices(999'999) == "about 1.0 million");
  CHECK(slices(4'870'000) == "about 4.9 million");
  CHECK(slices(12'300'000) == "about 12 million");
  CHECK(slices(1'260'000'000) == "about 1\u2009300 million");
  Preflight estimate;
  estimate.files = 8;
  estimate.disk_bytes = std::uint64_t{475} << 20;
  estimate.text_bytes = std::uint64_t{6} << 30;
  estimate.slices = 14'100'000;
  estimate.resident_bytes = std::uint64_t{390} << 20;
  estimate.peak_bytes = std::uint64_t{870} << 20;
  estimate.seconds = 11.2;
  CHECK(describe(estimate) ==
        "8 files, 475 MiB (6.00 GiB of text), about 14 million slices: at most 390 MiB of memory, 870 MiB while "
        "loading, about 12 s");
  const std::string text = describe(estimate);
  CHECK(describe(estimate, std::uint64_t{1} << 30) == text);
  CHECK(describe(estimate, std::uint64_t{512} << 20) == text + "; limit 512 MiB: may be exceeded while loading");
  CHECK(describe(estimate, std::uint64_t{64} << 20) == text + "; limit 64.0 MiB: ranks will stay on disk");
}
