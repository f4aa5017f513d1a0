// `warpscope analyze` as used in scripts.
#include <simdjson.h>

#include <algorithm>
#include <sstream>

#include "app/cli/commands/analysis_help.hpp"
#include "app/cli/exit_status.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/utf8.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/environment.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Removes the line breaks and indents added by wrapping.
std::string unwrapped(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string words;
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

}  // namespace

TEST_CASE("analyze prints every analysis in every format and writes nothing else to stdout", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  for (const analysis::Analysis& each : analysis::analyses()) {
    INFO(each.name);
    const std::string name(each.name);
    const auto analyze = [&](const std::string& format) {
      std::vector<std::string> arguments{"analyze", name, path};
      if (each.compares) arguments.push_back(path);
      arguments.insert(arguments.end(), {"--no-store", format});
      return run(arguments);
    };
    const Outcome csv = analyze("--csv");
    CHECK(csv.status == cli::kDone);
    const std::vector<std::string> lines = lines_of(csv.out);
    REQUIRE_FALSE(lines.empty());
    CHECK(lines.front().find_first_not_of("abcdefghijklmnopqrstuvwxyzACGIOPTU0123456789_,()%\r ") == std::string::npos);
    // These tables are empty because annotation_histogram needs a name, potential_stragglers needs hta, no operator has
    // three kernels, and counters, memory timelines, system metrics, Python functions, modules and shapes were not
    // recorded.
    const bool nothing = name == "annotation_histogram" || name == "frequent_cuda_kernel_sequences" ||
                         name == "cupti_counters" || name == "memory_timeline" || name == "system_usage" ||
                         name == "metric_distribution" || name == "host_metrics" || name == "python_stats" ||
                         name == "modules" || name == "efficiency" || name == "potential_stragglers";
    if (!nothing) CHECK(lines.size() > 1);

    const Outcome json = analyze("--json");
    simdjson::dom::parser parser;
    simdjson::dom::object document;
    REQUIRE(parser.parse(json.out).get(document) == simdjson::SUCCESS);
    CHECK(std::uint64_t(document["schema"]) == 2);
    CHECK(json.err.empty());
    const simdjson::dom::array rows = document[name];
    CHECK(rows.size() == lines.size() - 1);
    // Records have the columns of CSV.
    std::string columns;
    for (const auto& [key, value] : simdjson::dom::object(rows.size() > 0 ? rows.at(0) : document))
      columns += (columns.empty() ? "" : ",") + std::string(key);
    if (rows.size() > 0 && lines.front().find('"') == std::string::npos) CHECK(columns + "\r" == lines.front());

    CHECK_FALSE(analyze("--text").out.empty());
    CHECK(analyze("--md").out.starts_with("### "));
  }
}

TEST_CASE("analyze uses the given ranks, time range and parameters", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const auto total = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"analyze", "gpu_active_time", path, "--no-store", "--csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::vector<std::string> lines = lines_of(run(arguments).out);
    REQUIRE(lines.size() == 3);
    const auto figure = [](const std::string& line) { return std::stoll(line.substr(line.find(',') + 1)); };
    return figure(lines[1]) + figure(lines[2]);
  };
  const std::int64_t all = total({});
  CHECK(total({"--rank", "0"}) + total({"--rank", "1"}) == all);
  CHECK(total({"--rank", "0-1"}) == all);
  CHECK(total({"--from", "1ms", "--to", "3ms"}) == 2 * 2'000'000);

  const Outcome top = run({"analyze", "kernel_time", path, "--no-store", "--csv", "--set", "k=2"});
  const std::vector<std::string> lines = lines_of(top.out);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "name,total_ns,share_pct,count,names\r");
  CHECK(lines[3].starts_with("others,"));
  CHECK(top.err.find("other kernels") != std::string::npos);
  CHECK(lines_of(
            run({"analyze", "kernel_time", path, "--no-store", "--csv", "--set", "k=2", "--part", "top-kernels"}).out)
            .size() == 3);
  const Outcome parts = run({"analyze", "kernel_time", path, "--no-store", "--parts", "--csv"});
  CHECK(parts.out.find("share-of-gpu-time,") != std::string::npos);
  CHECK(
      lines_of(run({"analyze", "annotation_histogram", path, "--no-store", "--csv", "--set", "name=ProfilerStep"}).out)
          .size() > 1);
}

TEST_CASE("analyze aligns clocks unless they are set to be recorded", "[cli]") {
  tracegen::Options options = small_job(2, 2);
  options.layout = tracegen::Layout::minified;
  options.clocks = {{1, 2'000'000, 0}};
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto late_ranks = [&](const std::string& clocks) {
    return run({"analyze", "late_ranks", folder.path().string(), "--no-store", "--csv", "--set", "clocks=" + clocks});
  };
  const Outcome aligned = late_ranks("aligned");
  const Outcome recorded = late_ranks("recorded");
  CHECK(aligned.status == cli::kDone);
  CHECK(recorded.status == cli::kDone);
  CHECK(aligned.out != recorded.out);
  CHECK(unwrapped(recorded.err).find("Times are as recorded") != std::string::npos);
}

TEST_CASE("kernel rules from the command line override those from the settings", "[cli]") {
  const TestFolder folder;
  const std::string trace =
      folder
          .write("trace.json", trace_of(kernel_event("ring_a", 100) + "," + kernel_event("ring_b", 200, 30) + "," +
                                        kernel_event("gemm", 300, 50)))
          .string();
  const auto communicates = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"analyze", "temporal_breakdown", trace, "--no-store", "--csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::vector<std::string> lines = lines_of(run(arguments).out);
    REQUIRE(lines.size() == 2);
    std::vector<std::string> cells;
    std::istringstream in(lines[1]);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    return cells.at(3);  // non_compute_time(us)
  };
  CHECK(communicates({}) == "0");
  CHECK(communicates({"--kernel-class", "communication=ring_a"}) == "10");
  CHECK(communicates({"--kernel-class", "computation=ring_b", "--kernel-class", "communication=ring*"}) == "10");
  folder.write("config/warpscope/settings", "kernel_class = communication=ring_\n");
  const Variable config("XDG_CONFIG_HOME", (folder.path() / "config").c_str());
  CHECK(communicates({}) == "40");
  CHECK(communicates({"--kernel-class", "computation=ring_b"}) == "10");
  const Outcome plain = run({"analyze", "kernel_time", trace, "--no-store", "--csv"});
  CHECK(plain.status == cli::kDone);
}

TEST_CASE("analyze --list lists every analysis and parameter, wrapped to the line width", "[cli]") {
  const std::string list = run({"analyze", "--list"}).out;
  const std::string text = unwrapped(list);
  for (const analysis::Analysis& each : analysis::analyses()) {
    CHECK(contains(text, std::string(each.name) + ": " + std::string(each.title)));
    CHECK(contains(text, unwrapped(each.about)));
    for (const analysis::Parameter& parameter : each.parameters) CHECK(contains(text, unwrapped(parameter.about)));
  }
  for (const std::string& line : lines_of(list)) CHECK(display_width(line) <= 100);
}

TEST_CASE("analyze NAME --help describes that analysis", "[cli]") {
  for (const analysis::Analysis& each : analysis::analyses()) {
    const Outcome outcome = run({"analyze", std::string(each.name), "--help"});
    INFO(outcome.out);
    CHECK(outcome.status == cli::kDone);
    CHECK(outcome.err.empty());
    const std::string text = unwrapped(outcome.out);
    CHECK(text.starts_with(std::string(each.name) + ": "));
    CHECK(contains(text, unwrapped(each.about)));
    CHECK(contains(text, unwrapped(each.still_ours)));
    CHECK(contains(text, "Differences from HTA that remain with --hta") == analysis::has_parameter(each, "hta"));
    for (const analysis::Parameter& parameter : each.parameters) {
      CHECK(contains(text, std::string(parameter.name) + "=" + std::string(parameter.preset)));
      CHECK(contains(text, unwrapped(parameter.about)));
    }
    CHECK(contains(text, "Example warpscope analyze " + std::string(each.name)));
    for (const std::string& line : lines_of(outcome.out)) CHECK(display_width(line) <= 100);
  }
  CHECK(contains(run({"analyze", "cuda_kernel_launch_stats", "--help"}).out,
                 "  warpscope analyze cuda_kernel_launch_stats traces --set runtime_cutoff=50us --csv\n"));
  CHECK(contains(run({"analyze", "--help"}).out, "--kernel-class"));
  CHECK(contains(run({"analyze", "no_such", "--help"}).out, "--kernel-class"));
}

TEST_CASE("text is wrapped between words") {
  const auto wrapped = [](std::string before, std::string_view text, std::size_t indent) {
    cli::append_wrapped(before, text, indent);
    return before;
  };
  CHECK(wrapped("", "a  b", 2) == "  a b\n");
  CHECK(wrapped("x\nk=1", "a", 5) == "x\nk=1  a\n");
  const std::string word(48, 'w');
  CHECK(wrapped("", word + " " + word + "µ" + " b", 2) == "  " + word + " " + word + "µ\n  b\n");
  CHECK(wrapped("", word + " " + word + "µµ", 2) == "  " + word + "\n  " + word + "µµ\n");
  const std::string wide(120, 'w');
  CHECK(wrapped("", "a " + wide + " b", 2) == "  a\n  " + wide + "\n  b\n");
}

TEST_CASE("analyze usage errors exit with 2 and give advice", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const auto says = [&](std::vector<std::string> arguments, std::string_view what) {
    arguments.insert(arguments.begin(), "analyze");
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == cli::kUsage);
    CHECK(outcome.out.empty());
    INFO(outcome.err);
    CHECK(outcome.err.find(what) != std::string::npos);
  };
  says({}, "run warpscope analyze --list to see all analyses");
  says({"kernel_tim", path}, "kernel_tim: is not an analysis");
  says({"kernel_time"}, "specify a trace file");
  says({"kernel_time", path, "--set", "k"}, "is not in the form name=value");
  says({"kernel_time", path, "--set", "k=-1"}, "k: cannot be \"-1\"");
  says({"kernel_time", path, "--set", "q=1"}, "its parameters are k");
  says({"kernel_time", path, "--rank", "7"}, "rank 7: is not in this profile");
  says({"kernel_time", path, "--rank", "x"}, "use rank numbers");
  says({"kernel_time", path, "--from", "2ms", "--to", "1ms"}, "select an empty range");
  says({"kernel_time", path, "--from", "soon"}, "--from soon");
  says({"kernel_time", path, "--from", "1h"}, "is after the end; the profile ends at ");
  says({"kernel_time", path, "--part", "x"}, "its tables are kernel-time");
  says({"gpu_utilization", path, "--set", "bin=1ns"}, "would produce");
  says({"kernel_time", path, "--csv", "--json"}, "--csv");
  says({"kernel_time", path, "--kernel-class", "memory=x"}, "--kernel-class: does not apply to kernel_time");
  says({"temporal_breakdown", path, "--kernel-class", "x"}, "--kernel-class x: is not a kernel class");
  says({"temporal_breakdown", path, "--set", "kernel_class=other=x"}, "other=x: is not a kernel class");
  CHECK(run({"analyze", "kernel_time", (folder.path() / "none").string()}).status == cli::kNothingRead);
}

TEST_CASE("analyze exits with 2 for an unknown name and lists the valid ones", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const auto asked = [&](const std::string& name, const std::string& setting) {
    return run({"analyze", name, path, "--no-store", "--set", setting});
  };
  const auto says = [&](const std::string& name, const std::string& setting, std::string_view what) {
    const Outcome outcome = asked(name, setting);
    INFO(outcome.out);
    CHECK(outcome.status == cli::kDone);
    CHECK(contains(outcome.out, what));
  };
  says("critical_path", "annotation=no_such", "No annotation or call on this rank matches \"no_such\".");
  says("critical_path", "annotation=no_such", "Available annotations: ");
  says("annotation_histogram", "name=no_such", "Available annotations: ");
  says("frequent_cuda_kernel_sequences", "operator_name=no_such", "No call with \"no_such\" in its name");
  says("aten_op_kernels_and_delay", "operators=no_such*", "no kernels launched by these operators");
}

TEST_CASE("the annotation_histogram example shows a histogram", "[cli]") {
  const Outcome help = run({"analyze", "annotation_histogram", "--help"});
  CHECK(contains(help.out, "warpscope analyze annotation_histogram traces --set name=step --csv"));
  const TestFolder folder;
  TinyEvents events;
  events.step(1, 0, 50).annotation("step_1", 2, 5);
  const std::string trace = folder.write("trace.json", trace_of(events.text())).string();
  CHECK(lines_of(run({"analyze", "annotation_histogram", trace, "--no-store", "--csv", "--set", "name=step"}).out)
            .size() > 1);
  CHECK(contains(run({"analyze", "annotation_histogram", trace, "--no-store"}).out,
                 "No name given; choose an annotation. Available annotations: "));
  const std::string without = folder.write("without.json", trace_of(kernel_event("gemm", 100))).string();
  CHECK(contains(run({"analyze", "annotation_histogram", without, "--no-store"}).out, "Available annotations: none."));
}

TEST_CASE("analyze --hta computes HTA's results, only for HTA's analyses", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const Outcome ours = run({"analyze", "temporal_breakdown", path, "--no-store", "--csv"});
  const Outcome theirs = run({"analyze", "temporal_breakdown", path, "--no-store", "--csv", "--hta"});
  const Outcome rounded = run({"analyze", "temporal_breakdown", path, "--no-store", "--csv", "--hta-rounding"});
  CHECK(ours.status == cli::kDone);
  CHECK(theirs.status == cli::kDone);
  CHECK(ours.out != theirs.out);  // HTA excludes the last step
  CHECK(theirs.out != rounded.out);
  CHECK(rounded.out.find('.') != std::string::npos);  // only in percentages
  const Outcome wrong = run({"analyze", "kernel_time", path, "--no-store", "--hta"});
  CHECK(wrong.status == cli::kUsage);
  CHECK(wrong.err.find("not one of HTA's analyses") != std::string::npos);
}

TEST_CASE("analyze prints only stacks, for flame graph tools", "[cli]") {
  const TestFolder folder;
  const Outcome text = run({"analyze", "call_tree", small_set(folder), "--no-store", "--part", "stacks"});
  CHECK(text.status == cli::kDone);
  const std::vector<std::string> lines = lines_of(text.out);
  REQUIRE(lines.size() > 3);
  for (const std::string& line : lines) {
    CAPTURE(line);
    const std::size_t space = line.rfind(' ');
    REQUIRE(space != line.npos);
    CHECK((space + 1 < line.size() && line.find_first_not_of("0123456789", space + 1) == line.npos));
  }
}

TEST_CASE("analyze --npz writes the arrays of all tables or of one", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const Outcome all = run({"analyze", "late_ranks", path, "--no-store", "--npz"});
  CHECK(all.status == cli::kDone);
  for (const char* const name : {"late_ranks.note.npy", "late_ranks/rank.npy", "late_ranks_late_by_step/rank.npy"})
    CHECK(contains(all.out, name));
  const Outcome part = run({"analyze", "late_ranks", path, "--no-store", "--npz", "--part", "late-by-step"});
  CHECK(part.out.starts_with("PK\3\4"));
  CHECK(contains(part.out, "rank.npy"));
  CHECK_FALSE(contains(part.out, "late_ranks"));
  CHECK(run({"analyze", "late_ranks", path, "--no-store", "--npz", "--part", "nothing"}).status == cli::kUsage);
}

TEST_CASE("control characters in a trace reach neither the terminal nor HTML", "[cli]") {
  const TestFolder folder;
  const std::string evil = R"(a\u001b]0;t\u0007\u009b31m\rb)";
  TinyEvents events;
  events.step(1, 0, 50).op(evil, 1, 10).annotation(evil, 2, 5).launch(3, 1);
  events.run({.name = evil, .begin = 10, .length = 20, .correlation = 1});
  const std::string path = folder.write("trace.json", trace_of(events.text(), "")).string();
  const auto clean = [](std::string_view text, bool csv = false) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      const bool c1 = byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
      if ((byte < 0x20 && byte != '\n' && !(csv && byte == '\r')) || byte == 0x7F || c1) return false;
    }
    return true;
  };
  for (const analysis::Analysis& each : analysis::analyses()) {
    INFO(each.name);
    for (const char* format : {"--text", "--md", "--json", "--csv"}) {
      std::vector<std::string> arguments{"analyze", std::string(each.name), path, format, "--no-store"};
      if (each.compares) arguments.insert(arguments.begin() + 3, path);
      const Outcome outcome = run(arguments);
      CHECK(clean(outcome.out, std::string_view(format) == "--csv"));
      CHECK(clean(outcome.err));
    }
  }
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"info", path},
           {"info", path, "--json"},
           {"diff", path, path, "--fail-over", "0%"},
           {"analyze", "annotation_histogram", path, "--set", "annotation=none such"}}) {
    const Outcome outcome = run(arguments);
    CHECK(clean(outcome.out));
    CHECK(clean(outcome.err));
  }
  const std::filesystem::path html = folder.path() / "report.html";
  REQUIRE(run({"report", path, "--html", html.string(), "--no-store"}).status == cli::kDone);
  CHECK(clean(read_whole(html)));
}
