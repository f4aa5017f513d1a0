#pragma once
// Base class of all formats that use the JSON Trace Event Format. Counts slices and shows events the same way for
// all writers. The id of an event is the offset of its '{' in the decompressed text; for a group, in the text of all
// its files.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

/// Start of a trace written by `warpscope counters`, up to the rank's label. The file contains only counters computed
/// from a rank's trace, so it is not counted as a rank if there are traces next to it.
inline constexpr std::string_view kCounterMark = R"({"countersOf":)";

class TraceEventsFormat : public TraceFormat {
 public:
  /// Recognizes the output of `warpscope counters`.
  [[nodiscard]] std::optional<Copy> copy_of(const FileHead& head) const override;
  [[nodiscard]] Failure read_events(const trace::SourceFile& source, std::span<const std::uint64_t> ids,
                                    const std::function<void(std::size_t, const EventText&)>& visit, WantedRows wanted,
                                    const CancelToken* cancel) const override;
  [[nodiscard]] std::optional<std::uint64_t> event_at(const std::string& source, std::string_view file,
                                                      std::uint64_t offset) const override;
  [[nodiscard]] Failure archive(std::span<const ArchivedRank> ranks, Progress* progress,
                                const CancelToken* cancel) const override;
  [[nodiscard]] EventText archived_event(std::string_view text, WantedRows wanted) const override;
};

}  // namespace warpscope::ingest
