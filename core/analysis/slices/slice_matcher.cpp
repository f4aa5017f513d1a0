#include "core/analysis/slices/slice_matcher.hpp"

#include <limits>

namespace warpscope::analysis {

namespace {

using enum FilterField;

constexpr FieldSet kTimeFields = field_set(begin, duration);
constexpr FieldSet kLaneFields = field_set(node, rank, gpu, stream, thread, depth);
constexpr FieldSet kFamilyField = field_set(family);

Ns since(Ns t, Ns origin) {
  // Corrupt timestamps may have any value.
  return origin == std::numeric_limits<Ns>::min() ? t : saturating_add(t, -origin);
}

}  // namespace

SliceMatcher::SliceMatcher(std::shared_ptr<const trace::Profile> profile, Filter filter)
    : profile_(std::move(profile)),
      filter_(std::move(filter)),
      time_tests_(filter_.tests_on(kTimeFields)),
      lane_tests_(filter_.tests_on(kLaneFields)) {
  run_name_tests();
  run_category_tests();
}

void SliceMatcher::run_name_tests() {
  const StringTable& names = profile_->names();
  if (const TestMask tests = filter_.tests_on(field_set(name)); tests != 0) {
    by_name_.resize(names.size());
    FilterRecord record;
    for (NameId id = 0; id < by_name_.size(); ++id) {
      record.name = names.view(id);
      by_name_[id] = filter_.run(tests, record);
    }
  }
  if ((filter_.fields() & kFamilyField) != 0) {
    communication_.resize(names.size());
    for (NameId id = 0; id < communication_.size(); ++id)
      communication_[id] = trace::is_communication_name(names.view(id)) ? 1 : 0;
  }
}

void SliceMatcher::run_category_tests() {
  FilterRecord record;
  const trace::Categories& categories = profile_->categories();
  const TestMask category_tests = filter_.tests_on(field_set(category));
  const auto run = [&](trace::CategoryId id) {
    record.category = categories.name(id);
    by_category_[id] = filter_.run(category_tests, record);
  };
  // Other threads may still add categories; read only those already present.
  const std::size_t known = categories.size();
  for (std::size_t id = 0; id < known; ++id) run(static_cast<trace::CategoryId>(id));
  if (known == trace::Categories::kOverflow) run(trace::Categories::kOverflow);
  const TestMask family_tests = filter_.tests_on(kFamilyField);
  for (std::size_t i = 0; i < by_family_.size(); ++i) {
    record.family = to_string(static_cast<trace::Family>(i));
    by_family_[i] = filter_.run(family_tests, record);
  }
}

FilterRecord SliceMatcher::lane_record(std::uint32_t rank_index, std::uint32_t lane_index) const {
  const trace::Rank& rank = *profile_->ranks[rank_index];
  const trace::Track& track = rank.tracks[rank.track_of_lane(lane_index)];
  FilterRecord record;
  record.node = profile_->nodes[profile_->node_of_rank[rank_index]].label;
  record.rank = rank.number;
  record.depth = rank.lanes[lane_index].depth();
  if (track.kind == trace::TrackKind::stream) {
    record.gpu = track.process;
    record.stream = track.id;
  } else {
    if (track.device >= 0) record.gpu = rank.devices[static_cast<std::size_t>(track.device)].id;
    if (track.kind == trace::TrackKind::thread) record.thread = track.id;
  }
  return record;
}

LaneMatcher SliceMatcher::lane(std::uint32_t rank_index, std::uint32_t lane_index) const {
  FilterRecord record = lane_record(rank_index, lane_index);
  TestMask values = filter_.run(lane_tests_, record);
  if (const TestMask tests = filter_.tests_on(field_set(node)); tests != 0) {
    // Nodes also match by host name.
    record.node = profile_->nodes[profile_->node_of_rank[rank_index]].host;
    values |= filter_.run(tests, record);
  }
  return {*this, profile_->ranks[rank_index]->lanes[lane_index], values, filter_.decide(lane_tests_, values)};
}

bool SliceMatcher::matches(trace::SliceRef slice) const {
  const trace::SlicePlace place = profile_->ranks[slice.rank]->locate(slice.slice);
  return lane(slice.rank, place.lane).matches(place.index);
}

FilterRecord SliceMatcher::record(trace::SliceRef slice) const {
  const trace::Rank& rank = *profile_->ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  const trace::Lane& lane = rank.lanes[place.lane];
  FilterRecord record = lane_record(slice.rank, place.lane);
  record.name = profile_->names().view(lane.name(place.index));
  record.category = profile_->categories().name(lane.category(place.index));
  const trace::Role role = profile_->categories().role(lane.category(place.index));
  const bool communicates = trace::is_communication_name(record.name) || lane.communicates(place.index);
  record.family = to_string(trace::family_of(role, communicates));
  record.begin = since(lane.time().begin(place.index), profile_->span.begin);
  record.duration = lane.time().duration(place.index);
  return record;
}

bool LaneMatcher::ask(std::uint32_t i) const {
  const SliceMatcher& matcher = *matcher_;
  const trace::CategoryId category_id = lane_->category(i);
  TestMask values = values_ | matcher.by_category_[category_id];
  if (!matcher.by_name_.empty()) values |= matcher.by_name_[lane_->name(i)];
  if (!matcher.communication_.empty()) {
    const trace::Role role = matcher.profile_->categories().role(category_id);
    const bool communicates = matcher.communication_[lane_->name(i)] != 0 || lane_->communicates(i);
    const trace::Family of = trace::family_of(role, communicates);
    values |= matcher.by_family_[static_cast<std::size_t>(of)];
  }
  if (matcher.time_tests_ == 0) return matcher.filter_.decide(~TestMask{0}, values) == Truth::yes;
  const Truth truth = matcher.filter_.decide(~matcher.time_tests_, values);
  if (truth != Truth::unknown) return truth == Truth::yes;
  FilterRecord record;
  record.begin = since(lane_->time().begin(i), matcher.profile_->span.begin);
  record.duration = lane_->time().duration(i);
  values |= matcher.filter_.run(matcher.time_tests_, record);
  return matcher.filter_.decide(~TestMask{0}, values) == Truth::yes;
}

}  // namespace warpscope::analysis
