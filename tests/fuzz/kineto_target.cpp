// A whole trace, from text to the tables that show it. The text must give the same events whatever portions it comes
// in, and every slice of it must be in the rank that is built.
#include "core/analysis/profile_summary.hpp"
#include "core/base/diagnostics.hpp"
#include "core/ingest/event_collector.hpp"
#include "core/ingest/rank_builder.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/rank_properties.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

void require_same(const tests::Parsed& a, const tests::Parsed& b) {
  require(a.events == b.events, "portions make no difference to events");
  require(a.metadata_texts == b.metadata_texts, "portions make no difference to metadata");
  require(a.outcome.shape == b.outcome.shape && a.outcome.truncated == b.outcome.truncated,
          "portions make no difference to what the document is");
  require(a.diagnostics.all().size() == b.diagnostics.all().size(), "portions make no difference to diagnostics");
  for (std::size_t i = 0; i < a.diagnostics.all().size(); ++i) {
    const Diagnostic& x = a.diagnostics.all()[i];
    const Diagnostic& y = b.diagnostics.all()[i];
    require(x.code == y.code && x.count == y.count && x.offset == y.offset,
            "portions make no difference to the diagnostic " + x.code);
  }
}

void build_and_show(std::string_view text, std::size_t block) {
  auto dictionary = std::make_shared<trace::Dictionary>();
  ingest::PendingRank pending;
  pending.file = "trace.json";
  ingest::EventCollector collector(pending, dictionary->categories);
  tests::MemoryStream stream(text);
  const ingest::ParseOutcome outcome = ingest::parse_kineto(stream, collector, pending.diagnostics, "trace.json",
                                                            nullptr, nullptr, {block, std::size_t{64} << 20});
  collector.finish();
  require(outcome.why_no_trace("trace.json").has_value() == (outcome.shape != ingest::ParseOutcome::Shape::trace),
          "what is no trace is told why");
  const std::uint64_t slices = slices_of(pending);
  ingest::FileFacts facts;
  facts.source.path = "/folder/host_12.1700000000000.pt.trace.json";
  const auto rank = build_rank(std::move(pending), *dictionary, facts);
  check_rank(*rank, *dictionary, slices);
  for (const Diagnostic& diagnostic : rank->diagnostics.all())
    require(!explain(diagnostic.code).empty(), "the diagnostic " + diagnostic.code + " is explained");
  const auto profile = trace::assemble_profile("/folder", dictionary, {rank}, {}, true);
  require(analysis::summarize(*profile).slices == rank->counts.slices, "a summary counts the slices");
  (void)analysis::ranks_table(*profile);
}

void run_text(std::string_view text, std::size_t block, std::vector<std::size_t> portions) {
  const ingest::ParseLimits whole{std::size_t{4} << 20, std::size_t{64} << 20};
  const tests::Parsed parsed = tests::parse_text(text, whole);
  require_same(parsed, tests::parse_text(text, {block, std::size_t{64} << 20}, std::move(portions)));
  build_and_show(text, std::size_t{64} << 10);
}

}  // namespace

void run_kineto(std::string_view input) {
  Controls controls(input, 4);
  const std::size_t block = controls.size();
  run_text(input, block, {controls.size(), controls.size(), controls.size()});
}

/// The same with texts of up to two megabytes: \x02 N M repeats the N bytes before it (M + 1)² times, so that what is
/// long, deep or many can be said in few bytes.
void run_expanded(std::string_view input) {
  constexpr std::size_t kMost = std::size_t{2} << 20;
  Controls controls(input, 4);
  const std::size_t block = controls.size() * 512;
  std::string text;
  for (std::size_t i = 0; i < input.size() && text.size() < kMost; ++i) {
    if (input[i] != '\x02' || i + 2 >= input.size()) {
      text += input[i];
      continue;
    }
    const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(input[i + 1]), text.size());
    const std::size_t root = static_cast<std::size_t>(static_cast<unsigned char>(input[i + 2])) + 1;
    const std::string piece = text.substr(text.size() - length);
    for (std::size_t k = 0; k < root * root && text.size() < kMost; ++k) text += piece;
    i += 2;
  }
  run_text(text, block, {controls.size() * 64, 256 << 10, controls.size()});
}

}  // namespace warpscope::fuzz
