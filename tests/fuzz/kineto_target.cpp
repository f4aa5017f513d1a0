// A whole trace, from text to tables. The events must not depend on portion sizes, and every slice must be in the
// resulting rank.
#include "core/analysis/information/profile_summary.hpp"
#include "core/base/diagnostics.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/memory_file.hpp"
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

/// Counts events that become slices or marks. None may be lost, except those without a process, thread or category.
std::uint64_t slices_in(const tests::Parsed& parsed) {
  constexpr std::string_view kPhases = "XBbiIRn";
  return static_cast<std::uint64_t>(std::count_if(
      parsed.events.begin(), parsed.events.end(),
      [&](const tests::KeptEvent& event) { return kPhases.find(event.phase) != std::string_view::npos; }));
}

struct Read {
  std::shared_ptr<trace::Dictionary> dictionary = std::make_shared<trace::Dictionary>();
  ingest::ReadOutcome outcome;
};

Read read(const std::string& path, const ingest::PieceSizes& pieces) {
  Read result;
  trace::SourceFile source;
  source.path = path;
  ingest::ReadOptions options;
  options.pieces = pieces;
  result.outcome = ingest::read_source(std::move(source), 0, *result.dictionary, options);
  return result;
}

std::uint64_t size_of(const trace::Rank& rank) { return rank.lane_start.empty() ? 0 : rank.lane_start.back(); }

void require_all(std::uint64_t found, std::uint64_t slices, std::uint64_t incomplete) {
  require(found <= slices && found + incomplete >= slices, "only incomplete slices are lost");
}

/// The ranks of a merged file have all its slices together.
void check_merged(const Read& whole, const Read& small, std::uint64_t slices) {
  require(whole.outcome.merged.size() == small.outcome.merged.size(), "pieces make no difference to the ranks");
  std::uint64_t found = 0;
  std::uint64_t incomplete = 0;
  for (std::size_t i = 0; i < whole.outcome.merged.size(); ++i) {
    const trace::Rank& rank = *whole.outcome.merged[i];
    found += size_of(rank);
    incomplete += rank.diagnostics.count("missing-field");
    check_rank(rank, *whole.dictionary, size_of(rank));
    require(describe(rank, *whole.dictionary) == describe(*small.outcome.merged[i], *small.dictionary),
            "pieces make no difference to a merged rank");
  }
  require_all(found, slices, incomplete);
}

/// Reads the text as a whole file and in small pieces.
void read_and_show(std::string_view text, const tests::Parsed& parsed, const ingest::PieceSizes& pieces) {
  if (ingest::content_kind(text.substr(0, 512)) != ingest::ContentKind::text || text.empty()) return;
  const MemoryFile file(text);
  const Read whole = read(file.path(), {});
  const Read small = read(file.path(), pieces);
  if (!whole.outcome.merged.empty() || !small.outcome.merged.empty())
    return check_merged(whole, small, slices_in(parsed));
  const auto& rank = whole.outcome.data.rank;
  require((rank != nullptr) == (parsed.outcome.shape == ingest::ParseOutcome::Shape::trace), "a trace gives a rank");
  require((small.outcome.data.rank != nullptr) == (rank != nullptr), "pieces make no difference to what is a trace");
  if (!rank) {
    require(whole.outcome.failure && !whole.outcome.failure->message().empty(), "what is no trace is told why");
    return;
  }
  check_rank(*rank, *whole.dictionary, size_of(*rank));
  require_all(size_of(*rank), slices_in(parsed), rank->diagnostics.count("missing-field"));
  require(rank->counts.slices <= slices_in(parsed), "what is counted is there");
  require(describe(*rank, *whole.dictionary) == describe(*small.outcome.data.rank, *small.dictionary),
          "pieces make no difference to the rank");
  for (const Diagnostic& diagnostic : rank->diagnostics.all())
    require(!explain(diagnostic.code).empty(), "the diagnostic " + diagnostic.code + " is explained");
  const auto profile = trace::assemble_profile("/proc/self/fd", whole.dictionary, {rank}, {}, true);
  require(analysis::summarize(*profile).slices == rank->counts.slices, "a summary counts the slices");
  (void)analysis::ranks_table(*profile);
}

void run_text(std::string_view text, std::size_t block, std::vector<std::size_t> portions,
              const ingest::PieceSizes& pieces) {
  const ingest::ParseLimits whole{std::size_t{4} << 20, std::size_t{64} << 20};
  const tests::Parsed parsed = tests::parse_text(text, whole);
  require_same(parsed, tests::parse_text(text, {block, std::size_t{64} << 20}, std::move(portions)));
  read_and_show(text, parsed, pieces);
}

}  // namespace

void run_kineto(std::string_view input) {
  Controls controls(input, 4);
  const std::size_t block = controls.size();
  const std::vector<std::size_t> portions{controls.size(), controls.size(), controls.size()};
  run_text(input, block, portions, {block * 8, portions[0] * 4, 2 + portions[1] % 3});
}

/// Same with texts of up to two megabytes: \x02 N M repeats the N bytes before it (M + 1)² times, so that a few bytes
/// can describe long, deep or numerous input.
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
  const std::size_t portion = controls.size() * 64;
  run_text(text, block, {portion, 256 << 10, controls.size()}, {block * 4, portion, 2 + block % 3});
}

}  // namespace warpscope::fuzz
