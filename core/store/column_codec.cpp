#include "core/store/column_codec.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpscope::store {

namespace {

constexpr std::size_t kBlock = trace::TimeColumn::kBlock;

template <class Word>
void append(std::vector<std::uint8_t>& bytes, std::span<const Word> values) {
  Word all = 0;
  for (const Word value : values) all |= value;
  const auto width = std::max<std::size_t>(1, (static_cast<std::size_t>(std::bit_width(all)) + 7) / 8);
  bytes.push_back(static_cast<std::uint8_t>(width));
  std::size_t at = bytes.size();
  bytes.resize(at + width * values.size());
  for (std::size_t plane = 0; plane < width; ++plane) {
    std::uint8_t* out = bytes.data() + at;
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = static_cast<std::uint8_t>(values[i] >> 8 * plane);
    at += values.size();
  }
}

// One instance per width, so the compiler can vectorize it.
template <unsigned kWidth>
void join(const std::uint8_t* planes, std::size_t count, std::uint32_t* out) {
  const std::uint8_t* p1 = planes + count;
  const std::uint8_t* p2 = p1 + count;
  const std::uint8_t* p3 = p2 + count;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t value = planes[i];
    if constexpr (kWidth > 1) value |= static_cast<std::uint32_t>(p1[i]) << 8;
    if constexpr (kWidth > 2) value |= static_cast<std::uint32_t>(p2[i]) << 16;
    if constexpr (kWidth > 3) value |= static_cast<std::uint32_t>(p3[i]) << 24;
    out[i] = value;
  }
}

void join(unsigned width, const std::uint8_t* planes, std::size_t count, std::uint32_t* out) {
  if (width == 1) join<1>(planes, count, out);
  if (width == 2) join<2>(planes, count, out);
  if (width == 3) join<3>(planes, count, out);
  if (width == 4) join<4>(planes, count, out);
}

void join(unsigned width, const std::uint8_t* planes, std::size_t count, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = planes[i];
  for (unsigned plane = 1; plane < width; ++plane) {
    const std::uint8_t* in = planes + plane * count;
    for (std::size_t i = 0; i < count; ++i) out[i] |= static_cast<std::uint64_t>(in[i]) << 8 * plane;
  }
}

template <class Word>
bool take(std::span<const std::uint8_t>& bytes, std::span<Word> values) {
  if (bytes.empty()) return false;
  const std::size_t width = bytes.front();
  if (width < 1 || width > sizeof(Word) || (bytes.size() - 1) / width < values.size()) return false;
  join(static_cast<unsigned>(width), bytes.data() + 1, values.size(), values.data());
  bytes = bytes.subspan(1 + width * values.size());
  return true;
}

}  // namespace

void append_planes(std::vector<std::uint8_t>& bytes, std::span<const std::uint32_t> values) { append(bytes, values); }
void append_planes(std::vector<std::uint8_t>& bytes, std::span<const std::uint64_t> values) { append(bytes, values); }
bool take_planes(std::span<const std::uint8_t>& bytes, std::span<std::uint32_t> values) { return take(bytes, values); }
bool take_planes(std::span<const std::uint8_t>& bytes, std::span<std::uint64_t> values) { return take(bytes, values); }

void gaps_to_begins(std::span<std::uint32_t> gaps, std::span<const std::uint32_t> durations) {
  for (std::size_t first = 0; first < gaps.size(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, gaps.size());
    std::uint32_t begin = gaps[first];
    for (std::size_t i = first + 1; i < last; ++i) {
      begin += durations[i - 1] + gaps[i];
      gaps[i] = begin;
    }
  }
}

bool begins_ascend(std::span<const std::uint32_t> begins) {
  // Start times may decrease only from one block to the next. Branchless, so the compiler can vectorize it.
  std::uint32_t descents = 0;
  for (std::size_t i = 1; i < begins.size(); ++i) descents += begins[i] < begins[i - 1] ? 1 : 0;
  std::uint32_t at_edges = 0;
  for (std::size_t i = kBlock; i < begins.size(); i += kBlock) at_edges += begins[i] < begins[i - 1] ? 1 : 0;
  return descents == at_edges;
}

}  // namespace warpscope::store
