#pragma once
// The critical path shown in the Timeline.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/model/timeline_request.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::ui {

struct ShownPath {
  PathRequest request;
  std::shared_ptr<const scene::PathChain> chain;  ///< never null
  std::optional<std::size_t> segment{};           ///< segment last visited
  std::string clocks{};                           ///< for a path across ranks: a sentence about the clocks
};

}  // namespace warpscope::ui
