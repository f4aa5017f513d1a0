// bench_parse: measures parsing of event text. Compares the parser with skeletons (by instruction set), without them,
// and with the collector behind it, with the floor: a bare simdjson pass over the same text. Runs in this process on
// one thread. Files are read in blocks that stay in the cache; every measurement includes reading.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "core/ingest/bytes/file_source.hpp"
#include "core/ingest/events/event_collector.hpp"
#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/json/scan.hpp"
#include "tests/bench/floor.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/traces.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;
using ingest::json::EventParser;
using ingest::json::kPadding;
using ingest::json::SkeletonMatcher;

constexpr std::size_t kBlock = kFloorPiece;
constexpr double kLimit = 1.5;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Figures {
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;
  double seconds = 0;
  std::string trouble;
};

/// Parses the events of an uncompressed file and passes each one on.
class Pass {
 public:
  Pass(EventParser& parser, std::function<void(const ingest::RawEvent&)> event)
      : parser_(parser), event_(std::move(event)), buffer_(2 * kBlock + kPadding) {}

  Figures run(const std::string& path) {
    auto source = ingest::FileSource::open(path);
    if (!source) return {.trouble = source.error().what};
    const double begin = thread_seconds();
    for (std::size_t have = 0; !ended_;) {
      if (buffer_.size() < have + kBlock + kPadding) buffer_.resize(2 * buffer_.size());
      const auto got = source->read_at(figures_.bytes, {buffer_.data() + have, kBlock});
      if (!got) return {.trouble = got.error().what};
      if (*got == 0) return {.trouble = "the array of events does not end"};
      figures_.bytes += *got;
      const char* const end = buffer_.data() + have + *got;
      std::memset(buffer_.data() + have + *got, 0, kPadding);
      const char* const rest = block(buffer_.data(), end);
      if (!figures_.trouble.empty()) return figures_;
      have = static_cast<std::size_t>(end - rest);
      std::memmove(buffer_.data(), rest, have);
    }
    figures_.seconds = thread_seconds() - begin;
    return figures_;
  }

 private:
  /// Returns the start of the text to keep.
  const char* block(const char* at, const char* end) {
    if (!found_) {
      const std::string_view text(at, static_cast<std::size_t>(end - at));
      const std::size_t key = text.find("\"traceEvents\"");
      const std::size_t bracket = text.find('[', key == std::string_view::npos ? 0 : key);
      if (bracket == std::string_view::npos) {
        figures_.trouble = "there are no events at its begin";
        return end;
      }
      at += bracket + 1;
      found_ = true;
    }
    for (;;) {
      while (*at == ',' || ingest::json::is_space(*at)) ++at;
      if (at >= end) return at;
      ended_ = *at == ']';
      if (ended_) return at;
      const EventParser::Outcome outcome = parser_.parse(at, end, false);
      if (outcome.status == EventParser::Status::need_more) return at;
      if (outcome.status != EventParser::Status::complete) {
        figures_.trouble = "damaged";
        return end;
      }
      event_(parser_.event());
      ++figures_.events;
      at = outcome.next;
    }
  }

  EventParser& parser_;
  std::function<void(const ingest::RawEvent&)> event_;
  std::vector<char> buffer_;
  Figures figures_;
  bool found_ = false;
  bool ended_ = false;
};

Figures parse(const std::string& path, SkeletonMatcher matcher) {
  EventParser parser(matcher);
  std::uint64_t sum = 0;
  Figures figures = Pass(parser, [&](const ingest::RawEvent& event) { sum += event.name.size(); }).run(path);
  if (sum == 0 && figures.events > 0) figures.trouble = "its events have no names";
  return figures;
}

Figures collect(const std::string& path, SkeletonMatcher matcher) {
  constexpr std::size_t kBatch = 4096;
  EventParser parser(matcher);
  ingest::EventCollector collector(path);
  ingest::EventBatch batch;
  collector.fill(batch);
  return Pass(parser,
              [&](const ingest::RawEvent& event) {
                collector.event(event);
                if (batch.slices.size() >= kBatch) batch.clear();
              })
      .run(path);
}

Figures floor_of(const std::string& path) {
  const auto floor = measure_floor(path);
  if (!floor) return {.trouble = floor.error().what};
  return {.bytes = floor->text_bytes, .events = floor->events, .seconds = floor->cpu_seconds, .trouble = {}};
}

struct Way {
  std::string name;
  std::function<Figures(const std::string&)> run;
  std::vector<double> seconds{};
};

std::vector<Way> ways() {
  const ingest::json::SkeletonMatchers matchers = ingest::json::skeleton_matchers();
  const auto with = [](SkeletonMatcher matcher) {
    return [matcher](const std::string& path) { return parse(path, matcher); };
  };
  std::vector<Way> ways{{"floor (simdjson)", floor_of}, {"strict", with(nullptr)}, {"skeletons", with(matchers.plain)}};
  if (matchers.avx2 != nullptr) ways.push_back({"skeletons, AVX2", with(matchers.avx2)});
  ways.push_back(
      {"and collected", [](const std::string& path) { return collect(path, ingest::json::skeleton_matcher()); }});
  return ways;
}

void measure(const std::string& title, const std::string& path, int runs, Report& report) {
  std::vector<Way> all = ways();
  Figures figures;
  warm(path);
  for (int run = 0; run < runs; ++run)
    for (Way& way : all) {
      const Figures got = way.run(path);
      if (!got.trouble.empty()) {
        report.notes.push_back(fmt::format("{}, {}: {}", title, way.name, got.trouble));
        report.requirements.push_back({title + ": and collected : floor", NAN, kLimit, "×"});
        return;
      }
      figures.events = std::max(figures.events, got.events);
      figures.bytes = std::max(figures.bytes, got.bytes);
      way.seconds.push_back(got.seconds);
    }
  Table table("parse",
              fmt::format("{}: {:.0f} MB, {:.2f} M events", title, 1e-6 * static_cast<double>(figures.bytes),
                          1e-6 * static_cast<double>(figures.events)),
              {{"way", "", ColumnKind::text},
               {"GB/s", "", ColumnKind::real},
               {"M events/s", "", ColumnKind::real},
               {"CPU ns/event", "", ColumnKind::real},
               {"times the floor", "", ColumnKind::real}});
  const double floor = median(all.front().seconds);
  for (const Way& way : all) {
    const double seconds = median(way.seconds);
    const auto events = static_cast<double>(figures.events);
    table.add_row({way.name, 1e-9 * static_cast<double>(figures.bytes) / seconds, 1e-6 * events / seconds,
                   1e9 * seconds / events, seconds / floor});
  }
  report.requirements.push_back({title + ": and collected : floor", median(all.back().seconds) / floor, kLimit, "×"});
  report.tables.push_back(std::move(table));
}

int run(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  std::uint64_t slices = 200'000;
  CommandLine line("Measures how fast text becomes events, in all layouts, against a bare simdjson pass. One thread.",
                   options);
  line.add("--slices", slices, "Slices of the generated traces");
  line.add("FILE", files, "Traces to measure in place of generated ones; not compressed");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "parse", .title = "Events out of text, CPU time of one thread", .runs = options.runs};
  for (const std::string& file : files) measure(file, file, options.runs, report);
  if (files.empty())
    for (const char* layout : {"kineto", "minified", "oneline", "indented"}) {
      const auto trace = make_trace({.slices = slices, .shapes = true, .layout = layout}, options.generator);
      if (trace)
        measure(layout, trace->string(), options.runs, report);
      else
        report.notes.push_back(fmt::format("{}: {}", layout, trace.error().what));
    }
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&] { return run(argc, argv); });
}
