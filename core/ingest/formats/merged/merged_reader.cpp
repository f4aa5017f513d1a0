#include "core/ingest/formats/merged/merged_reader.hpp"

#include <string>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/kineto/kineto_reader.hpp"
#include "core/ingest/formats/merged/rank_splitter.hpp"

namespace warpscope::ingest::merged {

namespace {

Result<std::string> head_of(const std::string& path, const CancelToken* cancel) {
  auto stream = open_byte_stream(path, cancel);
  if (!stream) return stream.error();
  std::string head(kFormatHead, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const auto got = (*stream)->read(std::span(head).subspan(filled));
    if (!got || *got == 0) break;  // the pass reports it
    filled += *got;
  }
  head.resize(filled);
  return head;
}

}  // namespace

Result<std::unique_ptr<FileContents>> MergedReader::read() {
  constexpr int kPasses = 3;  // the second may find names, the third what depends on them
  const auto head = head_of(source_.path, options_.cancel);
  if (!head) return head.error();
  const Layout layout = layout_of(*head, true);
  Knowledge knowledge;
  for (int pass = 0; pass < kPasses && layout != Layout::none; ++pass) {
    auto stream = open_byte_stream(source_.path, options_.cancel);
    if (!stream) return stream.error();
    knowledge.too_late = false;
    RankSplitter splitter(source_.path, layout, options_, knowledge);
    const ParseOutcome outcome =
        parse_trace_events(**stream, splitter, splitter.diagnostics(), source_.path,
                           pass == 0 ? options_.progress : nullptr, options_.cancel, options_.limits);
    if (knowledge.too_late && pass + 1 < kPasses && !outcome.cancelled) continue;
    if (!splitter.is_merged()) break;
    auto contents = std::make_unique<FileContents>();
    record_outcome(outcome, source_.path, *contents);
    splitter.finish(outcome, *contents);
    return contents;
  }
  if (options_.progress != nullptr) options_.progress->done = 0;
  return KinetoReader(source_, options_, {}).read();
}

}  // namespace warpscope::ingest::merged
