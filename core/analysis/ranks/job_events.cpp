#include "core/analysis/ranks/job_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "core/analysis/ranks/collective_arguments.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/base/file_group.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::analysis {

namespace {

/// CollectiveArguments::group, split into its lines.
struct GroupText {
  std::string_view name;
  std::int64_t size = 0;
  std::string_view ranks;

  explicit GroupText(std::string_view text) {
    const std::size_t first = text.find('\n');
    const std::size_t second = text.find('\n', first + 1);
    name = text.substr(0, first);
    size = parse_number<std::int64_t>(text.substr(first + 1, second - first - 1)).value_or(0);
    ranks = text.substr(second + 1);
  }

  /// Returns the member at a position in the list; nullopt if it is not listed.
  [[nodiscard]] std::optional<std::int64_t> member(std::int64_t position) const {
    std::string_view left = ranks;
    for (std::int64_t i = 0; !left.empty(); ++i) {
      const std::size_t comma = std::min(left.find(','), left.size());
      if (i == position) return parse_number<std::int64_t>(left.substr(0, comma));
      left.remove_prefix(std::min(comma + 1, left.size()));
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has(std::int64_t rank) const {
    const std::string list = fmt::format(",{},", ranks);
    return list.find(fmt::format(",{},", rank)) != std::string::npos;
  }
  /// Returns the rank number of a peer, which some versions record as its position in the group.
  [[nodiscard]] std::int64_t peer(std::int64_t recorded, std::int64_t own) const {
    if (recorded < 0 || (recorded != own && has(recorded))) return recorded;
    return member(recorded).value_or(recorded);
  }
};

class EventCollector {
 public:
  explicit EventCollector(const AnalysisInput& input)
      : input_(input), recordings_(trace::recordings_of(input.profile.ranks)) {
    job_.unknown_group.resize(input.profile.ranks.size());
  }

  void skip_to(std::uint32_t rank) { job_.first.resize(rank + std::size_t{1}, size()); }

  void add(std::uint32_t rank_index, const GpuRows::Rows& rows) {
    const trace::Rank& rank = *input_.profile.ranks[rank_index];
    const std::string_view file = file_of(rank.source.path);
    if (files_.empty() || file != file_) files_.emplace_back();
    file_ = file;
    std::vector<trace::SliceOrdinal>& slices = files_.back().emplace_back(KernelsOfRank{.rank = rank_index}).kernels;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const GpuRow& row = rows[i];
      if (row.kind != KernelClass::communication || row.time.length() < 0) continue;
      CommunicationEvent event{.time = row.time, .rank = rank_index, .slice = row.slice, .run = i};
      if (const auto step = row.launch ? step_at(rank, rank.begin(*row.launch)) : std::nullopt) event.step = *step;
      job_.events.push_back(event);
      names_.push_back(row.name);
      tracks_.push_back(row.track);
      slices.push_back(row.slice);
    }
  }

  JobEvents finish() {
    read_arguments();
    skip_to(static_cast<std::uint32_t>(input_.profile.ranks.size()));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> streams;  // by rank and track
    std::vector<std::uint32_t> streams_of(job_.ranks());
    for (std::size_t e = 0; e < job_.events.size(); ++e) {
      CommunicationEvent& event = job_.events[e];
      const CollectiveArguments& own = arguments_[e];
      event.sequence = own.sequence;
      event.in_elements = own.in_elements;
      event.out_elements = own.out_elements;
      event.element_bytes = bytes_of_type(own.type);
      if (job_.groups_recorded) {
        if (own.group == 0) {
          ++job_.unknown_group[event.rank];
          sign(event, kind_of(own.operation, names_[e]), own.type, own.in_elements, 0);
          continue;
        }
        describe(event, own, names_[e]);
      } else {
        const auto [stream, fresh] = streams.try_emplace({event.rank, tracks_[e]}, streams_of[event.rank]);
        if (fresh) ++streams_of[event.rank];
        describe_stream(event, own, names_[e], stream->second);
      }
    }
    return std::move(job_);
  }

 private:
  void read_arguments() {
    std::vector<Failure> failures(files_.size());
    parallel_for(files_.size(), analysis_threads(), [&](std::size_t f) {
      if (!cancelled(input_.cancel)) failures[f] = read_collective_arguments(input_, files_[f], texts_);
    });
    for (const Failure& failure : failures)
      if (failure && job_.unreadable.empty()) job_.unreadable = failure->message();
    arguments_.reserve(job_.events.size());
    for (const std::vector<KernelsOfRank>& file : files_)
      for (const KernelsOfRank& each : file)
        for (const trace::SliceOrdinal kernel : each.kernels) {
          const auto own = each.found.find(kernel);
          arguments_.push_back(own == each.found.end() ? CollectiveArguments() : own->second);
          job_.groups_recorded |= arguments_.back().group != 0;
        }
    files_.clear();
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(job_.events.size()); }
  [[nodiscard]] CollectiveKind kind_of(NameId operation, NameId kernel) {
    if (operation != 0) {
      const auto [known, fresh] = kind_of_operation_.try_emplace(operation, CollectiveKind::other);
      if (fresh) known->second = collective_kind_of(texts_.view(operation));
      return known->second;
    }
    const auto [known, fresh] = kind_of_kernel_.try_emplace(kernel, CollectiveKind::other);
    if (fresh) known->second = collective_kind_of(input_.profile.names().view(kernel));
    return known->second;
  }

  [[nodiscard]] std::int32_t bytes_of_type(NameId type) {
    const auto [known, fresh] = bytes_of_type_.try_emplace(type, 0);
    if (fresh) known->second = static_cast<std::int32_t>(element_bytes(texts_.view(type)));
    return known->second;
  }

  void describe(CommunicationEvent& event, const CollectiveArguments& own, NameId kernel) {
    const CollectiveKind kind = kind_of(own.operation, kernel);
    std::int64_t source = -1;
    std::int64_t destination = -1;
    if (is_point_to_point(kind)) {
      const std::int64_t number = input_.profile.ranks[event.rank]->number;
      const GroupText text(texts_.view(own.group));
      const bool sends = kind == CollectiveKind::send;
      source = sends ? number : text.peer(own.source, number);
      destination = sends ? text.peer(own.destination, number) : number;
    }
    const std::uint32_t recording = recordings_.of_rank[event.rank];
    const auto [group, new_group] =
        groups_.try_emplace(std::tuple(recording, own.group, source, destination), job_.groups.size());
    if (new_group) {
      const GroupText text(texts_.view(own.group));
      job_.groups.push_back({.recording = recording,
                             .name = std::string(text.name),
                             .size = text.size,
                             .source = source,
                             .destination = destination,
                             .point_to_point = is_point_to_point(kind)});
    }
    event.group = group->second;
    const bool varies = kind == CollectiveKind::all_to_all;
    sign(event, is_point_to_point(kind) ? CollectiveKind::send : kind, own.type, varies ? -1 : own.in_elements, 0);
  }

  void describe_stream(CommunicationEvent& event, const CollectiveArguments& own, NameId kernel, std::uint32_t stream) {
    const std::uint32_t recording = recordings_.of_rank[event.rank];
    const auto [group, fresh] =
        groups_.try_emplace(std::tuple(recording, stream, std::int64_t{-1}, std::int64_t{-1}), job_.groups.size());
    if (fresh)
      job_.groups.push_back({.recording = recording, .name = fmt::format("stream-{}", stream), .recorded = false});
    event.group = group->second;
    sign(event, kind_of(own.operation, kernel), 0, -1, kernel);
  }

  void sign(CommunicationEvent& event, CollectiveKind kind, NameId type, std::int64_t elements, NameId kernel) {
    const auto [signature, fresh] =
        signatures_.try_emplace(std::tuple(kind, type, elements, kernel), job_.signatures.size());
    if (fresh)
      job_.signatures.push_back(
          {kind, std::string(texts_.view(type)), elements, std::string(input_.profile.names().view(kernel))});
    event.signature = signature->second;
  }

  const AnalysisInput& input_;
  trace::Recordings recordings_;
  StringTable texts_;
  JobEvents job_;
  std::vector<NameId> names_;                      // by event, until finish()
  std::vector<std::uint32_t> tracks_;              // likewise
  std::vector<CollectiveArguments> arguments_;     // likewise
  std::vector<std::vector<KernelsOfRank>> files_;  // by file, until finish()
  std::string_view file_;                          // of the last rank
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t, std::int64_t>, std::uint32_t> groups_;
  std::map<std::tuple<CollectiveKind, NameId, std::int64_t, NameId>, std::uint32_t> signatures_;
  std::unordered_map<NameId, CollectiveKind> kind_of_operation_;
  std::unordered_map<NameId, std::int32_t> bytes_of_type_;
  std::unordered_map<NameId, CollectiveKind> kind_of_kernel_;
};

}  // namespace

JobEvents job_events(const AnalysisInput& input, const GpuRows& rows) {
  EventCollector collector(input);
  for (const std::uint32_t rank : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    collector.skip_to(rank);
    collector.add(rank, *rows.of(rank));
  }
  return collector.finish();
}

}  // namespace warpscope::analysis
