#include "core/ingest/events/batch_joiner.hpp"

#include <algorithm>
#include <limits>

#include "core/base/parse_number.hpp"

namespace warpscope::ingest {

namespace {

// "4045", "-1" and "stream 7" contain a number; "Spans" gets a made-up id, negative and far from real ids.
std::int64_t number_of(std::string_view text) {
  constexpr std::string_view kStream = "stream ";
  std::string_view digits = text;
  if (digits.starts_with(kStream)) digits.remove_prefix(kStream.size());
  if (const auto number = parse_number<std::int64_t>(digits)) return *number;
  return -1'000'000'000 - static_cast<std::int64_t>(stable_hash(text));
}

/// Sets the end of a slice.
void set_end(PendingTrack& track, std::uint32_t index, Ns end) {
  PendingSlice& slice = track.slices[index];
  const Ns duration = saturating_difference(end, track.begin_of(slice, index));
  if (duration >= 0 && duration < kElsewhere && slice.distance() != PendingSlice::kFar) {
    slice.duration = static_cast<std::uint32_t>(duration);
  } else {
    slice.duration = kElsewhere;
    track.durations.emplace_back(index, duration);
  }
}

/// Iterates over the entries of `numbers` for the slices [first, last) of a batch.
class SparseCursor {
 public:
  SparseCursor(const SparseNumbers& numbers, std::uint32_t first)
      : at_(std::ranges::lower_bound(numbers, first, {}, &SparseNumbers::value_type::first)) {}
  std::int64_t next() { return (at_++)->second; }

 private:
  SparseNumbers::const_iterator at_;
};

/// Returns the median start, which a single corrupt slice cannot distort, clamped so that adding a distance cannot
/// overflow.
Ns base_for(const std::vector<BatchSlice>& slices) {
  constexpr Ns kMost = std::numeric_limits<Ns>::max() / 2;
  std::vector<Ns> begins;
  begins.reserve(slices.size());
  for (const BatchSlice& slice : slices) begins.push_back(slice.begin);
  const auto middle = begins.begin() + static_cast<std::ptrdiff_t>(begins.size() / 2);
  std::nth_element(begins.begin(), middle, begins.end());
  return std::clamp(*middle, -kMost, kMost);
}

/// Sorts by first position in the text, with diagnostics without a position last.
Diagnostics in_file_order(const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> order;
  for (const Diagnostic& entry : diagnostics.all()) order.push_back(&entry);
  std::ranges::stable_sort(order, {}, &Diagnostic::offset);
  Diagnostics sorted;
  for (const Diagnostic* entry : order)
    sorted.add(entry->code, entry->severity, entry->file, entry->offset, entry->example, entry->count);
  return sorted;
}

}  // namespace

BatchJoiner::BatchJoiner(PendingRank& rank, trace::Categories& categories, std::uint64_t most_slices)
    : rank_(rank), categories_(categories), most_slices_(most_slices) {}

std::uint32_t BatchJoiner::track_of(const SlicePlaceText& text) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(text.kind)));
  key.append(std::to_string(text.process.size())).append(1, ' ').append(text.process).append(text.thread);
  const auto [entry, fresh] = tracks_.try_emplace(std::move(key), static_cast<std::uint32_t>(rank_.tracks.size()));
  if (fresh) {
    PendingTrack& track = rank_.tracks.emplace_back();
    track.kind = text.kind;
    track.process = number_of(text.process);
    track.id = number_of(text.thread);
    track.process_text = text.process;
    track.thread_text = text.thread;
    track.base = base_.value_or(0);
  }
  return entry->second;
}

BatchJoiner::Place BatchJoiner::new_place(const SlicePlaceText& text) {
  const trace::CategoryId category = categories_.intern(text.category);
  const trace::Role role = categories_.role(category);
  return {track_of(text), category, role == trace::Role::launch || trace::is_launched(role)};
}

inline const BatchJoiner::Place& BatchJoiner::place_of(Numbers& numbers, std::uint32_t place) {
  Place& known = numbers.places[place];
  if (known.track == kUnknown) [[unlikely]]
    known = new_place(numbers.place_texts[place]);
  return known;
}

std::uint32_t BatchJoiner::name_of(Numbers& numbers, std::uint32_t name) {
  std::uint32_t& known = numbers.names[name];
  if (known == kUnknown) known = rank_.names.intern(numbers.name_texts[name]);
  return known;
}

std::uint32_t BatchJoiner::counter_of(Numbers& numbers, std::uint32_t name) {
  if (numbers.counters.size() <= name) numbers.counters.resize(name + 1, kUnknown);
  std::uint32_t& known = numbers.counters[name];
  if (known == kUnknown) {
    const auto [entry, fresh] =
        counters_.try_emplace(std::string(numbers.name_texts[name]), static_cast<std::uint32_t>(rank_.counters.size()));
    if (fresh) rank_.counters.push_back({entry->first, {}});
    known = entry->second;
  }
  return known;
}

void BatchJoiner::pass_over(std::size_t collector, const EventBatch& batch) {
  if (collector >= numbers_.size()) numbers_.resize(collector + 1);
  Numbers& numbers = numbers_[collector];
  numbers.name_texts.insert(numbers.name_texts.end(), batch.fresh_names.begin(), batch.fresh_names.end());
  numbers.names.resize(numbers.name_texts.size(), kUnknown);
  numbers.place_texts.insert(numbers.place_texts.end(), batch.fresh_places.begin(), batch.fresh_places.end());
  numbers.places.resize(numbers.place_texts.size());
}

void BatchJoiner::join(std::size_t collector, EventBatch& batch) {
  pass_over(collector, batch);
  Numbers& numbers = numbers_[collector];
  rank_.events += batch.events;
  rank_.diagnostics.merge(batch.diagnostics);
  if (!base_ && !batch.slices.empty()) {
    base_ = base_for(batch.slices);
    for (PendingTrack& track : rank_.tracks) track.base = *base_;
  }
  std::uint32_t done = 0;
  for (const BatchEdge& edge : batch.edges) {
    append(numbers, batch, done, edge.slices);
    done = edge.slices;
    apply(numbers, edge);
  }
  append(numbers, batch, done, static_cast<std::uint32_t>(batch.slices.size()));
  for (const BatchFlow& flow : batch.flows)
    (flow.of_graph ? rank_.graph_flows : rank_.flows)
        .push_back({flow.id, flow.time, place_of(numbers, flow.place).track, flow.start});
  for (const BatchSample& sample : batch.samples)
    rank_.counters[counter_of(numbers, sample.counter)].samples.emplace_back(sample.time, sample.value);
  rank_.memory.insert(rank_.memory.end(), batch.memory.begin(), batch.memory.end());
  for (ThreadName& named : batch.thread_names)
    rank_.thread_names[{std::move(named.process), std::move(named.thread)}] = std::move(named.name);
  for (auto& [key, json] : batch.metadata) rank_.metadata[std::move(key)] = std::move(json);
}

void BatchJoiner::append(Numbers& numbers, const EventBatch& batch, std::uint32_t first, std::uint32_t last) {
  SparseCursor durations(batch.durations, first);
  SparseCursor correlations(batch.correlations, first);
  SparseCursor bytes(batch.bytes, first);
  std::uint64_t room = most_slices_ - rank_.slices;
  SliceAt added = last_;
  for (std::uint32_t i = first; i < last; ++i) {
    const BatchSlice& given = batch.slices[i];
    const Place& place = place_of(numbers, given.place);
    PendingTrack& track = rank_.tracks[place.track];
    const std::uint32_t index = track.slices.size();
    // If the subtraction wraps around, the distance does not fit.
    auto distance = static_cast<Ns>(static_cast<std::uint64_t>(given.begin) - static_cast<std::uint64_t>(track.base));
    std::uint32_t duration = given.duration;
    const bool far = !PendingSlice::fits(distance);
    const bool sparse =
        duration == kElsewhere || given.correlation == kElsewhere || (given.flags() & PendingSlice::kMoves) != 0;
    if (far || sparse || room == 0) [[unlikely]] {
      const Ns full_duration = duration == kElsewhere ? durations.next() : duration;
      const std::int64_t correlation = given.correlation == kElsewhere ? correlations.next() : 0;
      const std::int64_t moved = (given.flags() & PendingSlice::kMoves) != 0 ? bytes.next() : 0;
      if (room == 0) {
        if (refused_++ == 0) first_refused_ = given.offset();
        added.track = kUnknown;
        continue;
      }
      if (far) {
        track.begins.emplace_back(index, given.begin);
        distance = PendingSlice::kFar;
        duration = kElsewhere;
      }
      if (duration == kElsewhere) track.durations.emplace_back(index, full_duration);
      if (given.correlation == kElsewhere && place.correlates) track.correlations.emplace_back(index, correlation);
      if ((given.flags() & PendingSlice::kMoves) != 0) track.bytes.emplace_back(index, moved);
    }
    PendingSlice slice(distance, place.category, given.offset(), name_of(numbers, given.name), given.flags());
    slice.duration = duration;
    if (place.correlates) slice.correlation = given.correlation;
    track.slices.push_back(slice);
    --room;
    added = {place.track, index};
  }
  rank_.slices = most_slices_ - room;
  last_ = added;
}

void BatchJoiner::apply(Numbers& numbers, const BatchEdge& edge) {
  switch (edge.kind) {
    case BatchEdge::Kind::begin:
      if (last_.track != kUnknown) rank_.tracks[last_.track].open.push_back(last_.index);
      return;
    case BatchEdge::Kind::async_begin:
      if (last_.track != kUnknown) async_open_[edge.key] = last_;
      return;
    case BatchEdge::Kind::end:
      for (const std::uint32_t place : {edge.thread_place, edge.stream_place}) {
        PendingTrack& track = rank_.tracks[place_of(numbers, place).track];
        if (track.open.empty()) continue;
        const std::uint32_t index = track.open.back();
        track.open.pop_back();
        if (edge.has_time)
          set_end(track, index, edge.time);
        else
          track.slices[index].add_flag(PendingSlice::kDamaged);
        return;
      }
      return note_lonely_end(numbers, edge);
    case BatchEdge::Kind::async_end: {
      const auto open = async_open_.find(edge.key);
      if (open == async_open_.end()) return note_lonely_end(numbers, edge);
      const SliceAt at = open->second;
      PendingTrack& track = rank_.tracks[at.track];
      if (edge.has_time) set_end(track, at.index, edge.time);
      async_open_.erase(open);
      return;
    }
  }
}

void BatchJoiner::note_lonely_end(const Numbers& numbers, const BatchEdge& edge) {
  rank_.diagnostics.add("end-without-begin", Severity::warning, rank_.file, edge.offset, numbers.name_texts[edge.name]);
}

void BatchJoiner::finish() {
  std::vector<SliceAt> open;
  for (std::uint32_t t = 0; t < rank_.tracks.size(); ++t) {
    for (const std::uint32_t index : rank_.tracks[t].open) open.push_back({t, index});
    rank_.tracks[t].open = {};
  }
  for (const auto& [key, at] : async_open_) open.push_back(at);
  async_open_.clear();
  const auto slice_at = [&](const SliceAt& at) -> PendingSlice& { return rank_.tracks[at.track].slices[at.index]; };
  std::ranges::sort(open, {}, [&](const SliceAt& at) { return slice_at(at).offset(); });
  for (const SliceAt& at : open) {
    PendingSlice& slice = slice_at(at);
    slice.add_flag(PendingSlice::kInstant);
    rank_.diagnostics.add("begin-without-end", Severity::warning, rank_.file, slice.offset(),
                          rank_.names.view(slice.name()));
  }
  if (refused_ > 0) rank_.diagnostics.add("rank-too-large", Severity::error, rank_.file, first_refused_, "", refused_);
  rank_.diagnostics = in_file_order(rank_.diagnostics);
}

}  // namespace warpscope::ingest
