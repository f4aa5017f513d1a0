#include "core/store/metrics_section.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "core/store/byte_stream.hpp"
#include "core/store/column_codec.hpp"
#include "core/store/rank_writer.hpp"
#include "core/store/section_reader.hpp"

namespace warpscope::store {

namespace {

template <class Word>
void add_column(SectionWriter& sections, std::span<const Word> values) {
  std::vector<std::uint8_t> bytes;
  for (; !values.empty(); values = values.subspan(std::min<std::size_t>(kChunk, values.size()))) {
    bytes.clear();
    append_planes(bytes, values.first(std::min<std::size_t>(kChunk, values.size())));
    sections.frame(bytes);
  }
}

/// A head with the numbers of its times and values.
struct Head {
  trace::NodeMetrics::Origin origin;
  std::vector<trace::MetricColumn> columns;
  std::vector<std::uint64_t> sizes;  // number of times of each column
  std::uint64_t times = 0;
  std::uint64_t values = 0;
};

/// `most`: maximum number of values in the columns, including times.
bool read_head(std::span<const std::uint8_t> bytes, std::uint64_t most, Head& head) {
  StreamReader stream(bytes);
  head.origin.node = stream.string();
  head.origin.source = stream.string();
  head.origin.files = stream.number();
  head.origin.bytes = stream.number();
  head.origin.repeated = stream.number();
  for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
    const std::uint64_t size = stream.number_to(most);
    trace::MetricColumn column;
    for (std::size_t series = stream.count(); series > 0 && stream.ok(); --series) {
      trace::MetricColumn::Series one;
      one.type = stream.string();
      one.name = stream.string();
      one.dimension = stream.string();
      column.series.push_back(std::move(one));
      head.values += size;
      if (head.values > most) return false;
    }
    head.times += size;
    if (head.times > most) return false;
    head.columns.push_back(std::move(column));
    head.sizes.push_back(size);
  }
  return stream.ok() && stream.left() == 0;
}

bool take_times(std::span<const std::uint64_t> steps, std::vector<Ns>& times) {
  Ns time = 0;
  times.reserve(steps.size());
  for (const std::uint64_t step : steps) {
    time = wrapping_sum(time, unzigzag(step));
    if (time < -kFarthest || time > kFarthest || (!times.empty() && time <= times.back())) return false;
    times.push_back(time);
  }
  return true;
}

bool take_values(std::span<const std::uint32_t> bits, std::vector<float>& values) {
  values.reserve(bits.size());
  for (const std::uint32_t one : bits) {
    values.push_back(std::bit_cast<float>(one));
    if (!std::isfinite(values.back())) return false;
  }
  return true;
}

bool read_columns(SectionReader& reader, const SectionRef& ref, Head& head) {
  if (!reader.open(ref) || !reader.expect(ref, head.times + head.values)) return false;
  std::vector<std::uint64_t> steps(head.times);
  std::vector<std::uint32_t> bits(head.values);
  if (!reader.column(std::span(steps)) || !reader.column(std::span(bits)) || reader.more()) return false;
  std::span<const std::uint64_t> steps_left = steps;
  std::span<const std::uint32_t> bits_left = bits;
  for (std::size_t c = 0; c < head.columns.size(); ++c) {
    const std::size_t size = head.sizes[c];
    if (!take_times(steps_left.first(size), head.columns[c].times)) return false;
    steps_left = steps_left.subspan(size);
    for (trace::MetricColumn::Series& one : head.columns[c].series) {
      if (!take_values(bits_left.first(size), one.values)) return false;
      bits_left = bits_left.subspan(size);
    }
  }
  return true;
}

}  // namespace

MetricsBytes write_metrics(const trace::NodeMetrics& metrics, const Packing& packing) {
  const std::vector<trace::MetricColumn> columns = metrics.columns();
  StreamWriter head;
  head.text(metrics.node());
  head.text(metrics.origin().source);
  head.number(metrics.origin().files);
  head.number(metrics.origin().bytes);
  head.number(metrics.origin().repeated);
  head.number(columns.size());
  std::vector<std::uint64_t> steps;
  std::vector<std::uint32_t> bits;
  for (const trace::MetricColumn& column : columns) {
    head.number(column.times.size());
    head.number(column.series.size());
    Ns before = 0;
    for (const Ns time : column.times) steps.push_back(zigzag(wrapping_difference(time, std::exchange(before, time))));
    for (const trace::MetricColumn::Series& one : column.series) {
      head.text(one.type);
      head.text(one.name);
      head.text(one.dimension);
      for (const float value : one.values) bits.push_back(std::bit_cast<std::uint32_t>(value));
    }
  }
  SectionWriter sections(packing);
  MetricsBytes result;
  add_column(sections, std::span<const std::uint64_t>(steps));
  add_column(sections, std::span<const std::uint32_t>(bits));
  result.place.columns = sections.end_section();
  sections.stream(head.bytes());
  result.place.head = sections.end_section(kMostStreamRatio);
  result.bytes = sections.bytes();
  return result;
}

Result<std::shared_ptr<const trace::NodeMetrics>> read_metrics(const StoreBytes& bytes, const MetricsPlace& place,
                                                               bool checked) {
  SectionReader reader(bytes, 0, bytes.size(), checked);
  Head head;
  const std::vector<std::uint8_t> content = reader.whole(place.head);
  if (!reader.ok()) return reader.why();
  if (!read_head(content, place.columns.content, head) || !read_columns(reader, place.columns, head)) {
    reader.fail("the system metrics of a node are inconsistent");
    return reader.why();
  }
  return std::make_shared<const trace::NodeMetrics>(std::move(head.origin), std::move(head.columns));
}

}  // namespace warpscope::store
