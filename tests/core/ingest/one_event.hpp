#pragma once
// Reads one event of a file.
#include <span>

#include "core/ingest/formats/kineto/kineto_format.hpp"

namespace warpscope::tests {

inline Result<ingest::EventText> read_event_at(const trace::SourceFile& source, std::uint64_t offset,
                                               const CancelToken* cancel = nullptr) {
  ingest::EventText event;
  const auto keep = [&](std::size_t, const ingest::EventText& found) { event = found; };
  if (auto failure = ingest::KinetoFormat().read_events(source, std::span(&offset, 1), keep, {}, cancel))
    return *failure;
  return event;
}

}  // namespace warpscope::tests
