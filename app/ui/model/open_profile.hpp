#pragma once
// One of the profiles that are open: its load, the best profile so far, and what is selected in it.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/loading.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct OpenProfile {
  std::uint64_t id = 0;  ///< of the session, never used twice
  std::filesystem::path path{};
  std::unique_ptr<ProfileLoader> loader{};
  std::shared_ptr<const trace::Profile> profile{};  ///< null until the first part of it is there
  LoadProgress progress{};                          ///< as of the last update
  std::vector<std::string> growing{};               ///< paths of files that are still written to, sorted
  std::vector<std::string> unfinished{};            ///< paths of the other files whose end is missing, sorted
  std::optional<trace::SliceIdentity> identity{};   ///< of what is selected
  std::optional<trace::SliceRef> selection{};       ///< the same in `profile`, if it is known there
  std::uint64_t shown = 0;                          ///< the higher, the later it was current
  bool error_reported = false;

  /// The last part of the path.
  [[nodiscard]] std::string name() const;
  /// Memory that its ranks take; bytes.
  [[nodiscard]] std::uint64_t resident_bytes() const { return profile ? profile->resident_bytes() : 0; }
  /// Takes what the loader has; true if `profile` is another one now.
  bool update();
  /// Finds what is selected in `profile`.
  void resolve_selection();
};

}  // namespace warpscope::ui
