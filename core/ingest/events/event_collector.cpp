#include "core/ingest/events/event_collector.hpp"

#include <optional>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/base/parse_number.hpp"
#include "core/ingest/events/copy_name.hpp"
#include "core/ingest/json/flat_arguments.hpp"
#include "core/ingest/json/number.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest {

using trace::Role;
using trace::TrackKind;

namespace {

// Offsets are stored in five bytes.
constexpr std::uint64_t kTextLimit = std::uint64_t{1} << 40;
/// Smallest id of an arrow between nodes of a CUDA graph, 2^40; correlation ids are smaller.
constexpr std::string_view kLeastGraphFlow = "1099511627776";
// Some exporters write unused log arrays of several megabytes.
constexpr std::size_t kLongestMetadata = std::size_t{1} << 20;

std::uint64_t id_of(std::string_view text) {
  if (const auto number = parse_number<std::uint64_t>(text)) return *number;
  return static_cast<std::uint64_t>(stable_hash(text)) << 32 | text.size();
}

/// Returns false if the text of a process or thread id is missing or a number that no writer uses as an id.
bool is_id(std::string_view text) {
  if (!json::is_scalar(text)) return !text.empty();  // such as "stream 7"
  return json::parse_integer(text).status == json::NumberStatus::ok || parse_number<std::uint64_t>(text);
}

/// Returns the size of a memcpy in bytes, from its arguments. If the key is repeated, the last value wins, as in any
/// JSON parser.
std::optional<std::int64_t> bytes_in(std::string_view arguments) {
  const json::Number number = json::parse_integer(argument(arguments, "bytes"));
  return number.status == json::NumberStatus::ok && number.value >= 0 ? std::optional(number.value) : std::nullopt;
}

/// Quick filter before the exact test: false if `arguments` cannot contain a key that only collectives have. Each such
/// key contains "le", a letter pair that is rare in the arguments of other kernels. Searching for the pair takes one
/// SIMD pass; searching for the keys stops at every quote, and the arguments of a kernel contain about sixty.
bool may_tell_of_collective(std::string_view arguments) {
  const char* at = arguments.data();
  std::size_t left = arguments.size();
#if defined(__SSE2__)
  const auto pairs_at = [](const char* text) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 1));
    return _mm_and_si128(_mm_cmpeq_epi8(here, _mm_set1_epi8('l')), _mm_cmpeq_epi8(next, _mm_set1_epi8('e')));
  };
  constexpr std::size_t kStep = 64;
  const bool blocks = left > kStep;
  while (left > 1 && blocks) {
    if (left <= kStep) {  // overlaps the previous block
      at -= kStep + 1 - left;
      left = kStep + 1;
    }
    const __m128i low = _mm_or_si128(pairs_at(at), pairs_at(at + 16));
    const __m128i high = _mm_or_si128(pairs_at(at + 32), pairs_at(at + 48));
    if (_mm_movemask_epi8(_mm_or_si128(low, high)) != 0) return true;
    at += kStep;
    left -= kStep;
  }
  if (blocks) return false;
#endif
  for (; left > 1; ++at, --left)
    if (at[0] == 'l' && at[1] == 'e') return true;
  return false;
}

/// Returns true if these are arguments PyTorch records for collective kernels.
bool tell_of_collective(std::string_view arguments) {
  if (!may_tell_of_collective(arguments)) return false;
  if (arguments.find("\"Collective name\"") == std::string_view::npos &&
      arguments.find(" msg nelems\"") == std::string_view::npos)
    return false;
  bool found = false;
  for_each_argument(arguments, [&](std::string_view name, std::string_view) {
    found |= name == "Collective name" || name == "In msg nelems" || name == "Out msg nelems";
  });
  return found;
}

}  // namespace

EventCollector::EventCollector(const std::string& file, SliceFields required) : file_(file), required_(required) {}

void EventCollector::note(std::string_view code, Severity severity, const RawEvent& event, std::string_view example) {
  batch_->diagnostics.add(code, severity, file_, event.offset, example);
}

std::uint32_t EventCollector::number_of_name(std::string_view name) {
  const std::uint32_t known = names_.size();
  const std::uint32_t number = names_.intern(name);
  if (names_.size() != known) batch_->fresh_names.push_back(names_.view(number));
  return number;
}

/// Uses the parser's hint about equal names.
inline std::uint32_t EventCollector::name_of(const RawEvent& event) {
  const std::uint32_t key = event.name_key;
  if (key != 0 && key < names_by_key_.size() && names_by_key_[key] != kNone) [[likely]]
    return names_by_key_[key];
  return new_name_of(event);
}

std::uint32_t EventCollector::new_name_of(const RawEvent& event) {
  const std::uint32_t number = number_of_name(event.name);
  if (event.name.empty() && event.phase == 'X' && required_ == SliceFields::all)
    note("missing-field", Severity::warning, event, event.category);
  if (event.name_key == 0) return number;
  if (event.name_key >= names_by_key_.size()) names_by_key_.resize(event.name_key + 1, kNone);
  return names_by_key_[event.name_key] = number;
}

EventCollector::Place EventCollector::known_place(Rule rule, const SlicePlaceText& text) {
  key_.assign(1, static_cast<char>('0' + static_cast<int>(rule)));
  key_.append(std::to_string(text.process.size())).append(1, ' ').append(text.process);
  key_.append(std::to_string(text.thread.size())).append(1, ' ').append(text.thread).append(text.category);
  const auto [entry, fresh] = places_.try_emplace(key_);
  Place& place = entry->second;
  if (!fresh) return place;
  const auto keep = [&](std::string_view view) { return texts_.view(texts_.intern(view)); };
  const Role role = trace::role_of_category(text.category);
  place.rule = rule;
  place.correlates = role == Role::launch || trace::is_launched(role);
  place.special = role == Role::memory_copy || role == Role::memory_set || trace::is_graph_node(role);
  place.is_node = trace::is_graph_node(role);
  place.computes = trace::is_kernel(role);
  place.tells_stream = role == Role::job && rule == Rule::by_category;
  place.incomplete = required_ == SliceFields::all && rule == Rule::by_category &&
                     (!is_id(text.process) || !is_id(text.thread) || text.category.empty());
  place.rare = place.tells_stream || place.incomplete;
  place.number = static_cast<std::uint32_t>(places_.size() - 1);
  place.process = keep(text.process);
  place.thread = keep(text.thread);
  place.category = keep(text.category);
  TrackKind kind = trace::is_on_stream(role) ? TrackKind::stream : TrackKind::thread;
  if (rule == Rule::thread) kind = TrackKind::thread;
  if (rule == Rule::stream) kind = TrackKind::stream;
  if (rule == Rule::async) kind = TrackKind::async;
  batch_->fresh_places.push_back({kind, place.process, place.thread, place.category});
  return place;
}

[[gnu::always_inline]] inline const EventCollector::Place& EventCollector::place_of(const RawEvent& event, Rule rule,
                                                                                    std::string_view category) {
  const bool alike = event.shape != 0 && event.place != 0;
  const std::size_t tail = event.thread.empty() ? 0 : static_cast<unsigned char>(event.thread.back());
  const std::size_t slot = alike ? event.shape * 37 + event.place : category.size() * 5 + event.process.size() + tail;
  Place& recent = recent_[(slot + static_cast<std::size_t>(rule) * 7) % kRecent];
  if (recent.rule == rule && alike && recent.shape == event.shape && recent.place == event.place) [[likely]]
    return recent;
  return place_by_text(event, rule, category, recent);
}

const EventCollector::Place& EventCollector::place_by_text(const RawEvent& event, Rule rule, std::string_view category,
                                                           Place& recent) {
  const bool alike = event.shape != 0 && event.place != 0;
  // Asynchronous ranges go on their category's track.
  const std::string_view thread = rule == Rule::async ? event.category : event.thread;
  if (recent.number == kNone || recent.rule != rule || recent.thread != thread || recent.process != event.process ||
      recent.category != category)
    recent = known_place(rule, {TrackKind::thread, event.process, thread, category});
  recent.shape = alike ? event.shape : 0;
  recent.place = alike ? event.place : 0;
  return recent;
}

/// On MTIA, thread ids differ from the ids of the streams that run on them. For events without a stream, the negated
/// thread id is the stream.
const EventCollector::Place& EventCollector::place_by_stream(const RawEvent& event) {
  const std::string thread = "-" + std::string(event.thread);
  const std::string_view stream = argument(event.arguments, "stream");
  return by_stream_ = known_place(Rule::stream,
                                  {TrackKind::stream, event.process, stream.empty() ? thread : stream, event.category});
}

[[gnu::always_inline]] inline bool EventCollector::add_slice(const RawEvent& event, std::uint8_t flags,
                                                             const Place& place) {
  if (event.offset >= kTextLimit) [[unlikely]] {
    note("rank-too-large", Severity::error, event, event.name);
    return false;
  }
  const auto index = static_cast<std::uint32_t>(batch_->slices.size());
  BatchSlice slice;
  slice.begin = event.time;
  slice.name = name_of(event);
  if (event.has_duration) {
    if (event.duration >= 0 && event.duration < kElsewhere) [[likely]] {
      slice.duration = static_cast<std::uint32_t>(event.duration);
    } else {
      slice.duration = kElsewhere;
      batch_->durations.emplace_back(index, event.duration);
    }
  }
  if (event.has_correlation && place.correlates && event.phase == 'X') {
    if (event.correlation >= 0 && event.correlation < kElsewhere - 1) [[likely]] {
      slice.correlation = static_cast<std::uint32_t>(event.correlation) + 1;
    } else {
      slice.correlation = kElsewhere;
      batch_->correlations.emplace_back(index, event.correlation);
    }
  }
  if (place.special) flags |= place.is_node ? add_node(event, slice) : add_copy(event, slice, index);
  if (place.computes && tell_of_collective(event.arguments)) flags |= PendingSlice::kCollective;
  if (!event.has_time) [[unlikely]] {
    flags |= PendingSlice::kDamaged;
    note("missing-time", Severity::warning, event, event.name);
  }
  slice.offset_and_flags = event.offset << 8 | flags;
  slice.place = place.number;
  batch_->slices.push_back(slice);
  return true;
}

bool EventCollector::add_rare_slice(const RawEvent& event, std::uint8_t flags, const Place& place) {
  return add_slice(event, flags, place);
}

void EventCollector::event(const RawEvent& event) {
  ++batch_->events;
  switch (event.phase) {
    case 'X': {
      const Place* place = &place_of(event, Rule::by_category, event.category);
      if (place->rare) [[unlikely]] {
        if (place->incomplete) {
          note("missing-field", Severity::warning, event, event.name);
          break;
        }
        place = &place_by_stream(event);
      }
      if (add_slice(event, 0, *place) && !event.has_duration)
        note("missing-duration", Severity::warning, event, event.name);
      break;
    }
    case 'B':
      begin_slice(event);
      break;
    case 'E':
      end_slice(event);
      break;
    case 'i':
    case 'I':
    case 'R':
    case 'n':
      add_rare_slice(event, PendingSlice::kInstant, place_of(event, Rule::thread, event.category));
      if (event.name == kMemoryEvent && event.has_time) add_memory(event);
      break;
    case 'b':
    case 'e':
      add_async(event);
      break;
    case 'C':
      add_counter(event);
      break;
    case 's':
    case 't':
    case 'f':
      add_flow(event);
      break;
    case 'M':
      add_names(event);
      break;
    case 'N':
    case 'D':
    case 'O':
      note("object-event", Severity::info, event, event.name);
      break;
    case 0:
      note("missing-phase", Severity::warning, event, event.name);
      break;
    default:
      note("unknown-phase", Severity::info, event, std::string_view(&event.phase, 1));
      break;
  }
}

/// Adds the name and byte count from the arguments of a memcpy or memset. Returns flags of the slice.
std::uint8_t EventCollector::add_copy(const RawEvent& event, BatchSlice& slice, std::uint32_t index) {
  if (is_bare_copy_name(event.name)) slice.name = number_of_name(full_copy_name(event.name, event.arguments));
  const auto bytes = bytes_in(event.arguments);
  if (bytes) batch_->bytes.emplace_back(index, *bytes);
  return bytes ? PendingSlice::kMoves : std::uint8_t{0};
}

/// The profiler writes 0 for host nodes whose launch is unknown.
std::uint8_t EventCollector::add_node(const RawEvent& event, BatchSlice& slice) {
  if (event.has_correlation && event.correlation == 0) {
    slice.correlation = 0;
    note("graph-node-without-launch", Severity::info, event, event.name);
  }
  return 0;
}

BatchEdge& EventCollector::add_edge(const RawEvent& event, BatchEdge::Kind kind) {
  BatchEdge& edge = batch_->edges.emplace_back();
  edge.kind = kind;
  edge.has_time = event.has_time;
  edge.time = event.time;
  edge.offset = event.offset;
  edge.slices = static_cast<std::uint32_t>(batch_->slices.size());
  edge.name = name_of(event);
  return edge;
}

/// Returns true if the event has a process and thread, or need not have them.
bool EventCollector::is_placed(const RawEvent& event) {
  if (required_ == SliceFields::none || (!event.process.empty() && !event.thread.empty())) return true;
  note("missing-field", Severity::warning, event, event.name);
  return false;
}

void EventCollector::begin_slice(const RawEvent& event) {
  if (!is_placed(event)) return;
  if (add_rare_slice(event, 0, place_of(event, Rule::by_category, event.category)))
    add_edge(event, BatchEdge::Kind::begin);
}

void EventCollector::end_slice(const RawEvent& event) {
  if (!is_placed(event)) return;
  // An E may omit the category, so the open B determines the track.
  const std::uint32_t thread = place_of(event, Rule::thread, {}).number;
  const std::uint32_t stream = place_of(event, Rule::stream, {}).number;
  BatchEdge& edge = add_edge(event, BatchEdge::Kind::end);
  edge.thread_place = thread;
  edge.stream_place = stream;
}

void EventCollector::add_async(const RawEvent& event) {
  const bool begins = event.phase == 'b';
  if (begins && !add_rare_slice(event, PendingSlice::kIncomplete, place_of(event, Rule::async, event.category))) return;
  BatchEdge& edge = add_edge(event, begins ? BatchEdge::Kind::async_begin : BatchEdge::Kind::async_end);
  edge.key.assign(event.category);
  edge.key.append(1, '\0').append(event.id).append(1, '\0').append(event.name);
}

void EventCollector::add_counter(const RawEvent& event) {
  if (!event.has_time) {
    note("missing-time", Severity::warning, event, event.name);
    return;
  }
  for_each_argument(event.arguments, [&](std::string_view series, std::string_view value) {
    const auto number = parse_number<double>(value);
    if (!number) return;
    key_.assign(event.name);
    if (!event.process.empty()) key_.append(" · ").append(event.process);
    if (!series.empty()) key_.append(" · ").append(series);
    batch_->samples.push_back({number_of_name(key_), static_cast<float>(*number), event.time});
  });
}

void EventCollector::add_memory(const RawEvent& event) {
  std::int64_t type = -1;
  std::int64_t device = MemorySample::kHost;
  std::int64_t change = 0;
  std::int64_t allocated = -1;
  std::int64_t reserved = -1;
  for_each_argument(event.arguments, [&](std::string_view name, std::string_view value) {
    std::int64_t* const field = name == "Device Type"       ? &type
                                : name == "Device Id"       ? &device
                                : name == "Bytes"           ? &change
                                : name == "Total Allocated" ? &allocated
                                : name == "Total Reserved"  ? &reserved
                                                            : nullptr;
    if (field == nullptr) return;
    if (const auto number = parse_number<std::int64_t>(value)) *field = *number;
  });
  const MemoryOwner owner = memory_owner(type);
  if (owner == MemoryOwner::other) return;
  if (owner == MemoryOwner::device && (device < 0 || device >= MemorySample::kHost)) return;
  MemorySample sample{.time = event.time, .bytes = allocated >= 0 ? allocated : change, .is_total = allocated >= 0};
  if (owner == MemoryOwner::device) sample.device = static_cast<std::uint32_t>(device) & MemorySample::kHost;
  if (reserved >= 0) sample.reserved = static_cast<float>(reserved);
  batch_->memory.push_back(sample);
}

void EventCollector::add_flow(const RawEvent& event) {
  // Launch → GPU activity arrows ("ac2g", "async_gpu") only duplicate the correlation ids, and have no end for runtime
  // calls that launch nothing. Forward → backward arrows and those between the nodes of a CUDA graph are the only
  // record of these connections. The ids distinguish the two kinds of "ac2g".
  const bool of_graph = event.id.size() >= kLeastGraphFlow.size() && event.category == "ac2g" &&
                        (event.id.size() > kLeastGraphFlow.size() || event.id >= kLeastGraphFlow);
  if (!of_graph && event.category != "fwdbwd" && event.name != "fwdbwd") return;
  if (event.phase == 't' || !event.has_time || !is_placed(event)) return;
  const Place& place = place_of(event, of_graph ? Rule::stream : Rule::thread, {});
  batch_->flows.push_back({id_of(event.id), event.time, place.number, event.phase == 's', of_graph});
}

void EventCollector::add_names(const RawEvent& event) {
  if (event.name != "thread_name" || !is_placed(event)) return;
  const std::string_view name = argument(event.arguments, "name");
  batch_->thread_names.push_back({std::string(event.process), std::string(event.thread),
                                  std::string(name.substr(0, name.find_last_not_of(' ') + 1))});
}

void EventCollector::metadata(std::string_view key, std::string_view json) {
  const bool used = key == "distributedInfo" || key == "deviceProperties";
  batch_->metadata.emplace_back(key, used ? json : json.substr(0, kLongestMetadata));
}

}  // namespace warpscope::ingest
