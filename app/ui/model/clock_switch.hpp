#pragma once
// Shows an open profile with rank clocks aligned or with times as recorded. Aligning the clocks requires the whole
// profile and runs on another thread; times are shown as recorded until it finishes. The alignment is kept for newer
// profiles of the same ranks, for example after ranks are unloaded.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/model/background.hpp"
#include "app/ui/model/load_words.hpp"
#include "core/analysis/ranks/clock_alignment.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// The signature of analysis::align_clocks. Callers pass in the function, so the thread tests do not depend on the
/// analyses.
using AlignClocks = std::function<analysis::ClockAlignment(
    const trace::Profile& profile, const ingest::EventLookup* events, const CancelToken& cancel)>;

class ClockSwitch {
 public:
  ClockSwitch() = default;
  ClockSwitch(const ClockSwitch&) = delete;
  ClockSwitch& operator=(const ClockSwitch&) = delete;

  /// Switches to the latest recorded profile (may be null) and collects finished work. Returns true if shown() changed.
  bool update(std::shared_ptr<const trace::Profile> recorded, const std::shared_ptr<const ingest::EventLookup>& events,
              const std::function<void()>& wake);
  [[nodiscard]] const std::shared_ptr<const trace::Profile>& shown() const { return shown_; }

  /// Sets the function that aligns clocks. Without one, times stay as recorded.
  void align_with(AlignClocks fit) { fit_ = std::move(fit); }
  /// Switches between recorded and aligned times at the next update().
  void show_recorded(bool recorded) { wants_recorded_ = recorded; }
  /// True if the clocks can be aligned.
  [[nodiscard]] bool alignable() const { return !alignment_.shifts.empty(); }
  [[nodiscard]] bool aligned() const { return alignable() && !wants_recorded_; }
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Returns a note for the top bar, such as "clocks aligned ±4 µs"; nullopt if there is nothing to report.
  [[nodiscard]] std::optional<StatusNote> note() const;

 private:
  using Identity = std::pair<std::string, std::int64_t>;              // of a rank: file and number
  using Signature = std::vector<std::pair<Identity, std::uint64_t>>;  // with its number of slices

  [[nodiscard]] static Signature signature_of(const trace::Profile& profile);
  void show();

  AlignClocks fit_;
  std::shared_ptr<const trace::Profile> recorded_;
  std::shared_ptr<const trace::Profile> shown_;
  bool wants_recorded_ = false;
  bool shows_recorded_ = true;
  Signature fitted_;  // of the profile whose clocks are or were fitted
  analysis::ClockAlignment alignment_;
  std::map<Identity, Ns> shifts_;
  Background<analysis::ClockAlignment> work_;
};

}  // namespace warpscope::ui
