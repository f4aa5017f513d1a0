#include "core/ingest/formats/kineto/kineto_format.hpp"

#include <utility>

#include "core/ingest/formats/kineto/kineto_reader.hpp"
#include "core/ingest/formats/trace_events/head_look.hpp"
#include "core/ingest/formats/trace_events/merged_layout.hpp"

namespace warpscope::ingest {

namespace {

/// Checks for top-level keys that no other program writes; baseTimeNanoseconds is not one of them.
bool has_own_key(const HeadLook& look) {
  return look.has_key("schemaVersion") || look.has_key("deviceProperties") || look.has_key("distributedInfo");
}

}  // namespace

bool KinetoFormat::sniff(const FileHead& head) const {
  if (merged::layout_of(head.text) != merged::Layout::none) return false;
  // Most files have it in their first line and need no parsing.
  if (head.text.substr(0, 256).find("\"schemaVersion\"") != std::string_view::npos) return true;
  const HeadLook look = look_at_head(head.text);
  return has_own_key(look) || look.categorized > 0;
}

std::unique_ptr<TraceReader> KinetoFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                std::function<void()> on_units) const {
  return std::make_unique<KinetoReader>(source, options, std::move(on_units));
}

}  // namespace warpscope::ingest
