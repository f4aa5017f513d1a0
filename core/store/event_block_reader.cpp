#include "core/store/event_block_reader.hpp"

#include <algorithm>
#include <limits>

#include "core/store/event_values.hpp"
#include "core/store/varint.hpp"

namespace warpscope::store {
namespace {

/// Upper limits for valid blocks; the writer closes a block soon after its limits are reached.
constexpr std::uint64_t kMostEvents = 2 * kBlockEvents;
constexpr std::uint64_t kMostNumbers = 2 * kBlockNumbers;
constexpr std::uint64_t kMostColumns = std::uint64_t{1} << 14;
constexpr std::uint64_t kMostStrings = 2 * kBlockDictionary;
constexpr std::uint64_t kMostText = kLongestEventText + 2 * kBlockDictionary;

constexpr std::uint64_t kMostIds = kMostStrings * 5;  // bytes of numbers below 2^32

enum Frame : std::size_t { kSkeletons, kForms, kSequence, kLengths, kStrings };

}  // namespace

Error EventBlock::damaged() { return {"", "a block of the store's events is corrupt", "write the store again"}; }

Result<EventBlock> EventBlock::open(std::span<const char> bytes, std::uint64_t first_offset) {
  EventBlock block;
  if (!block.read(bytes, first_offset)) return damaged();
  return block;
}

bool EventBlock::read(std::span<const char> bytes, std::uint64_t first_offset) {
  return read_directory(bytes) && read_skeletons(skeleton_count_) && read_forms(form_count_) && read_sequence() &&
         read_offsets(first_offset) && read_strings();
}

bool EventBlock::read_directory(std::span<const char> bytes) {
  VarintReader block(bytes);
  VarintReader directory(block.take_bytes(block.take()));
  event_count_ = directory.take(kMostEvents);
  skeleton_count_ = directory.take(event_count_);
  form_count_ = directory.take(event_count_);
  const std::uint64_t dictionaries = directory.take(kMostColumns);
  if (!directory.ok() || event_count_ == 0) return false;
  dictionaries_.push_back(0);
  for (std::uint64_t i = 0; i < dictionaries; ++i)
    dictionaries_.push_back(dictionaries_.back() + directory.take(kMostStrings - dictionaries_.back()));
  columns_.resize(directory.take(kMostColumns));
  std::size_t begin = 0;
  std::uint64_t columns_left = kMostNumbers * kLongestVarint;
  const auto take_frame = [&](Column& frame, std::uint64_t most) {
    frame.sizes.raw = directory.take(most);
    frame.sizes.stored = directory.take(block.left() - begin);
    frame.begin = begin;
    begin += static_cast<std::size_t>(frame.sizes.stored);
    return frame.sizes.plausible();
  };
  bool sound = !columns_.empty();
  for (std::size_t i = 0; i < frames_.size(); ++i)
    sound = take_frame(frames_[i], i == kSkeletons || i == kStrings ? kMostText : kMostIds) && sound;
  for (Column& column : columns_) {
    column.prediction = static_cast<Prediction>(directory.take(kPredictions - 1));
    sound = take_frame(column, columns_left) && sound;
    columns_left -= column.sizes.raw;
  }
  if (!sound || !directory.ok() || directory.left() != 0 || block.left() != begin) return false;
  const std::span<const char> frames = block.take_bytes(begin);
  stored_.assign(frames.begin(), frames.end());
  return true;
}

bool EventBlock::unpack_frame(const Column& frame, UnpackedBytes& bytes) const {
  return unpack({stored_.data() + frame.begin, static_cast<std::size_t>(frame.sizes.stored)}, frame.sizes, bytes);
}

bool EventBlock::read_skeletons(std::uint64_t count) {
  if (!unpack_frame(frames_[kSkeletons], skeleton_bytes_)) return false;
  VarintReader reader(skeleton_bytes_.span());
  const auto take_literal = [&](std::uint64_t& begin, std::uint32_t& size) {
    size = static_cast<std::uint32_t>(reader.take(kLongestEventText));
    begin = skeleton_bytes_.size - reader.left();
    (void)reader.take_bytes(size);
  };
  const std::uint64_t dictionaries = dictionaries_.size() - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    Skeleton skeleton;
    skeleton.first_slot = static_cast<std::uint32_t>(slots_.size());
    skeleton.slots = static_cast<std::uint32_t>(reader.take(kMostValues));
    for (std::uint32_t s = 0; s < skeleton.slots; ++s) {
      Slot slot;
      take_literal(slot.literal, slot.literal_size);
      const std::uint64_t code = reader.take(1 + kNumberCodes);
      if (code != kTextCode) {
        slot.column = static_cast<std::uint32_t>(reader.take(columns_.size() - 1));
        ++skeleton.numbers;
      }
      if (code == kTextCode || code == kLooseTextCode) {
        slot.kind = code == kTextCode ? SlotKind::text : SlotKind::loose_text;
        slot.dictionary = static_cast<std::uint32_t>(reader.take(dictionaries - 1));
        if (dictionaries == 0) return false;
      } else {
        slot.kind = SlotKind::number;
        slot.format = format_of(code);
      }
      if (!reader.ok() || slots_.size() >= kMostNumbers) return false;
      slots_.push_back(slot);
    }
    take_literal(skeleton.tail, skeleton.tail_size);
    if (!reader.ok()) return false;
    skeletons_.push_back(skeleton);
  }
  return reader.left() == 0;
}

bool EventBlock::read_forms(std::uint64_t count) {
  UnpackedBytes bytes;
  if (skeletons_.empty() || !unpack_frame(frames_[kForms], bytes)) return false;
  VarintReader reader(bytes.span());
  std::vector<RisingIds> next_texts(dictionaries_.size());
  std::uint64_t places = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Form form;
    form.skeleton = static_cast<std::uint32_t>(reader.take(skeletons_.size() - 1));
    form.place = static_cast<std::uint32_t>(places);
    form.first_text = static_cast<std::uint32_t>(texts_.size());
    const Skeleton& skeleton = skeletons_[form.skeleton];
    places += skeleton.numbers + std::uint64_t{1};
    if (places > kMostNumbers) return false;
    for (std::uint32_t s = 0; s < skeleton.slots; ++s) {
      const Slot& slot = slots_[skeleton.first_slot + s];
      if (slot.kind != SlotKind::text) continue;
      const std::uint64_t id = next_texts[slot.dictionary].id(reader.take(kMostStrings));
      if (id >= dictionaries_[slot.dictionary + 1] - dictionaries_[slot.dictionary] || !reader.ok()) return false;
      texts_.push_back(static_cast<std::uint32_t>(id));
    }
    forms_.push_back(form);
  }
  places_ = static_cast<std::uint32_t>(places);
  return reader.ok() && reader.left() == 0;
}

bool EventBlock::read_sequence() {
  UnpackedBytes bytes;
  if (!unpack_frame(frames_[kSequence], bytes) || bytes.size < event_count_) return false;
  VarintReader reader(bytes.span());
  FormPredictor predictor;
  std::uint32_t known = 0;
  std::uint64_t numbers = 0;
  forms_of_events_.reserve(event_count_);
  for (std::uint64_t i = 0; i < event_count_; ++i) {
    const std::uint64_t symbol = reader.take(std::uint64_t{forms_.size()} + 1);
    std::uint32_t form = predictor.guess();
    if (symbol == 1) form = known++;
    if (symbol > 1) form = static_cast<std::uint32_t>(symbol - 2);
    if (form >= forms_.size() || !reader.ok()) return false;
    numbers += skeletons_[forms_[form].skeleton].numbers + std::uint64_t{1};
    if (numbers > kMostNumbers) return false;
    forms_of_events_.push_back(form);
    predictor.advance(form);
  }
  return reader.left() == 0;
}

bool EventBlock::read_offsets(std::uint64_t first_offset) {
  UnpackedBytes bytes;
  const Column& column = columns_.front();
  if (!unpack_frame(column, bytes)) return false;
  VarintReader reader(bytes.span());
  std::vector<PlaceState> places(forms_.size());
  std::uint64_t previous = 0;
  std::uint64_t offset = first_offset;
  offsets_.reserve(event_count_);
  for (const std::uint32_t form : forms_of_events_) {
    offsets_.push_back(offset);
    const std::uint64_t stride = expected(column.prediction, previous, places[form]) + unfold_sign(reader.take());
    if (stride > std::numeric_limits<std::uint64_t>::max() - offset || (stride == 0 && reader.left() > 0)) return false;
    offset += stride;
    advance(stride, previous, places[form]);
  }
  return reader.ok() && reader.left() == 0;
}

bool EventBlock::read_strings() {
  UnpackedBytes bytes;
  if (!unpack_frame(frames_[kLengths], bytes) || bytes.size < dictionaries_.back()) return false;
  VarintReader reader(bytes.span());
  std::uint64_t end = 0;
  ends_.reserve(dictionaries_.back());
  for (std::uint64_t i = 0; i < dictionaries_.back(); ++i) {
    end += reader.take(kLongestEventText);
    ends_.push_back(end);
  }
  return reader.ok() && reader.left() == 0 && end == frames_[kStrings].sizes.raw &&
         unpack_frame(frames_[kStrings], strings_);
}

std::optional<std::uint32_t> EventBlock::find(std::uint64_t offset) const {
  const auto found = std::lower_bound(offsets_.begin(), offsets_.end(), offset);
  if (found == offsets_.end() || *found != offset) return std::nullopt;
  return static_cast<std::uint32_t>(found - offsets_.begin());
}

}  // namespace warpscope::store
