#include "core/ingest/formats/trace_events/strict.hpp"

#include "core/ingest/json/number.hpp"

namespace warpscope::ingest::json {
namespace {

class StrictParser {
 public:
  StrictParser(const char* at, const char* end, RawEvent& event, Scratch& scratch, Notes& notes, bool any_arguments)
      : at_(at), end_(end), event_(event), scratch_(scratch), notes_(notes), any_arguments_(any_arguments) {}

  ValueScan run(bool final) {
    const Scan status = object();
    if (status != Scan::complete) return {status, nullptr};
    const char* const follow = skip_space(at_);
    if (follow >= end_) return {final ? Scan::complete : Scan::need_more, at_};
    return {*follow == ',' || *follow == ']' ? Scan::complete : Scan::damaged, at_};
  }

 private:
  /// Returns the meaning of a mismatch at `at`: corrupt, or the end of the text.
  [[nodiscard]] Scan mismatch(const char* at) const { return at >= end_ ? Scan::need_more : Scan::damaged; }

  Scan object() {
    at_ = skip_space(at_ + 1);
    if (*at_ == '}' && at_ < end_) {
      ++at_;
      return Scan::complete;
    }
    for (;;) {
      if (const Scan status = member(); status != Scan::complete) return status;
      at_ = skip_space(at_);
      if (at_ >= end_) return Scan::need_more;
      const char c = *at_++;
      if (c == '}') return Scan::complete;
      if (c != ',') return Scan::damaged;
      at_ = skip_space(at_);
    }
  }

  Scan member() {
    if (*at_ != '"') return mismatch(at_);
    const char* const begin = at_;
    const KeyMatch match = match_key(at_ + 1);
    if (match.key == Key::other) {
      const StringScan key = scan_string(at_ + 1, end_);
      if (key.status != Scan::complete) return key.status;
      at_ = key.close + 1;
    } else {
      at_ += match.length + 2;
      const std::uint32_t bit = 1U << static_cast<unsigned>(match.key);
      if ((seen_ & bit) != 0) notes_.add(Oddity::duplicate_key, begin);
      seen_ |= bit;
    }
    if (*at_ == ' ') ++at_;
    if (*at_ != ':') {
      at_ = skip_space(at_);
      if (*at_ != ':') return mismatch(at_);
    }
    at_ = skip_space(at_ + 1);
    if (at_ >= end_) return Scan::need_more;
    return value(match.key);
  }

  Scan value(Key key) {
    switch (key) {
      case Key::name:
        return text(event_.name, key);
      case Key::category:
        return text(event_.category, key);
      case Key::process:
        return text(event_.process, key);
      case Key::thread:
        return text(event_.thread, key);
      case Key::id:
        return text(event_.id, key);
      case Key::phase:
        return phase();
      case Key::time:
        return time(event_.has_time, event_.time, key);
      case Key::duration:
        return time(event_.has_duration, event_.duration, key);
      case Key::arguments:
        return arguments();
      case Key::other:
        break;
    }
    const ValueScan scan = scan_value(at_, end_);
    at_ = scan.next;
    return scan.status;
  }

  Scan phase() {
    if (at_[0] == '"' && at_[2] == '"' && at_[1] > ' ' && at_[1] != '\\' && at_[1] != '"') {
      event_.phase = at_[1];
      at_ += 3;
      return Scan::complete;
    }
    return any(Key::phase);
  }

  Scan text(std::string_view& target, Key key) {
    if (*at_ == '"') {
      const char* const begin = at_ + 1;
      const char* const stop = string_stop(begin, end_);
      if (stop >= end_) return Scan::need_more;
      if (*stop != '"') return any(key);
      target = {begin, static_cast<std::size_t>(stop - begin)};
      at_ = stop + 1;
      return Scan::complete;
    }
    const char* const next = scan_number(at_, end_);
    if (next == nullptr) return any(key);
    target = {at_, static_cast<std::size_t>(next - at_)};
    at_ = next;
    return Scan::complete;
  }

  Scan time(bool& present, Ns& target, Key key) {
    const char* const next = parse_plain_microseconds(at_, target);
    if (next == nullptr) return any(key);
    present = true;
    at_ = next;
    return Scan::complete;
  }

  /// Handles the general case: finds the end of the value, then parses it.
  Scan any(Key key) {
    const ValueScan scan = scan_value(at_, end_);
    if (scan.status != Scan::complete) return scan.status;
    const std::string_view value(at_, static_cast<std::size_t>(scan.next - at_));
    set_field(event_, key, value, scratch_, notes_);
    at_ = scan.next;
    return notes_.empty() || !notes_.repaired() ? Scan::complete : Scan::damaged;
  }

  Scan arguments() {
    event_.arguments = {};
    if (*at_ != '{') return any(Key::arguments);
    const std::string_view key = wants_correlation(event_) ? "correlation" : "";
    NestedScan scan = scan_nested(at_, end_, key);
    if (scan.status == Scan::damaged) {
      // Text may be missing, so the arguments may end with those of another event.
      scan = skip_disordered_object(at_, end_, key, any_arguments_);
      if (scan.status == Scan::complete) notes_.add(Oddity::arguments_disordered, at_);
    }
    if (scan.status != Scan::complete) return scan.status;
    event_.arguments = {at_, static_cast<std::size_t>(scan.next - at_)};
    event_.has_correlation = false;
    if (scan.found != nullptr) correlation(scan.found);
    at_ = scan.next;
    return Scan::complete;
  }

  void correlation(const char* at) {
    const ValueScan scan = scan_value(at, end_);
    const std::size_t length = scan.status == Scan::complete ? static_cast<std::size_t>(scan.next - at) : 0;
    set_correlation(event_, {at, length}, notes_);
  }

  const char* at_;
  const char* const end_;
  RawEvent& event_;
  Scratch& scratch_;
  Notes& notes_;
  const bool any_arguments_;
  std::uint32_t seen_ = 0;
};

}  // namespace

ValueScan parse_strict(const char* at, const char* end, bool final, RawEvent& event, Scratch& scratch, Notes& notes,
                       bool any_arguments) {
  const ValueScan result = StrictParser(at, end, event, scratch, notes, any_arguments).run(final);
  if (result.status == Scan::complete && event.has_correlation && !wants_correlation(event)) {
    event.has_correlation = false;
    event.correlation = 0;
  }
  return result;
}

}  // namespace warpscope::ingest::json
