#include "core/ingest/bytes/checkpoints.hpp"

#include <algorithm>

namespace warpscope::ingest {
namespace {

std::size_t bytes_of(const Checkpoint& point) { return point.state ? point.state->resident_bytes() : 0; }

}  // namespace

const Checkpoint* Checkpoints::before(std::uint64_t text) const {
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), text,
                       [](std::uint64_t wanted, const Checkpoint& point) { return wanted < point.text; });
  return after == points_.begin() ? nullptr : &*std::prev(after);
}

std::size_t Checkpoints::resident_bytes() const { return state_bytes_ + points_.capacity() * sizeof(Checkpoint); }

void Checkpoints::add_begin(std::uint64_t text, std::uint64_t file, bool behind_damage) {
  const bool worth_it = text > 0 && text + spacing_ / 2 >= next_due();
  if (behind_damage || worth_it) add({text, file, nullptr, 0, behind_damage});
}

void Checkpoints::add(Checkpoint point, std::size_t most_bytes) {
  state_bytes_ += bytes_of(point);
  points_.push_back(std::move(point));
  while (state_bytes_ + points_.size() * sizeof(Checkpoint) > most_bytes && points_.size() > 1) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (i % 2 == 1 || points_[i].behind_damage) points_[kept++] = std::move(points_[i]);
    if (kept == points_.size()) break;
    points_.resize(kept);
    state_bytes_ = 0;
    for (const Checkpoint& each : points_) state_bytes_ += bytes_of(each);
    spacing_ *= 2;
  }
}

}  // namespace warpscope::ingest
