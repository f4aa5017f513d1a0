#include "core/store/stored_rank.hpp"

#include <algorithm>

namespace warpscope::store {

using trace::TimeColumn;

bool take_escapes(StreamReader& stream, std::span<const std::uint32_t> codes, TimeColumn::Escapes& escapes) {
  const std::size_t count = stream.count();
  std::uint64_t index = 0;
  for (std::size_t k = 0; k < count && stream.ok(); ++k) {
    const std::uint64_t step = stream.number_to(codes.size());
    if (k > 0 && step == 0) return false;
    index += step;
    if (index >= codes.size() || codes[index] != TimeColumn::kEscape) return false;
    escapes.emplace_back(static_cast<std::uint32_t>(index), stream.signed_number());
  }
  return stream.ok();
}

void StoredRank::note(const SectionReader& reader, std::string_view section) const {
  const Error error = reader.why(section);
  bytes_->note_damage(error);
  const MutexLock lock(mutex_);
  if (!damage_) damage_ = error;
}

std::optional<TimeColumn::Arrays> StoredRank::load_times(const SectionRef& ref, std::uint32_t size) const {
  SectionReader reader = sections();
  TimeColumn::Arrays arrays;
  if (reader.open(ref) && reader.expect(ref, 2 * std::uint64_t{size})) {
    arrays.begins.resize(size);
    arrays.durations.resize(size);
    for (std::uint32_t first = 0; first < size && reader.ok(); first += kChunk) {
      const std::size_t count = std::min(kChunk, size - first);
      const auto begins = std::span(arrays.begins).subspan(first, count);
      const auto durations = std::span(arrays.durations).subspan(first, count);
      std::span<const std::uint8_t> content = reader.frame();
      if (!reader.ok()) break;
      if (!take_planes(content, begins) || !take_planes(content, durations) || !content.empty()) {
        reader.fail("times have the wrong length");
        break;
      }
      gaps_to_begins(begins, durations);
      if (!begins_ascend(begins)) reader.fail("times are not in order");
    }
    std::vector<std::uint8_t> escapes{0, 0};
    if (reader.more()) escapes.clear();
    while (reader.more()) {
      const auto next = reader.frame();
      escapes.insert(escapes.end(), next.begin(), next.end());
    }
    StreamReader stream(escapes);
    const auto escaped = [](std::span<const std::uint32_t> codes) {
      return static_cast<std::size_t>(std::count(codes.begin(), codes.end(), TimeColumn::kEscape));
    };
    if (reader.ok() && (!take_escapes(stream, arrays.begins, arrays.begin_escapes) ||
                        !take_escapes(stream, arrays.durations, arrays.duration_escapes) ||
                        arrays.begin_escapes.size() != escaped(arrays.begins) ||
                        arrays.duration_escapes.size() != escaped(arrays.durations)))
      reader.fail("long times are misplaced");
  }
  if (reader.ok()) return arrays;
  note(reader, "times");
  return std::nullopt;
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
  SectionReader reader = sections();
  trace::LabelColumn::Arrays arrays;
  if (reader.open(ref) && reader.expect(ref, size)) {
    arrays.names.reserve(size);
    arrays.categories.reserve(size);
    arrays.families.reserve(several_families ? (static_cast<std::size_t>(size) + 1) / 2 : 0);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t first = 0; first < size && reader.ok(); first += kChunk) {
      numbers.resize(std::min(kChunk, size - first));
      if (reader.column(std::span(numbers)) && !resolve_labels(numbers, labels_, several_families, arrays))
        reader.fail("a slice has an unknown label");
    }
  }
  if (reader.ok()) return arrays;
  note(reader, "labels");
  return std::nullopt;
}

std::optional<trace::OffsetColumn> StoredRank::load_offsets(const SectionRef& ref, std::uint32_t size) const {
  SectionReader reader = sections();
  trace::OffsetColumn offsets;
  if (reader.open(ref) && reader.expect(ref, size)) {
    std::vector<std::uint32_t> low(size);
    std::vector<std::uint8_t> high(size);
    std::vector<std::uint64_t> steps;
    std::uint64_t offset = 0;
    for (std::uint32_t first = 0; first < size && reader.ok(); first += kChunk) {
      steps.resize(std::min(kChunk, size - first));
      if (!reader.column(std::span(steps))) break;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        offset += static_cast<std::uint64_t>(unzigzag(steps[i]));
        low[first + i] = static_cast<std::uint32_t>(offset);
        high[first + i] = static_cast<std::uint8_t>(offset >> 32);
      }
    }
    offsets = trace::OffsetColumn(std::move(low), std::move(high));
  }
  if (reader.ok()) return offsets;
  note(reader, "event offsets");
  return std::nullopt;
}

std::optional<std::vector<trace::Connection>> StoredRank::load_connections(const SectionRef& ref, std::uint64_t size,
                                                                           std::uint32_t slices,
                                                                           std::string_view section) const {
  SectionReader reader = sections();
  std::vector<trace::Connection> pairs;
  if (reader.open(ref) && size <= ref.content / 2) {
    pairs.reserve(size);
    std::vector<std::uint32_t> from;
    std::vector<std::uint64_t> to;
    trace::Connection pair;
    for (std::uint64_t first = 0; first < size && reader.ok(); first += kChunk) {
      from.resize(std::min<std::uint64_t>(kChunk, size - first));
      to.resize(from.size());
      std::span<const std::uint8_t> content = reader.frame();
      if (!reader.ok()) break;
      if (!take_planes(content, std::span(from)) || !take_planes(content, std::span(to)) || !content.empty()) {
        reader.fail("the number of connections is wrong");
        break;
      }
      for (std::size_t i = 0; i < from.size(); ++i) {
        pair.from += from[i];
        pair.to += static_cast<std::uint32_t>(unzigzag(to[i]));
        if (pair.from >= slices || pair.to >= slices) {
          reader.fail("a connection leads to an unknown slice");
          break;
        }
        pairs.push_back(pair);
      }
    }
  } else {
    reader.fail("the number of connections is wrong");
  }
  if (reader.ok()) return pairs;
  note(reader, section);
  return std::nullopt;
}

std::optional<trace::Transfers::Columns> StoredRank::load_transfers(const SectionRef& ref, std::uint64_t size,
                                                                    std::uint32_t slices) const {
  SectionReader reader = sections();
  trace::Transfers::Columns columns;
  if (reader.open(ref) && reader.expect(ref, 2 * size)) {
    columns.slices.resize(size);
    columns.bytes.resize(size);
    std::uint64_t slice = 0;
    for (std::uint64_t first = 0; first < size && reader.ok(); first += kChunk) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, size - first));
      const auto steps = std::span(columns.slices).subspan(first, count);
      std::span<const std::uint8_t> content = reader.frame();
      if (!reader.ok()) break;
      if (!take_planes(content, steps) || !take_planes(content, std::span(columns.bytes).subspan(first, count)) ||
          !content.empty()) {
        reader.fail("the number of transfers is wrong");
        break;
      }
      for (std::size_t i = 0; i < count && reader.ok(); ++i) {
        if (steps[i] == 0 && first + i > 0) reader.fail("transfers are not in order");
        slice += steps[i];
        if (slice >= slices) reader.fail("a transfer has an unknown slice");
        steps[i] = static_cast<trace::SliceOrdinal>(slice);
      }
    }
  }
  if (reader.ok()) return columns;
  note(reader, "bytes of memory copies");
  return std::nullopt;
}

}  // namespace warpscope::store
