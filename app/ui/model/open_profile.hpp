#pragma once
// An open profile: its load, the most complete profile so far, and its selection.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/clock_switch.hpp"
#include "app/ui/model/loading.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct OpenProfile {
  std::uint64_t id = 0;  ///< unique in the session, never reused
  std::filesystem::path path{};
  std::unique_ptr<ProfileLoader> loader{};
  ClockSwitch clocks{};
  std::shared_ptr<const trace::Profile> profile{};      ///< clocks.shown(); null until the first part is loaded
  LoadStatus progress{};                                ///< as of the last update
  std::vector<std::string> growing{};                   ///< paths of files still being written, sorted
  std::vector<std::string> unfinished{};                ///< paths of other truncated files, sorted
  std::optional<trace::SliceIdentity> identity{};       ///< of the selection, once its event id is in memory
  std::optional<trace::SliceRef> selection{};           ///< the selection in `profile`, if found
  std::shared_ptr<const trace::Profile> selected_in{};  ///< profile of `selected`, until `identity` is known
  trace::SliceRef selected{};
  bool resolving = false;   ///< `selection` has not been found yet, because event ids are still being loaded
  std::uint64_t shown = 0;  ///< a larger value means it was current more recently
  bool error_reported = false;

  /// Returns the last component of the path.
  [[nodiscard]] std::string name() const;
  /// Returns the memory used by the ranks, in bytes.
  [[nodiscard]] std::uint64_t resident_bytes() const { return profile ? profile->resident_bytes() : 0; }
  /// Fetches the loader's state; returns true if `profile` changed. `wake`: see Session.
  bool update(const std::function<void()>& wake);
  /// Selects a slice of `profile`; returns false if it is already selected.
  bool select(trace::SliceRef slice);
  /// Selects a slice by identity; the slice need not be loaded yet.
  bool select(trace::SliceIdentity wanted);
  void clear_selection();
  [[nodiscard]] bool has_selection() const { return identity || selected_in; }

 private:
  void identify();
  void resolve_selection();
};

}  // namespace warpscope::ui
