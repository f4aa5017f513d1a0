#include "core/ingest/formats/memory_timeline/memory_timeline.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::size_t kReadBlock = std::size_t{256} << 10;
constexpr std::size_t kLongestEntry = 4096;
constexpr std::size_t kExample = 60;
constexpr std::size_t kMostChanges = std::size_t{1} << 26;

struct Change {
  std::int64_t time = 0;
  std::int64_t bytes = 0;
  std::int64_t category = 0;
};

/// Parses an integer and surrounding white space. Accepts a fraction of 0, which other writers add.
bool take_number(std::string_view& text, std::int64_t& number) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlank)));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with('.')) text.remove_prefix(std::min(text.size(), text.find_first_not_of('0', 1)));
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlank)));
  return true;
}

/// Parses the text between the brackets of an entry.
std::optional<Change> change_in(std::string_view entry) {
  std::array<std::int64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!take_number(entry, numbers[i])) return std::nullopt;
    const bool last = i + 1 == numbers.size();
    if (last != entry.empty() || (!last && entry.front() != ',')) return std::nullopt;
    if (!last) entry.remove_prefix(1);
  }
  return Change{numbers[0], numbers[2], numbers[3]};
}

/// Parses the text in blocks; an entry may span two of them.
class TimelineText {
 public:
  TimelineText(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void take(std::string_view block) {
    text_ += block;
    std::size_t at = 0;
    while (const auto next = entry(at)) at = *next;
    text_.erase(0, at);
    offset_ += at;
  }

  /// `whole`: the text was read to its end.
  std::shared_ptr<trace::MemoryTimeline> finish(bool whole) {
    if (whole && !ended_)
      diagnostics_.add("memory-timeline-cut", Severity::warning, file_, offset_ + text_.size(),
                       "the list has no closing bracket");
    sort();
    if (timeline_->times.empty()) return nullptr;
    return std::move(timeline_);
  }

 private:
  /// Parses one bracket or entry starting at `at` and returns its end; nullopt if more text is needed or none is left.
  std::optional<std::size_t> entry(std::size_t at) {
    if (ended_) return at < text_.size() ? std::optional(text_.size()) : std::nullopt;
    const std::size_t next = text_.find_first_not_of(", \t\r\n", at);
    if (next == std::string::npos) return at < text_.size() ? std::optional(text_.size()) : std::nullopt;
    at = next;
    if (!begun_) {
      if (text_.compare(at, 3, "\xEF\xBB\xBF") == 0) return at + 3;
      begun_ = true;
      if (text_[at] == '[') return at + 1;
    }
    if (text_[at] == ']') {
      ended_ = true;
      return at + 1;
    }
    const std::size_t close = text_.find_first_of("[]", at + 1);
    if (close == std::string::npos && text_.size() - at < kLongestEntry) return std::nullopt;
    std::size_t end = at + kLongestEntry;
    if (close != std::string::npos) end = std::min(end, close + (text_[close] == ']' ? 1 : 0));
    const std::string_view all = std::string_view(text_).substr(at, end - at);
    const auto change =
        all.starts_with('[') && all.ends_with(']') ? change_in(all.substr(1, all.size() - 2)) : std::nullopt;
    if (change)
      add(*change, offset_ + at);
    else
      diagnostics_.add("memory-change-unreadable", Severity::warning, file_, offset_ + at, all.substr(0, kExample));
    return end;
  }

  void add(const Change& change, std::uint64_t offset) {
    if (timeline_->times.size() == kMostChanges) {
      diagnostics_.add("memory-timeline-too-long", Severity::error, file_, offset, "skipped all remaining changes");
      return;
    }
    const bool known = change.category >= 0 && change.category <= trace::kUnknownMemory;
    if (!known)
      diagnostics_.add("memory-category-unknown", Severity::info, file_, offset, std::to_string(change.category));
    timeline_->times.push_back(change.time);
    timeline_->bytes.push_back(change.bytes);
    timeline_->categories.push_back(known ? static_cast<std::uint8_t>(change.category) : trace::kUnknownMemory);
  }

  /// Allocations from before the recording get the first known time.
  void sort() {
    std::vector<Ns>& times = timeline_->times;
    Ns first = std::numeric_limits<Ns>::max();
    for (const Ns time : times)
      if (time >= 0) first = std::min(first, time);
    for (Ns& time : times)
      if (time < 0) time = first == std::numeric_limits<Ns>::max() ? 0 : first;
    if (std::ranges::is_sorted(times)) return;
    std::vector<std::uint32_t> order(times.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return times[i]; });
    const auto reorder = [&](auto& column) {
      auto sorted = column;
      for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
      column = std::move(sorted);
    };
    reorder(timeline_->bytes);
    reorder(timeline_->categories);
    reorder(times);
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  std::string text_;          // not parsed yet
  std::uint64_t offset_ = 0;  // of its start
  bool begun_ = false;
  bool ended_ = false;
  std::shared_ptr<trace::MemoryTimeline> timeline_ = std::make_shared<trace::MemoryTimeline>();
};

}  // namespace

bool MemoryTimelineFormat::sniff(const FileHead& file) const {
  std::string_view head = file.text;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  for (int depth = 0; depth < 2; ++depth) {
    head.remove_prefix(std::min(head.size(), head.find_first_not_of(kBlank)));
    if (!head.starts_with('[')) return false;
    head.remove_prefix(1);
  }
  std::int64_t time = 0;
  std::int64_t action = 0;
  if (!take_number(head, time) || !head.starts_with(',')) return false;
  head.remove_prefix(1);
  return take_number(head, action) && head.starts_with(',');
}

std::unique_ptr<TraceReader> MemoryTimelineFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                        std::function<void()> /*on_units*/) const {
  return data_reader([&source, &options](FileContents& contents) {
    contents.data.memory = read_memory_timeline(source, contents.pending.diagnostics, options.cancel);
  });
}

std::shared_ptr<const trace::MemoryTimeline> read_memory_timeline(const trace::SourceFile& file,
                                                                  Diagnostics& diagnostics, const CancelToken* cancel) {
  const auto unreadable = [&](const Error& error) {
    diagnostics.add("memory-timeline-unreadable", Severity::error, file.path, Diagnostic::kNoOffset, error.what);
  };
  auto stream = open_byte_stream(file.path, cancel);
  if (!stream) {
    unreadable(stream.error());
    return nullptr;
  }
  TimelineText text(file.path, diagnostics);
  std::vector<char> block(kReadBlock);
  bool whole = false;
  while (!whole && !(cancel != nullptr && cancel->cancelled())) {
    const auto got = (*stream)->read(block);
    if (!got) {
      unreadable(got.error());
      break;
    }
    whole = *got == 0;
    text.take({block.data(), *got});
  }
  auto timeline = text.finish(whole);
  if (!timeline) return nullptr;
  timeline->path = file.path;
  timeline->size = file.size;
  return timeline;
}

}  // namespace warpscope::ingest
