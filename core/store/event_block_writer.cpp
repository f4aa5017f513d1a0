#include "core/store/event_block_writer.hpp"

#include <algorithm>

#include "core/store/varint.hpp"

namespace warpscope::store {
namespace {

/// Further keys share a column.
constexpr std::size_t kMostKeys = 4096;
constexpr int kFactScale = 3;  // decimal µs, stored in ns
constexpr int kTrialLevel = 1;

/// Strings that rarely repeat are not part of a form.
bool hardly_repeats(std::uint32_t distinct, std::uint32_t uses) { return distinct >= 256 && distinct > uses / 2; }

Fact fact_of(std::string_view key) {
  if (key == "ts") return Fact::begin;
  return key == "dur" ? Fact::duration : Fact::none;
}

}  // namespace

EventBlockWriter::Key& EventBlockWriter::key_of(std::string_view name) {
  const std::uint32_t id = key_names_.size() < kMostKeys ? key_names_.intern(name) : key_names_.find(name);
  if (id == ByteTable::kNone) return keys_[0];
  if (id + std::size_t{1} >= keys_.size()) keys_.resize(id + std::size_t{2});
  return keys_[id + std::size_t{1}];
}

std::uint32_t EventBlockWriter::column(std::uint32_t& id) {
  if (id == kNoColumn) {
    id = column_count_++;
    if (id == columns_.size()) columns_.emplace_back();
  }
  return id;
}

void EventBlockWriter::add_number(Key& key, std::string_view name, const Decimal& number, const EventFacts& facts) {
  const Fact wanted = fact_of(name);
  if (!key.form_known && wanted != Fact::none) key.form.scale = kFactScale;
  key.form_known = true;
  key.form = form_for(number, key.form);
  NumberFormat format{key.form, Fact::none};
  auto value = static_cast<std::uint64_t>(scaled(number, key.form));
  if (wanted != Fact::none && key.form.scale == kFactScale) {
    format.fact = wanted;
    value -= static_cast<std::uint64_t>(wanted == Fact::begin ? facts.begin : facts.duration);
  }
  append_varint(skeleton_, code_of(format));
  append_varint(skeleton_, column(key.number_column));
  numbers_.push_back({key.number_column, value});
}

void EventBlockWriter::add_text(Key& key, std::string_view text) {
  if (key.text_column == kNoColumn) {
    key.text_column = dictionary_count_++;
    if (key.text_column == dictionaries_.size()) dictionaries_.emplace_back();
  }
  ByteTable& dictionary = dictionaries_[key.text_column];
  const std::size_t known = dictionary.bytes().size();
  const std::uint32_t id = dictionary.intern(text);
  dictionary_bytes_ += dictionary.bytes().size() - known;
  key.loose = key.loose || hardly_repeats(dictionary.size(), ++key.uses);
  if (key.loose) {
    append_varint(skeleton_, kLooseTextCode);
    append_varint(skeleton_, column(key.id_column));
    numbers_.push_back({key.id_column, id});
  } else {
    append_varint(skeleton_, kTextCode);
    texts_.push_back({key.text_column, id});
  }
  append_varint(skeleton_, key.text_column);
}

void EventBlockWriter::add(std::uint64_t offset, std::string_view text, const EventFacts& facts) {
  if (events() == 0) {
    first_offset_ = offset;
    column_count_ = 1;
    if (columns_.empty()) columns_.emplace_back();
  } else {
    put_stride(offset - last_offset_);
  }
  last_offset_ = offset;
  last_length_ = text.size();

  find_values(text, values_);
  skeleton_.clear();
  texts_.clear();
  numbers_.clear();
  append_varint(skeleton_, values_.size());
  const char* at = text.data();
  for (const EventValue& value : values_) {
    const auto literal = static_cast<std::size_t>(value.text.data() - at);
    append_varint(skeleton_, literal);
    skeleton_.append(at, literal);
    at = value.text.data() + value.text.size();
    Key& key = key_of(value.key);
    const auto number = value.kind == ValueKind::number ? parse_decimal(value.text) : std::nullopt;
    if (number)
      add_number(key, value.key, *number, facts);
    else
      add_text(key, value.text);
  }
  const auto tail = static_cast<std::size_t>(text.data() + text.size() - at);
  append_varint(skeleton_, tail);
  skeleton_.append(at, tail);

  put(form());
}

/// Returns the number of the current event's form.
std::uint32_t EventBlockWriter::form() {
  const std::size_t known = skeletons_.bytes().size();
  const std::uint32_t skeleton = skeletons_.intern(skeleton_);
  dictionary_bytes_ += skeletons_.bytes().size() - known;
  form_.clear();
  append_varint(form_, skeleton);
  for (const Text& text : texts_) append_varint(form_, text.id);
  const std::uint32_t form = forms_.intern(form_);
  if (form < places_of_forms_.size()) return form;
  places_of_forms_.push_back(places_.size());
  places_.resize(places_.size() + numbers_.size() + 1);  // starts with the distance to the next event
  dictionary_bytes_ += form_.size();
  append_varint(form_rows_, skeleton);
  next_texts_.resize(dictionary_count_);
  for (const Text& text : texts_) append_varint(form_rows_, next_texts_[text.dictionary].symbol(text.id));
  return form;
}

void EventBlockWriter::put(std::uint32_t form) {
  forms_of_events_.push_back(form);
  PlaceState* place = places_.data() + places_of_forms_[form];
  for (const Number& number : numbers_) put(columns_[number.column], *++place, number.value);
  number_count_ += numbers_.size() + 1;
}

void EventBlockWriter::put_stride(std::uint64_t stride) {
  put(columns_.front(), places_[places_of_forms_[forms_of_events_.back()]], stride);
}

void EventBlockWriter::put(Column& column, PlaceState& place, std::uint64_t value) {
  for (std::size_t i = 0; i < kPredictions; ++i)
    append_varint(column.residuals[i], fold_sign(value - expected(static_cast<Prediction>(i), column.previous, place)));
  advance(value, column.previous, place);
}

bool EventBlockWriter::full() const {
  return events() >= kBlockEvents || number_count_ >= kBlockNumbers || dictionary_bytes_ >= kBlockDictionary;
}

std::string EventBlockWriter::form_sequence() const {
  std::string sequence;
  FormPredictor predictor;
  std::uint32_t known = 0;
  for (const std::uint32_t form : forms_of_events_) {
    if (form == known) {
      append_varint(sequence, 1);
      ++known;
    } else if (form == predictor.guess()) {
      append_varint(sequence, 0);
    } else {
      append_varint(sequence, std::uint64_t{form} + 2);
    }
    predictor.advance(form);
  }
  return sequence;
}

std::string EventBlockWriter::finish() {
  put_stride(last_length_);
  std::string directory;
  std::string frames;
  std::string packed;
  std::string best;
  const auto add_frame = [&](std::string_view raw) {
    packer_.pack(raw, level_, packed);
    append_varint(directory, raw.size());
    append_varint(directory, packed.size());
    frames += packed;
  };
  append_varint(directory, events());
  append_varint(directory, skeletons_.size());
  append_varint(directory, forms_.size());
  append_varint(directory, dictionary_count_);
  for (std::uint32_t i = 0; i < dictionary_count_; ++i) append_varint(directory, dictionaries_[i].size());
  append_varint(directory, column_count_);
  add_frame(skeletons_.bytes());
  add_frame(form_rows_);
  add_frame(form_sequence());
  std::string lengths;
  std::string strings;
  for (std::uint32_t i = 0; i < dictionary_count_; ++i) {
    const ByteTable& dictionary = dictionaries_[i];
    for (std::uint32_t id = 0; id < dictionary.size(); ++id) append_varint(lengths, dictionary.view(id).size());
    strings += dictionary.bytes();
  }
  add_frame(lengths);
  add_frame(strings);
  for (std::uint32_t i = 0; i < column_count_; ++i) {
    Column& column = columns_[i];
    std::size_t choice = 0;
    std::size_t least = 0;
    for (std::size_t p = 0; p < kPredictions; ++p) {
      packer_.pack(column.residuals[p], kTrialLevel, packed);
      if (p > 0 && packed.size() >= least) continue;
      choice = p;
      least = packed.size();
    }
    append_varint(directory, choice);
    add_frame(column.residuals[choice]);
    for (std::string& residuals : column.residuals) residuals.clear();
    column.previous = 0;
  }
  std::string block;
  append_varint(block, directory.size());
  block += directory;
  block += frames;

  skeletons_.clear();
  forms_.clear();
  form_rows_.clear();
  next_texts_.clear();
  for (std::uint32_t i = 0; i < dictionary_count_; ++i) dictionaries_[i].clear();
  dictionary_count_ = column_count_ = 0;
  number_count_ = dictionary_bytes_ = 0;
  forms_of_events_.clear();
  places_of_forms_.clear();
  places_.clear();
  for (Key& key : keys_) {
    if (key.text_column != kNoColumn) key.loose = false;
    key.number_column = key.id_column = key.text_column = kNoColumn;
    key.uses = 0;
  }
  return block;
}

}  // namespace warpscope::store
