#pragma once
// Reads the text of a node's metrics: one JSON object a line, one sample each,
//
//   {"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":4.76,"NodeId":"algo-1","Timestamp":1591160699.457}
//
// with keys in any order, blanks or none between, in any order of time. What cannot be read is counted, and the rest is
// taken: a job may still be writing, and disks fill up. Times are read from their decimal text, so that they are exact.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/time.hpp"

namespace warpscope::ingest::smdebug {

/// What the series of a load are called. Safe from any thread.
class MetricNames {
 public:
  /// A node has some hundreds.
  static constexpr std::uint32_t kMost = 8192;

  struct Name {
    std::string type;
    std::string name;
    std::string dimension;

    friend auto operator<=>(const Name&, const Name&) = default;
  };
  /// Nothing if there are too many.
  [[nodiscard]] std::optional<std::uint32_t> number(const Name& name);
  [[nodiscard]] Name operator[](std::uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::map<Name, std::uint32_t> numbers_;
  std::vector<Name> names_;
};

/// The samples of one file.
struct MetricsPart {
  /// Series that were sampled at the same times.
  struct Column {
    std::vector<Ns> times;              ///< ascending, each once
    std::vector<std::uint32_t> series;  ///< numbers of names, ascending
    std::vector<float> values;          ///< of the first series, of the second …; finite
  };
  std::vector<Column> columns;
  std::uint64_t repeated = 0;  ///< samples that came again
  Diagnostics diagnostics;
};

/// Takes text in portions of any size.
class MetricsText {
 public:
  /// Longer lines are damage.
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10;
  /// So are longer types, names and dimensions.
  static constexpr std::size_t kLongestName = 512;
  /// A file is of a minute, in which even a node that is sampled a hundred times a second has fewer samples.
  static constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 24;
  /// Samples that lie farther than this from the minute in the name of their file have a damaged time.
  static constexpr Ns kFarthest = Ns{7} * 24 * 3600 * 1'000'000'000;

  /// `file` is the path of the source. Both must outlive this. No more than `most` samples are taken.
  MetricsText(MetricNames& names, const std::string& file, std::uint64_t most = kMostSamples);

  void push(std::string_view text);
  /// After the last portion. A line that was begun and makes no sense was cut off, as in a file that is still written.
  [[nodiscard]] MetricsPart finish();

 private:
  struct Fields {
    std::string_view type;
    std::string_view name;
    std::string_view dimension;
    std::optional<float> value;
    std::optional<Ns> time;
    bool damaged = false;
  };
  struct Series {
    std::uint32_t number = 0;
    MetricNames::Name name;
    std::uint32_t next = 0;  // whose sample stood behind the last one of this
    std::vector<std::pair<Ns, float>> samples;
  };

  void line(std::string_view text, bool whole);
  [[nodiscard]] bool read(std::string_view text, Fields& fields);
  void take_field(std::string_view key, std::string_view raw, Fields& fields);
  [[nodiscard]] Series* series_of(const Fields& fields);
  void note(std::string_view code, Severity severity, std::string_view example);

  MetricNames& names_;
  const std::string& file_;
  std::optional<Ns> minute_;   // that the file is of
  std::string begun_;          // a line without its end
  bool overlong_ = false;      // the line is too long, and its rest is passed over
  std::uint64_t line_at_ = 0;  // where the line begins in the text
  std::uint64_t passed_ = 0;   // bytes of it that were taken in
  std::string key_;
  std::string texts_[3];  // of fields that had to be decoded
  std::vector<Series> series_;
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::uint32_t last_ = 0;
  std::uint64_t most_;
  std::uint64_t samples_ = 0;
  MetricsPart part_;
};

}  // namespace warpscope::ingest::smdebug
