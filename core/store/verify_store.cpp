#include "core/store/verify_store.hpp"

#include <algorithm>
#include <memory>

#include "core/store/reader.hpp"
#include "core/store/rows.hpp"

namespace warpscope::store {

namespace {

// Slices of a folded lane may overlap, and invalid slices are stored as recorded.
bool in_order(const Row& row) {
  const trace::TimeColumn& time = *row.time;
  const bool may_overlap = row.lane != nullptr && (row.lane->folded() || row.lane->kind() == trace::LaneKind::damaged);
  for (std::uint32_t i = 1; i < time.size(); ++i) {
    const Ns before = may_overlap ? time.begin(i - 1) : std::max(time.begin(i - 1), time.end(i - 1));
    if (time.begin(i) < before) return false;
  }
  return true;
}

bool sums_hold(const trace::IntervalTree& tree) {
  constexpr std::uint32_t kTimes = trace::TimeColumn::kBlock;
  const trace::TimeColumn& time = tree.time();
  for (std::uint32_t block = 0; block < time.blocks(); ++block) {
    trace::BusyTime sum = tree.busy_by_family_before_block(block);
    for (std::uint32_t i = block * kTimes; i < std::min((block + 1) * kTimes, time.size()); ++i) {
      const Ns length = std::max<Ns>(0, time.duration(i));
      sum.total = saturating_add(sum.total, length);
      Ns& of_family = sum.by_family[static_cast<std::size_t>(tree.family(i))];
      of_family = saturating_add(of_family, length);
    }
    const trace::BusyTime after = tree.busy_by_family_before_block(block + 1);
    if (sum.total != after.total || sum.by_family != after.by_family) return false;
  }
  return true;
}

}  // namespace

Failure verify_rank(const trace::Rank& rank, const CancelToken* cancel) {
  const Error wrong{rank.source.path, "inconsistent columns in the store", ""};
  for (const Row& row : rows_of(rank)) {
    if (cancel != nullptr && cancel->cancelled()) return std::nullopt;
    if (row.lane != nullptr) static_cast<void>(row.lane->labels());
    if (row.lane != nullptr) static_cast<void>(row.lane->offsets());
    static_cast<void>(row.time->arrays());
    if (rank.storage)
      if (auto damage = rank.storage->damage()) return damage;
    if (!in_order(row) || (row.tree != nullptr && !sums_hold(*row.tree))) return wrong;
  }
  const bool complete = rank.launches.all().size() == rank.launches.size() &&
                        rank.forward_backward.all().size() == rank.forward_backward.size() &&
                        rank.graph_edges.all().size() == rank.graph_edges.size() &&
                        rank.transfers.slices().size() == rank.transfers.size();
  if (rank.storage)
    if (auto damage = rank.storage->damage()) return damage;
  return complete ? std::nullopt : Failure(wrong);
}

Result<std::vector<VerifiedPart>> verify_parts(const std::string& path, const CancelToken* cancel) {
  std::vector<VerifiedPart> parts;
  const auto whole = open_store(path);
  if (!whole) return whole.error();
  for (std::size_t source = 0; source < whole->sources().size(); ++source) {
    if (cancel != nullptr && cancel->cancelled()) return Error{path, "the check was interrupted", ""};
    const SourceEntry& entry = whole->sources()[source];
    VerifiedPart part{entry.key.path, {}, {}, {}};
    // The file is opened separately for each source, because it records only the first corruption.
    const auto file = open_store(path);
    if (!file) return file.error();
    if (entry.rank)
      if (const auto rank = file->rank(source, std::make_shared<trace::Dictionary>())) {
        part.rank = (*rank)->number;
        part.slices = (*rank)->counts.slices;
      }
    part.wrong = file->verify_source(source, cancel);
    parts.push_back(std::move(part));
  }
  for (const auto& node : whole->each_metrics()) {
    VerifiedPart part{"system metrics", {}, {}, {}};
    if (node)
      part.path += " of " + (*node)->node();
    else
      part.wrong = node.error();
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace warpscope::store
