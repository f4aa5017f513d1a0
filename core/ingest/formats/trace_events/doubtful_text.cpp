#include "core/ingest/formats/trace_events/doubtful_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest {
namespace {

/// Problems that no profiler causes. Profilers have written quotes, backslashes, control characters and broken UTF-8 in
/// names, invalid numbers and extra commas, and their files may be truncated.
constexpr std::array<std::string_view, 13> kNoSense{
    "skipped-bytes",    "stray-text",    "missing-comma",         "missing-bracket", "unreadable-event",
    "not-an-event",     "event-split",   "event-too-long",        "time-unreadable", "time-out-of-range",
    "metadata-damaged", "unknown-phase", "correlation-unreadable"};

bool is_no_sense(std::string_view code) { return std::ranges::find(kNoSense, code) != kNoSense.end(); }

bool is_no_event(const RawEvent& event) {
  constexpr std::string_view kPhases = "XBEbenstfiICMPNODvVRcSTpF(),";
  if (event.phase == 0 || kPhases.find(event.phase) == std::string_view::npos) return true;
  return event.phase == 'X' && (event.name.empty() || !event.has_time || !event.has_duration);
}

/// Records where the text makes no sense; only the first of places closer than kDoubt.
class SenseSink final : public EventSink {
 public:
  void event(const RawEvent& event) override {
    if (is_no_event(event)) add(event.offset);
  }
  void metadata(std::string_view, std::string_view) override {}
  void oddity(std::string_view code, std::uint64_t offset) override {
    if (is_no_sense(code)) add(offset);
  }
  /// Returns the first place in [begin, end), or `end`.
  [[nodiscard]] std::uint64_t first_in(std::uint64_t begin, std::uint64_t end) const {
    const auto place = std::lower_bound(places_.begin(), places_.end(), begin);
    return place == places_.end() ? end : std::min(*place, end);
  }

 private:
  void add(std::uint64_t offset) {
    if (places_.empty() || offset >= places_.back() + kDoubt) places_.push_back(offset);
  }

  std::vector<std::uint64_t> places_;
};

class LeavingOut final : public ByteStream {
 public:
  LeavingOut(std::unique_ptr<ByteStream> stream, std::vector<TextRange> ranges)
      : stream_(std::move(stream)), ranges_(std::move(ranges)) {}

  Result<std::size_t> read(std::span<char> into) override {
    auto got = stream_->read(into);
    if (!got) return got;
    const std::uint64_t end = at_ + *got;
    for (; next_ < ranges_.size() && ranges_[next_].begin < end; ++next_) {
      const std::uint64_t from = std::max(ranges_[next_].begin, at_);
      const std::uint64_t to = std::min(ranges_[next_].end, end);
      if (from < to) std::fill(into.begin() + offset(from), into.begin() + offset(to), '\0');
      if (ranges_[next_].end > end) break;
    }
    at_ = end;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return stream_->consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return stream_->stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return stream_->damage(); }
  [[nodiscard]] std::shared_ptr<const Checkpoints> checkpoints() const override { return stream_->checkpoints(); }

 private:
  [[nodiscard]] std::ptrdiff_t offset(std::uint64_t text) const { return static_cast<std::ptrdiff_t>(text - at_); }

  std::unique_ptr<ByteStream> stream_;
  std::vector<TextRange> ranges_;
  std::size_t next_ = 0;
  std::uint64_t at_ = 0;
};

class EndingEarly final : public ByteStream {
 public:
  EndingEarly(std::unique_ptr<ByteStream> stream, std::uint64_t text, const std::string& file)
      : stream_(std::move(stream)), left_(text), file_(file) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (left_ == 0) return Error{file_, "its text makes no sense from here on", "copy or record the file again"};
    auto got = stream_->read(into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_))));
    if (got) left_ -= *got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return stream_->consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return stream_->stamp(); }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::uint64_t left_;
  std::string file_;
};

}  // namespace

std::vector<TextRange> find_doubtful_text(const std::string& path, const CancelToken* cancel) {
  const auto stream = open_byte_stream(path, cancel);
  if (!stream) return {};
  SenseSink sink;
  Diagnostics ignored;
  const ParseOutcome outcome = parse_trace_events(**stream, sink, ignored, path, nullptr, cancel);
  if (outcome.cancelled) return {};
  std::vector<TextRange> ranges;
  for (const InputDamage& damage : (*stream)->damage()) {
    if (damage.cut_off) continue;
    const std::uint64_t first = sink.first_in(damage.text_begin, damage.text_end);
    if (first == damage.text_end) continue;
    const std::uint64_t begin = std::max(damage.text_begin, first - std::min(first, kDoubt));
    if (!ranges.empty() && begin <= ranges.back().end)
      ranges.back().end = damage.text_end;
    else
      ranges.push_back({begin, damage.text_end});
  }
  return ranges;
}

bool makes_no_sense(const Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 3> kOfEvents{"missing-phase", "missing-time", "missing-duration"};
  return std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& each) {
    return is_no_sense(each.code) || std::ranges::find(kOfEvents, each.code) != kOfEvents.end();
  });
}

std::unique_ptr<ByteStream> leave_out(std::unique_ptr<ByteStream> stream, std::vector<TextRange> ranges) {
  if (ranges.empty()) return stream;
  return std::make_unique<LeavingOut>(std::move(stream), std::move(ranges));
}

std::unique_ptr<ByteStream> end_before(std::unique_ptr<ByteStream> stream, std::uint64_t end, const std::string& file) {
  return std::make_unique<EndingEarly>(std::move(stream), end, file);
}

void report_damage(const ByteStream& stream, const Failure& failure, std::uint64_t text,
                   const std::vector<TextRange>& left_out, Diagnostics& diagnostics, const std::string& file) {
  if (stream.damage().empty()) {
    if (failure)
      diagnostics.add("input-damaged", Severity::error, file, text, json::excerpt(failure->what, json::kExampleLength));
    return;
  }
  for (const InputDamage& damage : stream.damage()) {
    std::uint64_t begin = damage.text_end;
    std::string what = damage.error.what;
    for (const TextRange& range : left_out)
      if (range.begin < damage.text_end && range.end > damage.text_begin)
        begin = std::max(range.begin, damage.text_begin);
    if (begin < damage.text_end)
      what += fmt::format("; left out {} bytes of text after it", damage.text_end - begin);
    else if (!damage.cut_off && damage.text_end > damage.text_begin)
      what += "; its text looks valid and is shown, but some may be wrong";
    diagnostics.add("input-damaged", Severity::error, file, begin, what);
  }
}

}  // namespace warpscope::ingest
