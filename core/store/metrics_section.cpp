#include "core/store/metrics_section.hpp"

#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "core/store/byte_stream.hpp"
#include "core/store/rank_writer.hpp"
#include "core/store/section_reader.hpp"

namespace warpscope::store {

namespace {

struct Head {
  trace::NodeMetrics::Origin origin;
  std::vector<trace::MetricColumn> columns;  // without times and values
  std::vector<std::uint64_t> sizes;          // of the columns
};

/// Writes or reads a head.
template <class Stream, class Content>
void transfer(Stream& stream, Content& head) {
  auto& origin = head.origin;
  stream.fields(origin.node, origin.source, origin.files, origin.bytes, origin.repeated);
  std::size_t number = 0;
  stream.each(head.columns, [&](auto& column) {
    if constexpr (Stream::kReads) head.sizes.emplace_back();
    stream.fields(head.sizes[number++]);
    stream.each(column.series, [&](auto& one) { stream.fields(one.type, one.name, one.dimension); });
  });
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
  std::uint64_t all_times = 0;
  std::uint64_t all_values = 0;
  for (std::size_t c = 0; c < head.columns.size(); ++c) {
    const std::uint64_t size = head.sizes[c];
    const std::uint64_t series = head.columns[c].series.size();
    if (size > (ref.content - all_times - all_values) / (1 + series)) return false;
    all_times += size;
    all_values += size * series;
  }
  if (!reader.open(ref)) return false;
  std::vector<std::uint64_t> steps(all_times);
  std::vector<std::uint32_t> bits(all_values);
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
  Head head{metrics.origin(), metrics.columns(), {}};
  std::vector<std::uint64_t> steps;
  std::vector<std::uint32_t> bits;
  for (const trace::MetricColumn& column : head.columns) {
    head.sizes.push_back(column.times.size());
    Ns before = 0;
    for (const Ns time : column.times) steps.push_back(zigzag(wrapping_difference(time, std::exchange(before, time))));
    for (const trace::MetricColumn::Series& one : column.series)
      for (const float value : one.values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  }
  SectionWriter sections(packing);
  sections.column(steps);
  sections.column(bits);
  MetricsBytes result;
  result.place.columns = sections.end_section();
  StreamWriter stream;
  transfer(stream, std::as_const(head));
  sections.stream(stream.bytes());
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
  StreamReader stream(content);
  transfer(stream, head);
  if (!stream.ok() || stream.left() != 0 || !read_columns(reader, place.columns, head)) {
    reader.fail("the system metrics of a node are inconsistent");
    return reader.why();
  }
  return std::make_shared<const trace::NodeMetrics>(std::move(head.origin), std::move(head.columns));
}

}  // namespace warpscope::store
