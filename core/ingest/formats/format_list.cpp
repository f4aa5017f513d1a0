#include "core/ingest/formats/format_list.hpp"

#include <algorithm>
#include <array>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/chrome/chrome_format.hpp"
#include "core/ingest/formats/kineto/kineto_format.hpp"
#include "core/ingest/formats/pevents/pevents_format.hpp"

namespace warpscope::ingest {

std::span<const TraceFormat* const> trace_formats() {
  static const KinetoFormat kineto;
  static const PeventsFormat pevents;
  static const ChromeFormat chrome;
  static const std::array<const TraceFormat*, 3> all{&kineto, &pevents, &chrome};
  return all;
}

const TraceFormat& format_of(const FileHead& head) {
  const auto formats = trace_formats();
  const auto found = std::ranges::find_if(formats, [&](const TraceFormat* format) { return format->sniff(head); });
  return found == formats.end() ? *formats.front() : **found;
}

const TraceFormat& format_of(const trace::Rank& rank) {
  const auto formats = trace_formats();
  const auto named = rank.properties.find(std::string(kFormatProperty));
  if (named == rank.properties.end()) return *formats.front();
  const auto found = std::ranges::find_if(
      formats, [&](const TraceFormat* format) { return named->second == '"' + std::string(format->name()) + '"'; });
  return found == formats.end() ? *formats.front() : **found;
}

std::optional<std::string> read_head(const std::string& path) {
  auto stream = open_byte_stream(path);
  if (!stream) return std::nullopt;
  std::string head(kFormatHead, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const auto got = (*stream)->read(std::span(head).subspan(filled));
    if (!got || *got == 0) break;
    filled += *got;
  }
  head.resize(filled);
  return head;
}

}  // namespace warpscope::ingest
