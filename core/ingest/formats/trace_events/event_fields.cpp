#include "core/ingest/formats/trace_events/event_fields.hpp"

#include "core/ingest/json/number.hpp"
#include "core/ingest/json/scan.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest::json {
namespace {

bool is_quoted(std::string_view value) { return value.size() >= 2 && value.front() == '"' && value.back() == '"'; }

std::string_view unquoted(std::string_view value) {
  return is_quoted(value) ? value.substr(1, value.size() - 2) : value;
}

/// Returns the text of a string or number; empty for null, objects and arrays.
std::string_view text_of(std::string_view value, Scratch& scratch, Notes& notes) {
  if (value == "null" || value.starts_with('{') || value.starts_with('[')) return {};
  return decode_string(unquoted(value), scratch, notes);  // corrupt text may have no quotes at all
}

/// Returns the text of a process or thread id; empty unless it is a string or a number.
std::string_view id_of(std::string_view value, Scratch& scratch, Notes& notes) {
  return is_quoted(value) || is_scalar(value) ? text_of(value, scratch, notes) : std::string_view{};
}

void set_time(bool& present, Ns& target, std::string_view value, Notes& notes) {
  present = false;
  target = 0;
  if (value == "null") return;
  const Number number = parse_microseconds(unquoted(value));
  present = number.status == NumberStatus::ok;
  target = number.value;
  if (number.status == NumberStatus::out_of_range) notes.add(Oddity::time_out_of_range, value.data());
  if (number.status == NumberStatus::not_a_number) notes.add(Oddity::time_unreadable, value.data());
}

}  // namespace

bool wants_correlation(const RawEvent& event) {
  if (event.phase != 'X' && event.phase != 0) return false;
  const std::string_view category = event.category;
  switch (category.size()) {
    case 6:
      return category != "cpu_op";
    case 8:
      return category != "Operator";
    case 15:
      return category != "python_function" && category != "user_annotation";
    case 19:
      return category != "gpu_user_annotation";
    default:
      return true;
  }
}

void set_field(RawEvent& event, Key key, std::string_view value, Scratch& scratch, Notes& notes) {
  switch (key) {
    case Key::phase: {
      const std::string_view text = text_of(value, scratch, notes);
      event.phase = text.empty() ? '\0' : text.front();
      break;
    }
    case Key::name:
      event.name = text_of(value, scratch, notes);
      break;
    case Key::category:
      event.category = text_of(value, scratch, notes);
      break;
    case Key::process:
      event.process = id_of(value, scratch, notes);
      break;
    case Key::thread:
      event.thread = id_of(value, scratch, notes);
      break;
    case Key::id:
      event.id = text_of(value, scratch, notes);
      break;
    case Key::time:
      set_time(event.has_time, event.time, value, notes);
      break;
    case Key::duration:
      set_time(event.has_duration, event.duration, value, notes);
      break;
    case Key::arguments:
    case Key::other:
      break;
  }
}

void set_correlation(RawEvent& event, std::string_view value, Notes& notes) {
  event.has_correlation = false;
  event.correlation = 0;
  if (value == "null") return;
  const Number number = parse_integer(unquoted(value));
  if (number.status == NumberStatus::ok) {
    event.has_correlation = true;
    event.correlation = number.value;
  } else {
    notes.add(Oddity::correlation_unreadable, value.data());
  }
}

}  // namespace warpscope::ingest::json
