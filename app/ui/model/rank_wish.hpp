#pragma once
// Request to show all tracks or some streams of a rank in the Timeline. Other pages pass it to the session.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::ui {

struct RankWish {
  std::uint32_t rank = 0;               ///< index
  std::vector<std::uint32_t> tracks{};  ///< of the rank; empty: the whole rank
  std::optional<Interval> range{};      ///< ns, absolute; fitted into the view if given
  std::optional<Ns> moment{};           ///< ns, absolute; centred if given
  bool marks_range = false;             ///< the range is the subject of the request and is marked

  friend bool operator==(const RankWish&, const RankWish&) = default;
};

}  // namespace warpscope::ui
