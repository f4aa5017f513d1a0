#pragma once
// A rank that the Timeline is asked for: all of its tracks, or some streams. Other pages hand it to the session.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::ui {

struct RankWish {
  std::uint32_t rank = 0;               ///< index
  std::vector<std::uint32_t> tracks{};  ///< of the rank; none: the rank as a whole
  std::optional<Interval> range{};      ///< ns, absolute, to be fitted into the view; else the view stays as it is
  std::optional<Ns> moment{};           ///< ns, absolute, to be in the middle
  bool marks_range = false;             ///< the range is what was asked for, and is marked

  friend bool operator==(const RankWish&, const RankWish&) = default;
};

}  // namespace warpscope::ui
