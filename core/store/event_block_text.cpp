#include "core/store/event_block_reader.hpp"
#include "core/store/varint.hpp"

namespace warpscope::store {

/// Decodes a block from its first event, but only the requested columns.
class EventBlock::Walk {
 public:
  /// `target`: skeleton whose columns are needed; null for all.
  Walk(const EventBlock& block, const Skeleton* target) : block_(block), cursors_(block.columns_.size()) {
    if (target == nullptr) {
      for (const Skeleton& skeleton : block.skeletons_) want(skeleton);
    } else {
      want(*target);
    }
    first_step_.push_back(0);
    for (const Skeleton& skeleton : block.skeletons_) {
      std::uint32_t place = 0;
      for (std::uint32_t s = 0; s < skeleton.slots; ++s) {
        const Slot& slot = block.slots_[skeleton.first_slot + s];
        if (slot.kind == SlotKind::text) continue;
        ++place;
        if (cursors_[slot.column].wanted) steps_.push_back({place, slot.column});
      }
      first_step_.push_back(static_cast<std::uint32_t>(steps_.size()));
    }
    places_.resize(block.places_);
  }

  [[nodiscard]] bool ok() const { return ok_; }

  /// Calls take(number) for the needed numbers of the next event, in the order of its slots.
  template <class Take>
  void next(Take take) {
    const Form& form = block_.forms_[block_.forms_of_events_[event_++]];
    for (std::uint32_t s = first_step_[form.skeleton]; s < first_step_[form.skeleton + 1]; ++s) {
      Cursor& cursor = cursors_[steps_[s].column];
      if (cursor.always_zero) {
        take(std::uint64_t{0});
        continue;
      }
      const std::uint64_t residual = unfold_sign(cursor.reader.take());
      if (cursor.prediction <= Prediction::previous) {
        cursor.previous = residual + (cursor.prediction == Prediction::zero ? 0 : cursor.previous);
      } else {
        PlaceState& place = places_[form.place + steps_[s].place];
        advance(residual + expected(cursor.prediction, cursor.previous, place), cursor.previous, place);
      }
      ok_ = ok_ && cursor.reader.ok();
      take(cursor.previous);
    }
  }

 private:
  struct Cursor {
    UnpackedBytes bytes;
    VarintReader reader{{}};
    std::uint64_t previous = 0;
    Prediction prediction = Prediction::zero;
    bool wanted = false;
    bool always_zero = false;
  };
  struct Step {
    std::uint32_t place = 0;  // after the form's first place
    std::uint32_t column = 0;
  };

  void want(const Skeleton& skeleton) {
    for (std::uint32_t s = 0; s < skeleton.slots && ok_; ++s) {
      const Slot& slot = block_.slots_[skeleton.first_slot + s];
      Cursor& cursor = cursors_[slot.column];
      if (slot.kind == SlotKind::text || cursor.wanted) continue;
      const Column& column = block_.columns_[slot.column];
      cursor.wanted = true;
      cursor.prediction = column.prediction;
      // If all differences are zero, all numbers are zero, whatever the prediction.
      cursor.always_zero = column.sizes.stored == 1 && block_.stored_[column.begin] == 0;
      if (cursor.always_zero) continue;
      ok_ = block_.unpack_frame(column, cursor.bytes);
      cursor.reader = VarintReader(cursor.bytes.span());
    }
  }

  const EventBlock& block_;
  std::vector<Cursor> cursors_;
  std::vector<Step> steps_;                // of all skeletons
  std::vector<std::uint32_t> first_step_;  // per skeleton
  std::vector<PlaceState> places_;
  std::uint32_t event_ = 0;
  bool ok_ = true;
};

bool EventBlock::print(std::uint32_t event, const std::vector<std::uint64_t>& numbers, const EventFacts& facts,
                       std::string& text) const {
  const Form& form = forms_[forms_of_events_[event]];
  const Skeleton& skeleton = skeletons_[form.skeleton];
  text.clear();
  bool fits = true;
  const auto append = [&](const UnpackedBytes& bytes, std::uint64_t begin, std::uint64_t size) {
    fits = fits && size <= kLongestEventText - text.size();
    if (fits) text.append(bytes.data.get() + begin, static_cast<std::size_t>(size));
  };
  auto number = numbers.begin();
  std::uint32_t next_text = form.first_text;
  for (std::uint32_t s = 0; s < skeleton.slots; ++s) {
    const Slot& slot = slots_[skeleton.first_slot + s];
    append(skeleton_bytes_, slot.literal, slot.literal_size);
    if (slot.kind == SlotKind::number) {
      std::uint64_t value = *number++;
      if (slot.format.fact == Fact::begin) value += static_cast<std::uint64_t>(facts.begin);
      if (slot.format.fact == Fact::duration) value += static_cast<std::uint64_t>(facts.duration);
      if (fits) append_decimal(text, static_cast<std::int64_t>(value), slot.format.form);
      fits = fits && text.size() <= kLongestEventText;
      continue;
    }
    const std::uint64_t id = slot.kind == SlotKind::text ? texts_[next_text++] : *number++;
    const std::uint64_t first = dictionaries_[slot.dictionary];
    if (id >= dictionaries_[slot.dictionary + 1] - first) return false;
    const auto string = static_cast<std::size_t>(first + id);
    const std::uint64_t begin = string == 0 ? 0 : ends_[string - 1];
    append(strings_, begin, ends_[string] - begin);
  }
  append(skeleton_bytes_, skeleton.tail, skeleton.tail_size);
  return fits;
}

Result<std::string> EventBlock::text(std::uint32_t i, const EventFacts& facts) const {
  Walk walk(*this, &skeletons_[forms_[forms_of_events_[i]].skeleton]);
  for (std::uint32_t before = 0; before < i; ++before) walk.next([](std::uint64_t) {});
  std::vector<std::uint64_t> numbers;
  walk.next([&](std::uint64_t number) { numbers.push_back(number); });
  std::string text;
  if (!walk.ok() || !print(i, numbers, facts, text)) return damaged();
  return text;
}

Failure EventBlock::for_each(const FactsOf& facts_of, const Visit& visit) const {
  Walk walk(*this, nullptr);
  std::vector<std::uint64_t> numbers;
  std::string text;
  for (std::uint32_t i = 0; i < size(); ++i) {
    numbers.clear();
    walk.next([&](std::uint64_t number) { numbers.push_back(number); });
    if (!walk.ok() || !print(i, numbers, facts_of(offsets_[i]), text)) return damaged();
    visit(offsets_[i], text);
  }
  return {};
}

}  // namespace warpscope::store
