// Archives the event text of ranks: rereads the whole file and extracts the event at each offset referenced by a slice.
// One pass serves all ranks of a merged file.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/formats/trace_events/trace_events_format.hpp"
#include "core/ingest/json/text_source.hpp"
#include "core/ingest/json/text_window.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::ingest {
namespace {

using json::EventParser;
using json::TextWindow;

constexpr std::size_t kTextBlock = std::size_t{256} << 10;
/// Number of slice offsets sorted at once. Each batch requires one pass over the lanes.
constexpr std::uint64_t kSlicesAtATime = std::uint64_t{1} << 19;

/// Stored before the text of a corrupt event. Any other text starts with '{'.
constexpr char kRepaired = 'n';
constexpr std::string_view kOfCollectives = "Collective name";

struct Wanted {
  std::uint64_t offset = 0;
  std::uint32_t rank = 0;  // index
  std::uint32_t lane = 0;
  std::uint32_t index = 0;
};

/// Collects the slices whose events start in [begin, end), in text order.
void collect(std::span<const ArchivedRank> ranks, std::uint64_t begin, std::uint64_t end, std::vector<Wanted>& wanted) {
  wanted.clear();
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    const std::vector<trace::Lane>& lanes = ranks[r].rank.lanes;
    for (std::uint32_t l = 0; l < lanes.size(); ++l)
      for (std::uint32_t i = 0; i < lanes[l].size(); ++i)
        if (const std::uint64_t offset = lanes[l].event(i); offset >= begin && offset < end)
          wanted.push_back({offset, r, l, i});
  }
  std::ranges::sort(wanted, {}, &Wanted::offset);
}

std::uint64_t last_offset(std::span<const ArchivedRank> ranks) {
  std::uint64_t last = 0;
  for (const ArchivedRank& each : ranks)
    for (const trace::Lane& lane : each.rank.lanes)
      for (std::uint32_t i = 0; i < lane.size(); ++i) last = std::max(last, lane.event(i));
  return last;
}

class Archiver {
 public:
  Archiver(std::span<const ArchivedRank> ranks, ByteStream& stream, Progress* progress, const CancelToken* cancel)
      : ranks_(ranks),
        cancel_(cancel),
        text_(stream, progress),
        window_(text_, kTextBlock, trace::kMostEventText),
        at_(window_.begin()) {}

  Failure run() {
    std::uint64_t slices = 0;
    for (const ArchivedRank& each : ranks_) slices += each.rank.lane_start.empty() ? 0 : each.rank.lane_start.back();
    if (slices == 0) return {};
    const std::uint64_t end = last_offset(ranks_) + 1;
    const std::uint64_t step = end / (slices / kSlicesAtATime + 1) + 1;
    std::vector<Wanted> wanted;
    for (std::uint64_t begin = 0; begin < end; begin += step) {
      collect(ranks_, begin, begin + step, wanted);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i > 0 && wanted[i].offset == wanted[i - 1].offset) continue;
        if (auto failure = add(wanted[i])) return failure;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Error changed() const { return {path(), "the source has changed since it was read", "reload it"}; }
  [[nodiscard]] const std::string& path() const { return ranks_.front().rank.source.path; }

  Failure grow() {
    const TextWindow::Growth growth = window_.grow(at_);
    if (cancel_ != nullptr && cancel_->cancelled()) return Error{path(), "writing the store was cancelled", ""};
    if (growth == TextWindow::Growth::too_long) return changed();
    return {};
  }

  Failure add(const Wanted& wanted) {
    while (window_.offset_of(window_.end()) <= wanted.offset) {
      if (window_.final()) return window_.failure() ? *window_.failure() : changed();
      at_ = window_.end();
      if (auto failure = grow()) return failure;
    }
    at_ = window_.begin() + (wanted.offset - window_.offset_of(window_.begin()));
    if (*at_ != '{') return changed();
    for (;;) {
      const bool final = window_.final();
      const EventParser::Outcome parsed = parser_.parse(at_, window_.end(), final);
      if (parsed.status == EventParser::Status::complete) return put(wanted, parsed.next);
      if (parsed.status != EventParser::Status::need_more || final) return changed();
      if (auto failure = grow()) return failure;
    }
  }

  Failure put(const Wanted& wanted, const char* next) {
    const trace::TimeColumn& time = ranks_[wanted.rank].rank.lanes[wanted.lane].time();
    store::EventArchiveWriter& archive = ranks_[wanted.rank].archive;
    const store::EventFacts facts{time.begin(wanted.index), time.duration(wanted.index)};
    const std::string_view text(at_, static_cast<std::size_t>(next - at_));
    // Arguments of all collectives are read to compare ranks.
    const bool apart = text.find(kOfCollectives) != std::string_view::npos;
    if (!parser_.event().repaired) return archive.add(wanted.offset, text, facts, apart);
    marked_.assign(1, kRepaired);
    marked_.append(text);
    return archive.add(wanted.offset, marked_, facts, apart);
  }

  std::span<const ArchivedRank> ranks_;
  const CancelToken* cancel_;
  json::StreamSource text_;
  TextWindow window_;
  EventParser parser_;
  const char* at_;
  std::string marked_;
};

}  // namespace

/// Uses a few MiB of memory plus the length of the longest event, regardless of rank size.
Failure TraceEventsFormat::archive(std::span<const ArchivedRank> ranks, Progress* progress,
                                   const CancelToken* cancel) const {
  if (ranks.empty()) return {};
  const trace::SourceFile& source = ranks.front().rank.source;
  auto stream = open_byte_stream(source.path, cancel);
  if (!stream.ok()) return stream.error();
  const FileStamp read{source.size, source.modified_ns, source.inode};
  if ((*stream)->stamp() != read) return Error{source.path, "the source has changed since it was read", "reload it"};
  return Archiver(ranks, **stream, progress, cancel).run();
}

EventText TraceEventsFormat::archived_event(std::string_view text, WantedRows wanted) const {
  const bool repaired = !text.empty() && !text.starts_with('{');
  return event_text_of(repaired ? text.substr(1) : text, repaired, wanted);
}

}  // namespace warpscope::ingest
