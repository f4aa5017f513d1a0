#pragma once
// Reads the text of a node's metrics: one JSON object per line, one sample each,
//
//   {"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":4.76,"NodeId":"algo-1","Timestamp":1591160699.457}
//
// with keys in any order, optional white space, and times in any order. Unreadable lines are counted and skipped,
// because the job may still be writing or the disk may be full. Times are parsed exactly, as decimal text.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/base/time.hpp"

namespace warpscope::ingest::smdebug {

/// Names of all series in a load. Thread-safe.
class MetricNames {
 public:
  /// Each node has a few hundred series.
  static constexpr std::uint32_t kMost = 8192;

  struct Name {
    std::string type;
    std::string name;
    std::string dimension;

    friend auto operator<=>(const Name&, const Name&) = default;
  };
  /// Returns a name's number; nullopt if there are too many names.
  [[nodiscard]] std::optional<std::uint32_t> number(const Name& name);
  [[nodiscard]] Name operator[](std::uint32_t number) const;

 private:
  mutable Mutex mutex_;
  std::map<Name, std::uint32_t> numbers_ GUARDED_BY(mutex_);
  std::vector<Name> names_ GUARDED_BY(mutex_);
};

/// The samples of one file.
struct MetricsPart {
  /// Series with the same sample times.
  struct Column {
    std::vector<Ns> times;              ///< ascending, unique
    std::vector<std::uint32_t> series;  ///< numbers of names, ascending
    std::vector<float> values;          ///< all of the first series, then of the second …; finite
  };
  std::vector<Column> columns;
  std::uint64_t repeated = 0;  ///< duplicate samples
  Diagnostics diagnostics;
};

/// Parses text in chunks of any size.
class MetricsText {
 public:
  /// Longer lines are treated as corrupt.
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10;
  /// Lines with longer types, names or dimensions are also treated as corrupt.
  static constexpr std::size_t kLongestName = 512;
  /// Each file covers one minute. Even a node sampled 100 times per second stays below this limit.
  static constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 24;
  /// Maximum distance of a sample from the minute in the file name. Times farther away are treated as corrupt.
  static constexpr Ns kFarthest = Ns{7} * 24 * 3600 * 1'000'000'000;

  /// `file` is the path of the source. Both arguments must outlive this object. Accepts at most `most` samples.
  MetricsText(MetricNames& names, const std::string& file, std::uint64_t most = kMostSamples);

  void push(std::string_view text);
  /// Call after the last chunk. If the last line cannot be parsed, it is treated as truncated, because the file may
  /// still be growing.
  [[nodiscard]] MetricsPart finish();

 private:
  struct Fields {
    std::optional<std::string_view> type;
    std::optional<std::string_view> name;
    std::optional<std::string_view> dimension;
    std::optional<float> value;
    std::optional<Ns> time;
    bool damaged = false;
    bool elsewhere = false;  // valid except for the time
  };
  struct Series {
    std::uint32_t number = 0;
    MetricNames::Name name;
    std::uint32_t next = 0;  // series whose sample followed this series' last sample
    std::vector<std::pair<Ns, float>> samples;
  };

  void line(std::string_view text, bool whole);
  [[nodiscard]] bool read(std::string_view text, Fields& fields);
  void take_field(std::string_view key, std::string_view raw, Fields& fields);
  [[nodiscard]] Series* series_of(const Fields& fields);
  void damaged(std::string_view example, std::uint64_t length);
  void note(std::string_view code, Severity severity, std::string_view example);

  MetricNames& names_;
  const std::string& file_;
  std::optional<Ns> minute_;   // from the file name
  std::string begun_;          // a line whose end is still missing
  bool overlong_ = false;      // the line is too long; skip its rest
  std::uint64_t line_at_ = 0;  // start of the line in the text
  std::uint64_t passed_ = 0;   // bytes of the line consumed so far
  std::string key_;
  std::string texts_[3];  // for fields that need decoding
  std::vector<Series> series_;
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::uint32_t last_ = 0;
  std::uint64_t most_;
  std::uint64_t samples_ = 0;
  MetricsPart part_;
};

}  // namespace warpscope::ingest::smdebug
