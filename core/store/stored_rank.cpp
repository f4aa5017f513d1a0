#include "core/store/stored_rank.hpp"

#include <algorithm>

namespace warpscope::store {

using trace::TimeColumn;

namespace {

bool take_escapes_of(StreamReader& stream, std::span<const std::uint32_t> codes, TimeColumn::Escapes& escapes) {
  std::uint64_t index = 0;
  for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
    const std::uint64_t step = stream.number_to(codes.size());
    if (!escapes.empty() && step == 0) return false;
    index += step;
    if (index >= codes.size() || codes[index] != TimeColumn::kEscape) return false;
    escapes.emplace_back(static_cast<std::uint32_t>(index), stream.signed_number());
  }
  return stream.ok() &&
         escapes.size() == static_cast<std::size_t>(std::count(codes.begin(), codes.end(), TimeColumn::kEscape));
}

}  // namespace

bool take_escapes(SectionReader& reader, TimeColumn::Arrays& arrays) {
  std::vector<std::uint8_t> escapes = reader.rest();
  if (escapes.empty()) escapes = {0, 0};
  StreamReader stream(escapes);
  return reader.ok() && take_escapes_of(stream, arrays.begins, arrays.begin_escapes) &&
         take_escapes_of(stream, arrays.durations, arrays.duration_escapes);
}

std::optional<TimeColumn::Arrays> StoredRank::load_times(const SectionRef& ref, std::uint32_t size) const {
  return load<TimeColumn::Arrays>("times", [&](SectionReader& reader, TimeColumn::Arrays& arrays) {
    if (!reader.open(ref) || !reader.expect(ref, 2 * std::uint64_t{size})) return;
    arrays.begins.resize(size);
    arrays.durations.resize(size);
    for (std::uint32_t first = 0; first < size && reader.ok(); first += kChunk) {
      const std::size_t count = std::min(kChunk, size - first);
      const auto begins = std::span(arrays.begins).subspan(first, count);
      const auto durations = std::span(arrays.durations).subspan(first, count);
      if (!reader.columns(begins, durations)) return;
      gaps_to_begins(begins, durations);
      if (!begins_ascend(begins)) reader.fail("times are not in order");
    }
    if (reader.ok() && !take_escapes(reader, arrays)) reader.fail("long times are misplaced");
  });
}

bool resolve_labels(std::span<const std::uint32_t> numbers, std::span<const Label> labels, bool several_families,
                    trace::LabelColumn::Arrays& arrays) {
  const std::uint32_t most = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  if (!numbers.empty() && most >= labels.size()) return false;
  const std::size_t at = arrays.names.size();
  arrays.names.resize(at + numbers.size());
  arrays.categories.resize(at + numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Label& label = labels[numbers[i]];
    arrays.names[at + i] = label.name;
    arrays.categories[at + i] = label.category;
  }
  if (!several_families) return true;
  arrays.families.resize((at + numbers.size() + 1) / 2);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    arrays.families[(at + i) / 2] |=
        static_cast<std::uint8_t>(static_cast<unsigned>(labels[numbers[i]].family) << ((at + i) % 2 * 4));
  return true;
}

std::optional<trace::LabelColumn::Arrays> StoredRank::load_labels(const SectionRef& ref, std::uint32_t size,
                                                                  bool several_families) const {
  return load<trace::LabelColumn::Arrays>("labels", [&](SectionReader& reader, trace::LabelColumn::Arrays& arrays) {
    if (!reader.open(ref) || !reader.expect(ref, size)) return;
    arrays.names.reserve(size);
    arrays.categories.reserve(size);
    arrays.families.reserve(several_families ? (static_cast<std::size_t>(size) + 1) / 2 : 0);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t first = 0; first < size && reader.ok(); first += kChunk) {
      numbers.resize(std::min(kChunk, size - first));
      if (reader.column(std::span(numbers)) && !resolve_labels(numbers, labels_, several_families, arrays))
        reader.fail("a slice has an unknown label");
    }
  });
}

void StoredRank::expect(std::initializer_list<SectionRef> sections) const {
  std::vector<ByteRange> ranges;
  for (const SectionRef& section : sections)
    if (section.stored <= place_.length && section.offset <= place_.length - section.stored)
      ranges.push_back({place_.base + section.offset, section.stored});
  bytes_->expect(ranges);
}

trace::OffsetColumn StoredRank::load_offsets(const SectionRef& ref, std::uint32_t size) const {
  auto loaded = load<trace::OffsetColumn>("event offsets", [&](SectionReader& reader, trace::OffsetColumn& offsets) {
    if (!reader.open(ref) || !reader.expect(ref, size)) return;
    std::vector<std::uint32_t> low(size);
    std::vector<std::uint8_t> high(size);
    std::vector<std::uint64_t> steps;
    std::uint64_t offset = 0;
    for (std::uint32_t first = 0; first < size && reader.ok(); first += kChunk) {
      steps.resize(std::min(kChunk, size - first));
      if (!reader.column(std::span(steps))) return;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        offset += static_cast<std::uint64_t>(unzigzag(steps[i]));
        low[first + i] = static_cast<std::uint32_t>(offset);
        high[first + i] = static_cast<std::uint8_t>(offset >> 32);
      }
    }
    offsets = trace::OffsetColumn(std::move(low), std::move(high));
  });
  if (loaded) return std::move(*loaded);
  return {std::vector<std::uint32_t>(size), std::vector<std::uint8_t>(size)};
}

std::optional<std::vector<trace::Connection>> StoredRank::load_connections(const SectionRef& ref, std::uint64_t size,
                                                                           std::uint32_t slices,
                                                                           std::string_view section) const {
  using Pairs = std::vector<trace::Connection>;
  return load<Pairs>(section, [&](SectionReader& reader, Pairs& pairs) {
    if (!reader.open(ref) || !reader.expect(ref, 2 * size)) return;
    pairs.reserve(size);
    std::vector<std::uint32_t> from;
    std::vector<std::uint64_t> to;
    trace::Connection pair;
    for (std::uint64_t first = 0; first < size && reader.ok(); first += kChunk) {
      from.resize(std::min<std::uint64_t>(kChunk, size - first));
      to.resize(from.size());
      if (!reader.columns(std::span(from), std::span(to))) return;
      for (std::size_t i = 0; i < from.size(); ++i) {
        pair.from += from[i];
        pair.to += static_cast<std::uint32_t>(unzigzag(to[i]));
        if (pair.from >= slices || pair.to >= slices) {
          reader.fail("a connection refers to an unknown slice");
          return;
        }
        pairs.push_back(pair);
      }
    }
  });
}

std::optional<trace::Transfers::Columns> StoredRank::load_transfers(const SectionRef& ref, std::uint64_t size,
                                                                    std::uint32_t slices) const {
  using Columns = trace::Transfers::Columns;
  return load<Columns>("bytes of memory copies", [&](SectionReader& reader, Columns& columns) {
    if (!reader.open(ref) || !reader.expect(ref, 2 * size)) return;
    columns.slices.resize(size);
    columns.bytes.resize(size);
    if (!reader.columns(std::span(columns.slices), std::span(columns.bytes))) return;
    std::uint64_t slice = 0;
    for (std::size_t i = 0; i < size && reader.ok(); ++i) {
      if (i > 0 && columns.slices[i] == 0) reader.fail("transfers are not in order");
      slice += columns.slices[i];
      if (slice >= slices) reader.fail("a transfer refers to an unknown slice");
      columns.slices[i] = static_cast<trace::SliceOrdinal>(slice);
    }
  });
}

}  // namespace warpscope::store
