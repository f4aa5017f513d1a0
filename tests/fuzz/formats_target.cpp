// Chrome traces of other programs, merged traces and framework timelines: the size of the blocks read makes no
// difference, and the rank has every slice.
#include "core/ingest/build/rank_builder.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/formats/chrome/chrome_format.hpp"
#include "core/ingest/formats/merged/merged_format.hpp"
#include "core/ingest/formats/pevents/pevents_format.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/rank_properties.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

std::string rank_in(ingest::FileContents& contents, const trace::SourceFile& source) {
  trace::Dictionary dictionary;
  ingest::PendingRank& pending = contents.pending;
  for (std::size_t id = 0; id < contents.categories.size(); ++id)
    pending.categories.push_back(
        dictionary.categories.intern(contents.categories.name(static_cast<trace::CategoryId>(id))));
  pending.categories.resize(trace::Categories::kOverflow + std::size_t{1}, trace::Categories::kOverflow);
  const std::uint64_t slices = pending.slices;
  ingest::FileFacts facts;
  facts.source = source;
  const auto rank = ingest::build_rank(std::move(pending), dictionary, facts);
  check_rank(*rank, dictionary, slices);
  for (const Diagnostic& diagnostic : rank->diagnostics.all())
    require(!explain(diagnostic.code).empty(), "the diagnostic " + diagnostic.code + " is explained");
  return describe(*rank, dictionary);
}

/// Reads the file and describes its ranks; "" if there is nothing to show.
std::string rank_by(const ingest::TraceFormat& format, const trace::SourceFile& source, std::size_t block) {
  ingest::ReadOptions options;
  options.limits.block = block;
  auto read = format.open(source, options, {})->read();
  require(read.ok(), "a file that exists is read");
  ingest::FileContents& contents = **read;
  if (contents.no_trace) return {};
  if (contents.merged.empty()) return rank_in(contents, source);
  std::string all;
  for (const auto& rank : contents.merged) all += rank->label + rank_in(*rank, source);
  return all;
}

void run_format(const ingest::TraceFormat& format, std::string_view input) {
  Controls controls(input, 1);
  const std::size_t block = controls.size() * 16;
  if (input.empty() || ingest::content_kind(input.substr(0, 512)) != ingest::ContentKind::text) return;
  const MemoryFile file(input);
  trace::SourceFile source;
  source.path = file.path();
  source.size = input.size();
  require(rank_by(format, source, std::size_t{256} << 10) == rank_by(format, source, block),
          "blocks make no difference to the rank");
  const ingest::FileHead head{source.path, input.substr(0, ingest::kFormatHead)};
  (void)format.sniff(head);
}

}  // namespace

void run_chrome(std::string_view input) { run_format(ingest::ChromeFormat(), input); }

void run_merged(std::string_view input) { run_format(ingest::MergedFormat(), input); }

void run_pevents(std::string_view input) { run_format(ingest::PeventsFormat(), input); }

}  // namespace warpscope::fuzz
