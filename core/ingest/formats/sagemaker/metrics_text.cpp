#include "core/ingest/formats/sagemaker/metrics_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parse_number.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/json/flat_arguments.hpp"
#include "core/ingest/json/number.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest::smdebug {

namespace {

constexpr std::size_t kExampleLength = 120;
constexpr Ns kLatest =
    Ns{1} << 62;  // in the year 2116: differences of times must not overflow, and stores hold no later times

std::string_view without_quotes(std::string_view raw) {
  return raw.size() >= 2 && raw.front() == '"' ? raw.substr(1, raw.size() - 2) : raw;
}

/// Returns the content of a string; nullopt if the value is not a string or is corrupt. `room` holds the result if
/// anything was escaped.
std::optional<std::string_view> text_of(std::string_view raw, std::string& room) {
  if (raw.empty() || raw.front() != '"') return std::nullopt;
  raw = without_quotes(raw);
  if (std::all_of(raw.begin(), raw.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '\\'; })) return raw;
  json::Scratch scratch;
  json::Notes notes;
  room = json::decode_string(raw, scratch, notes);
  if (!notes.empty()) return std::nullopt;
  return room;
}

std::optional<float> value_of(std::string_view raw) {
  const std::string_view text = without_quotes(raw);
  const std::size_t digit = text.starts_with('-') ? 1 : 0;
  if (digit >= text.size() || text[digit] < '0' || text[digit] > '9') return std::nullopt;
  const auto number = parse_number<double>(text);
  if (!number || !std::isfinite(static_cast<float>(*number))) return std::nullopt;
  return static_cast<float>(*number);
}

std::optional<Ns> time_of(std::string_view raw) {
  const json::Number number = json::parse_seconds(without_quotes(raw));
  if (number.status != json::NumberStatus::ok || number.value <= 0 || number.value > kLatest) return std::nullopt;
  return number.value;
}

/// Counts samples that are earlier than the preceding sample.
std::uint64_t reversals(const std::vector<std::pair<Ns, float>>& samples) {
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) count += samples[i].first < samples[i - 1].first ? 1 : 0;
  return count;
}

/// Sorts by time and keeps the first sample for each time. Returns the number of samples dropped.
std::uint64_t settle(std::vector<std::pair<Ns, float>>& samples) {
  constexpr auto kTime = &std::pair<Ns, float>::first;
  if (!std::ranges::is_sorted(samples, {}, kTime)) std::ranges::stable_sort(samples, {}, kTime);
  const auto repeated = std::ranges::unique(samples, {}, kTime);
  const std::uint64_t gone = repeated.size();
  samples.erase(repeated.begin(), repeated.end());
  return gone;
}

}  // namespace

std::optional<std::uint32_t> MetricNames::number(const Name& name) {
  const MutexLock lock(mutex_);
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  if (names_.size() >= kMost) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(names_.size());
  numbers_.emplace(name, number);
  names_.push_back(name);
  return number;
}

MetricNames::Name MetricNames::operator[](std::uint32_t number) const {
  const MutexLock lock(mutex_);
  return names_[number];
}

MetricsText::MetricsText(MetricNames& names, const std::string& file, std::uint64_t most)
    : names_(names), file_(file), most_(most) {
  if (const auto name = metrics_file_name(file)) minute_ = name->minute;
}

void MetricsText::note(std::string_view code, Severity severity, std::string_view example) {
  part_.diagnostics.add(code, severity, file_, line_at_, json::excerpt(example, kExampleLength));
}

/// Reports a line, which may contain what is left of several.
void MetricsText::damaged(std::string_view example, std::uint64_t length) {
  note("metrics-line-damaged", Severity::warning, example);
  part_.diagnostics.add("skipped-bytes", Severity::warning, file_, line_at_, json::excerpt(example, kExampleLength),
                        length);
}

void MetricsText::push(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view piece = text.substr(0, end);
    if (begun_.size() + piece.size() > kLongestLine) overlong_ = true;
    if (!whole) {
      if (!overlong_) begun_.append(piece);
      passed_ += piece.size();
      return;
    }
    if (overlong_) {
      damaged("line longer than 64 KiB", passed_ + piece.size());
    } else if (begun_.empty()) {
      line(piece, true);
    } else {
      line(begun_.append(piece), true);
    }
    overlong_ = false;
    begun_.clear();
    line_at_ += std::exchange(passed_, 0) + piece.size() + 1;
    text.remove_prefix(end + 1);
  }
}

void MetricsText::line(std::string_view text, bool whole) {
  if (line_at_ == 0 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (std::ranges::all_of(text, json::is_space)) return;
  Fields fields;
  if (!read(text, fields)) {
    if (fields.elsewhere)
      return damaged(fmt::format("timestamp {} is not near the time in the file's name", *fields.time / 1'000'000'000),
                     text.size());
    if (whole || std::ranges::any_of(text, [](char c) { return c >= '\0' && c < ' ' && !json::is_space(c); }))
      damaged(text, text.size());
    else
      note("metrics-line-cut-off", Severity::info, text);
    return;
  }
  Series* const series = series_of(fields);
  if (series == nullptr) return note("metrics-too-many", Severity::warning, text);
  if (!series->samples.empty() && series->samples.back().first == *fields.time) {
    ++part_.repeated;  // immediately, so endless repetition uses no memory
    return;
  }
  if (samples_ == most_) return note("metrics-too-many", Severity::warning, text);
  ++samples_;
  series->samples.emplace_back(*fields.time, *fields.value);
}

bool MetricsText::read(std::string_view text, Fields& fields) {
  const bool well_formed =
      for_each_member<true>(text, [&](std::string_view key, std::string_view raw) { take_field(key, raw, fields); });
  if (!well_formed || fields.damaged || !fields.type || fields.type->empty() || !fields.name || !fields.dimension ||
      !fields.value || !fields.time)
    return false;
  fields.elsewhere = minute_ && (*fields.time < *minute_ - kFarthest || *fields.time > *minute_ + kFarthest);
  return !fields.elsewhere;
}

void MetricsText::take_field(std::string_view key, std::string_view raw, Fields& fields) {
  // The text of two lines, with a gap between them, has a key twice.
  const auto take = [&](auto& to, auto value) {
    fields.damaged = fields.damaged || to || !value;
    to = value;
  };
  const auto take_text = [&](std::optional<std::string_view>& to, std::string& room) {
    auto text = text_of(raw, room);
    // The lookup key consists of the three strings, separated by zero bytes.
    if (text && (text->size() > kLongestName || text->find('\0') != std::string_view::npos)) text.reset();
    take(to, text);
  };
  if (key == R"("Type")")
    take_text(fields.type, texts_[0]);
  else if (key == R"("Name")")
    take_text(fields.name, texts_[1]);
  else if (key == R"("Dimension")")
    take_text(fields.dimension, texts_[2]);
  else if (key == R"("Value")")
    take(fields.value, value_of(raw));
  else if (key == R"("Timestamp")")
    take(fields.time, time_of(raw));
  else if (!text_of(key, key_) || (raw.starts_with('"') && !text_of(raw, key_)))
    fields.damaged = true;
}

/// Nearly all snapshots contain the same series in the same order.
MetricsText::Series* MetricsText::series_of(const Fields& fields) {
  const auto is = [&](const Series& series) {
    return series.name.name == *fields.name && series.name.dimension == *fields.dimension &&
           series.name.type == *fields.type;
  };
  if (!series_.empty() && is(series_[series_[last_].next])) {
    last_ = series_[last_].next;
    return &series_[last_];
  }
  key_.assign(*fields.type).append(1, '\0').append(*fields.name).append(1, '\0').append(*fields.dimension);
  auto known = by_key_.find(key_);
  if (known == by_key_.end()) {
    Series fresh;
    fresh.name = {std::string(*fields.type), std::string(*fields.name), std::string(*fields.dimension)};
    const auto number = names_.number(fresh.name);
    if (!number) return nullptr;
    fresh.number = *number;
    known = by_key_.emplace(key_, static_cast<std::uint32_t>(series_.size())).first;
    series_.push_back(std::move(fresh));
  }
  series_[last_].next = known->second;
  last_ = known->second;
  return &series_[last_];
}

MetricsPart MetricsText::finish() {
  if (overlong_) damaged("line longer than 64 KiB", passed_);
  if (!overlong_ && !begun_.empty()) line(begun_, false);
  std::ranges::sort(series_, {}, &Series::number);
  std::map<std::vector<Ns>, std::vector<const Series*>> columns;
  std::vector<Ns> times;
  std::uint64_t reversed = 0;
  for (Series& series : series_) {
    reversed = std::max(reversed, reversals(series.samples));
    part_.repeated += settle(series.samples);
    times.clear();
    for (const auto& [time, value] : series.samples) times.push_back(time);
    columns[times].push_back(&series);
  }
  for (auto& [column_times, members] : columns) {
    MetricsPart::Column column;
    column.times = column_times;
    column.values.reserve(members.size() * column_times.size());
    for (const Series* series : members) {
      column.series.push_back(series->number);
      for (const auto& [time, value] : series->samples) column.values.push_back(value);
    }
    part_.columns.push_back(std::move(column));
  }
  if (reversed > 0)
    part_.diagnostics.add("metrics-clock-reversed", Severity::warning, file_, Diagnostic::kNoOffset, "", reversed);
  return std::move(part_);
}

}  // namespace warpscope::ingest::smdebug
