// Matches skeletons. Included once per instruction set, inside a separate namespace and, for code that not every
// machine can run, inside a region for that target; hence no #pragma once. The namespace must already define:
//
//   different32(a, b)      mask of 32: the bytes that differ
//   string_stops32(text)   mask of 32: quotes, backslashes, control characters and non-ASCII bytes
//   classify(text)         see below
//   before_c(text)         mask of 64: bytes followed by 'c', as the first quote of "correlation" is
//   quick_microseconds(at, value)   as parse_plain_microseconds; may always return null
//   prefix_parity(bits), ones(bits), first(bits)
//   closes(opening, closing, depth)   whether the depth may reach 0 within the block; may always return true
//
// Everything here is inlined into one function and uses only plain views from the standard library. A shared inline
// function compiled with unsupported instructions would crash if the linker chose it for all targets.

#include "core/ingest/formats/trace_events/object_kernel.hpp"

WARPSCOPE_KERNEL bool matches(const Literal& literal, const char* at) {
  if ((different32(at, literal.text) & ~literal.ignored[0]) != 0) return false;
  if (literal.length <= 32) return true;
  return (different32(at + 32, literal.text + 32) & ~literal.ignored[1]) == 0;
}

WARPSCOPE_KERNEL bool is_name(std::string_view name, const char* at, const char* end) {
  const char* known = name.data();
  std::size_t left = name.size() + 1;  // with the quote
  for (; left > 32; left -= 32, at += 32, known += 32)
    if (at >= end || different32(at, known) != 0) return false;
  return (different32(at, known) & (~std::uint32_t{0} >> (32 - left))) == 0;
}

/// Returns the closing quote of the string whose opening quote is before `at`, or null if the string is not plain
/// ASCII.
WARPSCOPE_KERNEL const char* plain_string_end(const char* at, const char* end) {
  for (; at < end; at += 32)
    if (const std::uint32_t stops = string_stops32(at); stops != 0) {
      at += first(stops);
      return *at == '"' ? at : nullptr;
    }
  return nullptr;
}

/// Skips a number without parsing it; returns the position after it, or null.
WARPSCOPE_KERNEL const char* number_end(const char* at, const char* end) {
  const char* next = at;
  while (static_cast<unsigned char>(*next - '0') < 10) ++next;
  return *next == ',' && next > at && *at != '0' ? next : skip_number_patiently(at, end);
}

WARPSCOPE_KERNEL const char* read_name(SkeletonTable& table, Skeleton& skeleton, bool quoted, const char* at,
                                       const char* end, RawEvent& event) {
  const auto index = static_cast<std::uint32_t>(&skeleton - table.skeletons);
  const std::uint32_t place = (skeleton.names[0] * 0x9e3779b1U) ^ (skeleton.names[1] * 0x85ebca6bU) ^ (index << 20);
  std::uint16_t& guess = table.name_guesses[(place ^ place >> 16) % SkeletonTable::kGuesses];
  std::uint32_t key = quoted ? guess : 0;
  const char* stop = nullptr;
  if (key != 0 && is_name(table.names[key], at, end)) {
    stop = at + table.names[key].size();
  } else {
    stop = quoted ? plain_string_end(at, end) : number_end(at, end);
    if (stop == nullptr) return nullptr;
    key = quoted ? name_key(table, at, static_cast<std::size_t>(stop - at)) : 0;
    guess = static_cast<std::uint16_t>(key);
  }
  event.name = {at, static_cast<std::size_t>(stop - at)};
  event.name_key = key;
  return stop;
}

WARPSCOPE_KERNEL const char* read_time(bool quoted, const char* at, const char* end, Ns& value) {
  const char* next = quick_microseconds(at, value);
  if (next == nullptr) next = parse_plain_microseconds(at, value);
  if (next != nullptr) return next;
  return quoted ? nullptr : other_microseconds(at, end, value);
}

WARPSCOPE_KERNEL const char* read_arguments(const SkeletonTable& table, Skeleton& skeleton, bool wanted, const char* at,
                                            const char* end, RawEvent& event) {
  if (*at != '{') return nullptr;
  const char* found = nullptr;
  const char* const next = skip_object(table, skeleton, at, end, wanted, found);
  if (next == nullptr) return nullptr;
  event.arguments = {at, static_cast<std::size_t>(next - at)};
  if (found == nullptr) return next;
  std::uint64_t number = 0;
  const char* const stop = detail::append_digits(found, number);
  const bool ends = *stop == ',' || *stop == '\n' || *stop == '}';
  if (*found == '0' || stop == found || stop - found > 18 || !ends)
    return read_correlation(found, end, event) ? next : nullptr;
  event.has_correlation = true;
  event.correlation = static_cast<std::int64_t>(number);
  return next;
}

WARPSCOPE_KERNEL const char* read_text(bool quoted, const char* at, const char* end, std::string_view& text) {
  const char* const next = quoted ? plain_string_end(at, end) : number_end(at, end);
  if (next != nullptr) text = {at, static_cast<std::size_t>(next - at)};
  return next;
}

/// Returns the position after the value that `step` expects at `at`, or null.
WARPSCOPE_KERNEL const char* read_slot(SkeletonTable& table, Skeleton& skeleton, const Step& step, const char* at,
                                       const char* end, RawEvent& event) {
  const char* next = at;
  switch (step.slot) {
    case Slot::none:
    case Slot::end:
      break;
    case Slot::name:
      next = read_name(table, skeleton, step.quoted, at, end, event);
      break;
    case Slot::process:
      next = read_text(step.quoted, at, end, event.process);
      break;
    case Slot::thread:
      next = read_text(step.quoted, at, end, event.thread);
      break;
    case Slot::id:
      next = read_text(step.quoted, at, end, event.id);
      break;
    case Slot::time:
      next = read_time(step.quoted, at, end, event.time);
      event.has_time = true;
      break;
    case Slot::duration:
      next = read_time(step.quoted, at, end, event.duration);
      event.has_duration = true;
      break;
    case Slot::arguments:
      next = read_arguments(table, skeleton, step.wants_correlation, at, end, event);
      break;
    case Slot::other_string:
      next = plain_string_end(at, end);
      if (next == nullptr) next = skip_string_patiently(at, end);
      break;
    case Slot::other_number:
      next = number_end(at, end);
      break;
    case Slot::other_nested:
      next = nullptr;
      if (const char* none = nullptr; *at == '{' || *at == '[') next = skip_nested_patiently(at, end, false, none);
      break;
  }
  return next;
}

/// Returns a skeleton that shares its first `step` steps with `tried` but has a different next step that matches the
/// text at `at`; kMost if there is none. `excluded`: bits of the skeletons already tried.
WARPSCOPE_KERNEL unsigned other_skeleton(const SkeletonTable& table, unsigned tried, unsigned step, const char* at,
                                         std::uint64_t excluded) {
  for (unsigned i = 0; i < table.count; ++i) {
    if (table.shared[tried][i] != step || (excluded >> i & 1U) != 0) continue;
    if (matches(table.skeletons[i].steps[step].literal, at)) return i;
  }
  return SkeletonTable::kMost;
}

/// Sets the event's ids if the text at `at` matches a known place. Returns the position after it, or null.
WARPSCOPE_KERNEL const char* read_place(Skeleton& skeleton, const char* at, RawEvent& event) {
  for (std::size_t i = 0; i < Skeleton::kPlaces; ++i) {
    const Place& place = skeleton.places[i];
    if (place.literal.length == 0 || !matches(place.literal, at)) continue;
    event.process = {at + place.process_at, place.process_length};
    event.thread = {at + place.thread_at, place.thread_length};
    event.place = place.id;
    skeleton.place_credit = Skeleton::kPlaceCredit;
    return at + place.literal.length;
  }
  return nullptr;
}

/// Position up to which a skeleton matched the text.
struct Progress {
  unsigned step;    ///< the first step that did not match; the number of steps if all did
  const char* at;   ///< where that step would start, or the end of the event
  const char* ids;  ///< the text of both ids if the place was unknown; otherwise null
};

/// Continues with `skeleton` where another skeleton with the same preceding steps stopped.
WARPSCOPE_KERNEL void follow(SkeletonTable& table, Skeleton& skeleton, const char* end, RawEvent& event,
                             Progress& progress) {
  const Step* const steps = skeleton.steps;
  const Step* const places = skeleton.place_step == Skeleton::kNoPlace ? nullptr : steps + skeleton.place_step;
  const Step* step = steps + progress.step;
  const char* at = progress.at;
  for (;;) {
    const char* slot = nullptr;
    if (step == places) {
      slot = read_place(skeleton, at, event);
      if (slot != nullptr) {
        step += 2;
        at = slot - step->literal.length;
      } else {
        progress.ids = at;
      }
    }
    if (slot == nullptr) {
      if (!matches(step->literal, at)) break;
      slot = at + step->literal.length;
    }
    if (slot >= end) break;  // ensures that the compared bytes are in the text
    const char* const next = read_slot(table, skeleton, *step, slot, end, event);
    if (next == nullptr) break;
    at = next;
    if (step++->slot == Slot::end) break;
  }
  progress.step = static_cast<unsigned>(step - steps);
  progress.at = at;
}

WARPSCOPE_KERNEL bool ends_entry(const char* at, const char* end) {
  while (is_space(*at)) ++at;
  return (*at == ',' || *at == ']') && at < end;
}

/// Assigns RawEvent{}, whose constructor must not be compiled here. Assigns in parts: compilers clear larger objects
/// with `rep stos`, which is slow to start.
WARPSCOPE_KERNEL void make_anew(RawEvent& event) {
  constexpr std::size_t kPart = 64;
  char* const bytes = reinterpret_cast<char*>(&event);
  static_assert(sizeof event > 2 * kPart && sizeof event <= 3 * kPart);
  __builtin_memset(bytes, 0, kPart);
  __builtin_memset(bytes + kPart, 0, kPart);
  __builtin_memset(bytes + 2 * kPart, 0, sizeof event - 2 * kPart);
}

WARPSCOPE_KERNEL const char* match_event(SkeletonTable& table, const char* at, const char* end, RawEvent& event) {
  make_anew(event);
  std::uint8_t& guess = table.successors[table.last * SkeletonTable::kMost + table.before_last];
  unsigned current = guess < table.count ? guess : 0;
  std::uint64_t tried = 0;
  Progress progress{0, at, nullptr};
  for (;;) {
    Skeleton& skeleton = table.skeletons[current];
    follow(table, skeleton, end, event, progress);
    if (progress.step == skeleton.count) break;
    tried |= std::uint64_t{1} << current;
    current = other_skeleton(table, current, progress.step, progress.at, tried);
    if (current == SkeletonTable::kMost) return nullptr;
    const unsigned place_step = table.skeletons[current].place_step;
    if (progress.step <= skeleton.place_step || place_step != skeleton.place_step) progress.ids = nullptr;
  }
  Skeleton& skeleton = table.skeletons[current];
  at = progress.at;
  if (*at != ',' && !ends_entry(at, end)) return nullptr;  // follow() ends before `end`
  if (progress.ids != nullptr) remember_place(table, skeleton, progress.ids, event);
  skeleton.names[1] = skeleton.names[0];
  skeleton.names[0] = event.name_key;
  event.phase = skeleton.phase;
  event.category = {skeleton.category, skeleton.category_length};
  event.shape = skeleton.shape;
  if (event.has_correlation && !skeleton.keeps_correlation) {
    event.has_correlation = false;
    event.correlation = 0;
  }
  guess = static_cast<std::uint8_t>(current);
  table.before_last = table.last;
  table.last = current;
  return at;
}
