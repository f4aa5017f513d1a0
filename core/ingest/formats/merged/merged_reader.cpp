#include "core/ingest/formats/merged/merged_reader.hpp"

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/kineto/kineto_format.hpp"
#include "core/ingest/formats/merged/rank_splitter.hpp"

namespace warpscope::ingest::merged {

Result<std::unique_ptr<FileContents>> read_merged(const trace::SourceFile& source, const ReadOptions& options) {
  constexpr int kPasses = 3;  // the second may find names, the third anything that depends on them
  const auto head = read_head(source.path, options.cancel);
  if (!head) return head.error();
  const Layout layout = layout_of(*head, true);
  Knowledge knowledge;
  for (int pass = 0; pass < kPasses && layout != Layout::none; ++pass) {
    auto stream = open_byte_stream(source.path, options.cancel);
    if (!stream) return stream.error();
    knowledge.too_late = false;
    RankSplitter splitter(source.path, layout, options, knowledge);
    const ParseOutcome outcome =
        parse_trace_events(**stream, splitter, splitter.diagnostics(), source.path,
                           pass == 0 ? options.progress : nullptr, options.cancel, options.limits);
    if (knowledge.too_late && pass + 1 < kPasses && !outcome.cancelled) continue;
    if (!splitter.is_merged()) break;
    auto contents = std::make_unique<FileContents>();
    record_outcome(outcome, source.path, *contents);
    splitter.finish(outcome, *contents);
    return contents;
  }
  if (options.progress != nullptr) options.progress->done = 0;
  return KinetoFormat().open(source, options, {})->read();
}

}  // namespace warpscope::ingest::merged
