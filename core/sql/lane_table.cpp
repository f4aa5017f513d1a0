#include "core/sql/lane_table.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/analysis/request/samples.hpp"

namespace warpscope::sql {

using analysis::role_set;
using trace::Lane;
using trace::LaneKind;
using trace::Rank;
using trace::Role;
using trace::SliceOrdinal;

namespace {

/// True if a table may have slices in this lane.
bool may_have(LaneTable::Kind kind, const Rank& rank, std::uint32_t lane, const trace::Track& track) {
  if (rank.rows_of(lane) == LaneKind::instant) return false;  // markers are not slices
  switch (kind) {
    case LaneTable::Kind::slices:
      return true;
    case LaneTable::Kind::gpu_activity: {
      const LaneKind rows = rank.rows_of(lane);
      return track.kind == trace::TrackKind::stream && rows != LaneKind::gpu_annotation && rows != LaneKind::sync;
    }
    case LaneTable::Kind::annotations:
      return rank.rows_of(lane) == LaneKind::gpu_annotation || track.kind != trace::TrackKind::stream;
  }
  return false;
}

analysis::RoleSet roles_of(LaneTable::Kind kind) {
  switch (kind) {
    case LaneTable::Kind::slices:
      return static_cast<analysis::RoleSet>(~0U);
    case LaneTable::Kind::gpu_activity:
      return analysis::kRunRoles;
    case LaneTable::Kind::annotations:
      return role_set(Role::annotation, Role::gpu_annotation);
  }
  return 0;
}

bool matches(const TextBound& bound, const std::string& text) {
  switch (bound.match) {
    case TextMatch::equal:
      return text == bound.text;
    case TextMatch::like:
      return sqlite3_strlike(bound.text.c_str(), text.c_str(), 0) == 0;
    case TextMatch::glob:
      return sqlite3_strglob(bound.text.c_str(), text.c_str()) == 0;
  }
  return false;
}

/// Marks the `count` texts that match; `wanted` is empty if all were wanted so far.
template <class TextOf>
void mark(std::vector<char>& wanted, std::size_t count, const TextBound& bound, TextOf text_of) {
  if (wanted.empty()) wanted.assign(count, 1);
  for (std::size_t i = 0; i < count; ++i)
    if (wanted[i] != 0 && !matches(bound, std::string(text_of(i)))) wanted[i] = 0;
}

Bounds absolute(Bounds bounds, Ns zero) {
  if (bounds.least != std::numeric_limits<Ns>::min()) bounds.least = saturating_add(bounds.least, zero);
  if (bounds.most != std::numeric_limits<Ns>::max()) bounds.most = saturating_add(bounds.most, zero);
  return bounds;
}

}  // namespace

LaneTable::LaneTable(Context& context, Kind kind) : PlainTable(context), kind_(kind), categories_(256) {
  const analysis::RoleSet roles = roles_of(kind);
  for (std::size_t c = 0; c < categories_.size(); ++c)
    categories_[c] = (role_set(context.roles()[c]) & roles) != 0 ? 1 : 0;
  for (std::uint32_t r = 0; r < profile().ranks.size(); ++r) {
    const Rank& own = rank(r);
    first_.push_back(static_cast<std::uint32_t>(lanes_.size()));
    for (std::uint32_t t = 0; t < own.tracks.size(); ++t) {
      const trace::Track& track = own.tracks[t];
      for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
        if (!may_have(kind, own, l, track)) continue;
        lanes_.push_back({&own, &own.lanes[l], r, l, t});
        size_ += own.lanes[l].size();
      }
    }
  }
  first_.push_back(static_cast<std::uint32_t>(lanes_.size()));
}

Place LaneTable::find(trace::SliceRef slice) const {
  const trace::SlicePlace at = rank(slice.rank).locate(slice.slice);
  const auto end = lanes_.begin() + first_[slice.rank + 1];
  const auto found = std::lower_bound(lanes_.begin() + first_[slice.rank], end, at.lane,
                                      [](const LaneRef& lane, std::uint32_t index) { return lane.lane_index < index; });
  if (found == end || found->lane_index != at.lane) return {0, std::numeric_limits<std::uint32_t>::max()};
  return {static_cast<std::uint32_t>(found - lanes_.begin()), at.index};
}

void LaneTable::search_id(std::int64_t id, Search& search) const {
  search.by_id = true;
  const auto slice = slice_of(profile(), id);
  if (!slice) return;
  const Place at = find(*slice);
  if (at.row == std::numeric_limits<std::uint32_t>::max()) return;
  search.parts = {at.part, at.part + 1};
  search.one = {at.row, at.row + 1};
}

void LaneTable::search_texts(const Query& query, Search& search) const {
  const StringTable& names = profile().names();
  for (const TextBound& bound : query.texts) {
    if (bound.field == kCategory) {
      mark(search.categories, 256, bound,
           [&](std::size_t i) { return profile().categories().name(static_cast<trace::CategoryId>(i)); });
      for (std::size_t c = 0; c < categories_.size(); ++c) search.categories[c] &= categories_[c];
    } else {
      mark(search.names, names.size(), bound, [&](std::size_t i) { return names.view(static_cast<NameId>(i)); });
    }
  }
}

LaneTable::Search LaneTable::search(const Query& query) const {
  Search search;
  const auto count = static_cast<std::uint32_t>(profile().ranks.size());
  search.ranks = {0, count};
  if (query.bounds[kRank].any())
    search.ranks = ranks_numbered(profile(), query.bounds[kRank].least, query.bounds[kRank].most);
  if (query.bounds[kTrack].any()) {  // always an equality, or nothing
    const std::int64_t track = query.bounds[kTrack].least;
    const std::int64_t of = track >> 32;
    if (query.bounds[kTrack].most < track || of < search.ranks.first || of >= search.ranks.last) search.ranks = {};
    if (!search.ranks.empty()) search.ranks = {static_cast<std::uint32_t>(of), static_cast<std::uint32_t>(of) + 1};
    search.track = track & 0xFFFFFFFF;
  }
  if (search.ranks.empty()) return search;
  search.start = absolute(query.bounds[kStart], profile().span.begin);
  search.end = absolute(query.bounds[kEnd], profile().span.begin);
  if (!query.texts.empty()) search_texts(query, search);
  if (query.bounds[kId].any()) {
    if (query.bounds[kId].least == query.bounds[kId].most) search_id(query.bounds[kId].least, search);
    search.by_id = true;
  } else if (query.path == 1) {
    search.by_name = true;
    search.parts = {0, static_cast<std::uint32_t>(name_index().names.size())};
  } else {
    search.parts = {first_[search.ranks.first], first_[search.ranks.last]};
  }
  return search;
}

IndexRange LaneTable::narrowed(IndexRange rows, const Lane& lane, const Search& search) const {
  const trace::TimeColumn& time = lane.time();
  if (search.start.least != std::numeric_limits<Ns>::min()) rows.first = time.lower_bound(search.start.least);
  if (search.start.most != std::numeric_limits<Ns>::max())
    rows.last = time.lower_bound_from(rows.first, search.start.most + 1);
  if (!search.end.any() || lane.folded() || lane.kind() == LaneKind::damaged) return rows;
  // Slices of these lanes do not overlap, so their ends are sorted too.
  if (search.end.least != std::numeric_limits<Ns>::min())
    rows.first =
        std::max(rows.first, lane.tree().overlapping(search.end.least - 1, std::numeric_limits<Ns>::max()).first);
  if (search.end.most != std::numeric_limits<Ns>::max())
    rows.last = std::min(rows.last, time.lower_bound(search.end.most + 1));
  return rows;
}

IndexRange LaneTable::rows(std::uint32_t part, const Search& search) const {
  if (search.by_id) return search.one;
  if (search.by_name) {
    const NameIndex& index = name_index();
    if (!search.names.empty() && search.names[index.names[part]] == 0) return {};
    IndexRange all{static_cast<std::uint32_t>(index.first[part]), static_cast<std::uint32_t>(index.first[part + 1])};
    const auto position = [&](std::uint32_t rank_index) {
      const auto begin = index.ids.begin();
      return static_cast<std::uint32_t>(
          std::lower_bound(begin + all.first, begin + all.last, slice_id({rank_index, 0})) - begin);
    };
    const std::uint32_t last = search.ranks.last == profile().ranks.size() ? all.last : position(search.ranks.last);
    return {search.ranks.first == 0 ? all.first : position(search.ranks.first), last};
  }
  if (search.track >= 0 && lanes_[part].track != search.track) return {};
  const bool scans = search.track < 0 && !search.start.any() && !search.end.any();
  if (scans && part > search.parts.first) context_.read_ahead().start(lanes_[part].rank_index + 1, search.ranks.last);
  const Lane& lane = *lanes_[part].lane;
  return narrowed({0, lane.size()}, lane, search);
}

Place LaneTable::place(Place at, const Search& search) const {
  if (!search.by_name) return at;
  const std::int64_t id = name_index().ids[at.row];
  return find({static_cast<std::uint32_t>(id >> 32), static_cast<trace::SliceOrdinal>(id)});
}

bool LaneTable::keeps(Place at, const Search& search) const {
  const LaneRef& own = lanes_[at.part];
  const std::vector<char>& categories = search.categories.empty() ? categories_ : search.categories;
  if ((kind_ != Kind::slices || !search.categories.empty()) && categories[own.lane->category(at.row)] == 0)
    return false;
  if (!search.names.empty() && search.names[own.lane->name(at.row)] == 0) return false;
  const trace::TimeColumn& time = own.lane->time();
  if (search.end.any() && !search.end.contains(time.end(at.row))) return false;
  if (!search.by_id && !search.by_name) return true;
  if (own.rank_index < search.ranks.first || own.rank_index >= search.ranks.last) return false;
  if (search.track >= 0 && own.track != search.track) return false;
  return !search.start.any() || search.start.contains(time.begin(at.row));
}

const LaneTable::Launch& LaneTable::launch(Place at) const {
  const Rank& own = *lanes_[at.part].rank;
  const trace::SliceRef slice = ref(at);
  const bool same_rank = causes_ && slice.rank == launched_.rank;
  if (same_rank && slice.slice == launched_.slice) return launch_;
  if (!same_rank || slice.slice < launched_.slice) causes_.emplace(own.launches);  // finds ascending slices
  launched_ = slice;
  launch_ = {.connection = causes_->of(slice.slice)};
  if (launch_.connection == nullptr) return launch_;
  launch_.place = own.locate(launch_.connection->from);
  const trace::TimeColumn& time = own.lanes[launch_.place.lane].time();
  const Ns begin = time.begin(launch_.place.index);
  launch_.call = {begin, saturating_add(begin, time.duration(launch_.place.index))};
  return launch_;
}

const LaneTable::NameIndex& LaneTable::name_index() const {
  if (by_name_) return *by_name_;
  auto index = std::make_shared<NameIndex>();
  std::vector<std::size_t> next(profile().names().size());  // first a count, then a position
  const auto visit = [&](auto each) {
    for (const LaneRef& own : lanes_) {
      const SliceOrdinal first = own.rank->lane_start[own.lane_index];
      for (std::uint32_t i = 0; i < own.lane->size(); ++i)
        if (categories_[own.lane->category(i)] != 0) each(next[own.lane->name(i)], own.rank_index, first + i);
    }
  };
  visit([](std::size_t& count, std::uint32_t, SliceOrdinal) { ++count; });
  for (NameId name = 0; name < next.size(); ++name)
    if (next[name] > 0) index->names.push_back(name);
  std::ranges::sort(index->names, {}, [this](NameId name) { return name_of(name); });
  std::size_t sum = 0;
  for (const NameId name : index->names) {
    index->first.push_back(sum);
    sum += std::exchange(next[name], sum);
  }
  index->first.push_back(sum);
  index->ids.resize(sum);
  visit([&](std::size_t& at, std::uint32_t rank_index, SliceOrdinal slice) {
    index->ids[at++] = slice_id({rank_index, slice});
  });
  by_name_ = std::move(index);
  return *by_name_;
}

Estimate LaneTable::estimate(const Plan& plan, const std::vector<Field>& fields) const {
  if (plan.has(kId, '=')) return {.rows = 1, .cost = 3, .one_row = true, .ordered = true};
  double part = 1;  // of the ranks and tracks
  if (plan.has(kRank, '='))
    part /= fields[kRank].distinct;
  else if (plan.has(kRank, '<') || plan.has(kRank, '>'))
    part /= 3;
  if (plan.has(kTrack, '=')) part = std::min(part, 1 / fields[kTrack].distinct);
  const bool from = plan.has(kStart, '>') || plan.has(kEnd, '>');
  const bool to = plan.has(kStart, '<') || plan.has(kEnd, '<');
  const double window = plan.has(kStart, '=') ? 1e-6 : from && to ? 1e-3 : from || to ? 0.5 : 1;
  const bool named = plan.has(kName, '=');
  const bool pattern = plan.has(kName, '~');
  const double names = named ? 1 / fields[kName].distinct : pattern ? 0.2 : 1;
  const double category = plan.has(kCategory, '=') ? 1 / fields[kCategory].distinct : 1;
  const double rows = std::max(1.0, size_ * part * window * names * category);
  const double by_lane = static_cast<double>(lanes_.size()) * part + 0.2 * size_ * part * window + rows;
  const double by_name = fields[kName].distinct * 0.1 + 1.3 * size_ * part * names + 0.2 * rows;
  const bool wants_names = !plan.order.empty() && plan.order.front() == kName &&
                           (plan.order.size() == 1 || (plan.order.size() == 2 && plan.order[1] == kId));
  // An order by name saves a sort, which costs several times a scan.
  const bool use_names =
      size_ <= kMostIndexed && window > 0.01 && (wants_names || ((named || pattern) && by_name < by_lane));
  if (use_names) return {.rows = rows, .cost = by_name, .ordered = wants_names, .path = 1};
  const bool ids = plan.order.size() == 1 && (plan.order[0] == kId || plan.order[0] == kRank);
  const bool rank_ids = plan.order.size() == 2 && plan.order[0] == kRank && plan.order[1] == kId;
  return {.rows = rows, .cost = by_lane, .ordered = ids || rank_ids};
}

}  // namespace warpscope::sql
