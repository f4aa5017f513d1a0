#pragma once
// The open profiles and the selection. Several profiles may be open; pages see only the current one and treat a switch
// as a new profile. The selection is a slice's identity (source, offset), so it survives reloading and loading the rest
// of the directory. Each profile has its own selection.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/model/loading.hpp"
#include "app/ui/model/open_profile.hpp"
#include "app/ui/model/timeline_request.hpp"
#include "app/ui/model/unloading.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// Slices picked in a chart. The Timeline highlights them and can step through them.
struct PickedSlices {
  std::string label;                    ///< description: "step 31.2 ms to 32.0 ms"
  std::vector<trace::SliceRef> slices;  ///< longest first
};

class Session {
 public:
  /// `wake` is called from other threads when update() is needed; may be empty.
  explicit Session(LoaderFactory loader, std::function<void()> wake = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Sets the function that aligns the clocks of profiles opened later. Without one, times stay as recorded.
  void align_clocks_with(AlignClocks fit) { align_clocks_ = std::move(fit); }
  /// Sets the options for subsequent loads, except watching, which is set by open().
  void choose(const LoadChoices& choices) { choices_ = choices; }
  /// Opens another path and makes it current. A path that is already open becomes current and is reloaded if nothing
  /// could be read from it.
  void open(const std::filesystem::path& path);
  /// Like open(), but keeps the current profile if there is one. Returns the new id.
  std::uint64_t add(const std::filesystem::path& path);
  /// Opens the path returned by `make`, which runs on another thread (for example to generate the demo).
  void open_made(std::string what, std::function<Result<std::filesystem::path>()> make);
  /// No-op for an unknown id.
  void make_current(std::uint64_t id);
  /// Closes a profile and frees its memory on another thread. If it was current, the previously current profile becomes
  /// current again.
  void unload(std::uint64_t id);
  /// Reloads the path; profile() does not change until the first part of the new profile is loaded.
  void reload();
  /// Unloads the current profile.
  void close();
  /// Stops loading the current profile; keeps the part already loaded.
  void cancel();
  void cancel(std::uint64_t id);
  /// Starts or stops watching for new and growing files.
  void watch(bool on);
  /// Rereads corrupt parts of the store from the traces and waits until done.
  void mend();

  /// Updates the state from all loaders. Call once per frame; returns true if profile() changed.
  bool update();

  /// Returns the open profiles in opening order; valid until a profile is opened or closed.
  [[nodiscard]] std::vector<const OpenProfile*> all() const;
  /// Returns null for an unknown id or path.
  [[nodiscard]] const OpenProfile* find(std::uint64_t id) const { return mutable_find(id); }
  [[nodiscard]] const OpenProfile* find(const std::filesystem::path& path) const;
  /// Returns 0 if nothing is open.
  [[nodiscard]] std::uint64_t current_id() const { return current().id; }
  /// True while anything is being loaded, generated or unloaded, or clocks are being aligned.
  [[nodiscard]] bool busy() const;
  [[nodiscard]] bool unloading() const { return unloading_.busy(); }

  // All functions below refer to the current profile.
  [[nodiscard]] bool is_open() const { return current_ != nullptr; }
  [[nodiscard]] const std::filesystem::path& path() const { return current().path; }
  /// Returns the last component of the path, for the top bar.
  [[nodiscard]] std::string name() const { return current().name(); }
  /// Null until the first part is loaded. Callers may keep a copy.
  [[nodiscard]] const std::shared_ptr<const trace::Profile>& profile() const { return current().profile; }
  /// Incremented whenever profile() changes; opened() is incremented whenever another path becomes current or is
  /// reloaded.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] std::uint64_t opened() const { return opened_; }
  /// Returns the reader for slice arguments; null if nothing is open. Callers may keep a copy.
  [[nodiscard]] std::shared_ptr<const ingest::EventLookup> events() const;
  /// Clocks of the current profile.
  [[nodiscard]] const ClockSwitch& clocks() const { return current().clocks; }
  /// Shows all profiles with recorded times, or with aligned clocks where that is safe. Takes effect at the next
  /// update().
  void show_recorded_clocks(bool recorded);
  [[nodiscard]] bool recorded_clocks() const { return recorded_clocks_; }
  /// Returns the top bar's notes on background activity and clocks.
  [[nodiscard]] std::vector<StatusNote> status_notes() const;
  /// As of the last update().
  [[nodiscard]] const LoadStatus& progress() const { return current().progress; }
  /// True if the file at `path` is still being written. O(log files).
  [[nodiscard]] bool growing(const std::string& path) const;
  /// True if the file at `path` is truncated and not being written. O(log files).
  [[nodiscard]] bool unfinished(const std::string& path) const;
  [[nodiscard]] bool loading() const { return progress().running || making_.valid(); }
  /// Returns the name of the profile that open_made() is generating; empty if none.
  [[nodiscard]] const std::string& making() const { return making_what_; }

  /// Returns the selected slice if profile() contains it.
  [[nodiscard]] const std::optional<trace::SliceRef>& selection() const { return current().selection; }
  /// Returns the identity of the selected slice; empty until the slice's offset is in memory.
  [[nodiscard]] const std::optional<trace::SliceIdentity>& selected_identity() const { return current().identity; }
  /// True if a slice is selected, even if it is not in profile() or not found yet.
  [[nodiscard]] bool has_selection() const { return current().has_selection(); }
  void select(trace::SliceRef slice);
  /// Selects a slice by identity; it is resolved as soon as a profile contains it.
  void select(trace::SliceIdentity identity);
  void clear_selection();
  /// Queues a request that the Timeline handles the next time it is drawn. A requested slice is selected immediately.
  void go_to(TimelineRequest request);
  /// Returns the pending request until the Timeline takes it. Switching to another path drops the request.
  [[nodiscard]] const std::optional<TimelineRequest>& request() const { return request_; }
  [[nodiscard]] std::optional<TimelineRequest> take_request() { return std::exchange(request_, std::nullopt); }

  /// Returns the slices picked in profile(); null if none. Reset when the profile changes.
  [[nodiscard]] const std::shared_ptr<const PickedSlices>& picked() const { return picked_; }
  void pick(std::shared_ptr<const PickedSlices> slices);
  [[nodiscard]] std::uint64_t picked_generation() const { return picked_generation_; }

  /// Returns the range marked in the Timeline (ns, absolute). Other pages can be restricted to it. Reset when another
  /// path becomes current.
  [[nodiscard]] const std::optional<Interval>& marked() const { return marked_; }
  void set_marked(std::optional<Interval> range) { marked_ = range; }

  /// Incremented whenever the selected slice changes (but not when it is resolved in a new profile).
  [[nodiscard]] std::uint64_t selection_generation() const { return selection_generation_; }

  /// Returns each error from update() once, such as an unreadable path or a failure to generate the demo.
  [[nodiscard]] std::optional<Error> take_error();

 private:
  [[nodiscard]] const OpenProfile& current() const { return current_ != nullptr ? *current_ : nothing_; }
  [[nodiscard]] OpenProfile* mutable_find(std::uint64_t id) const;
  OpenProfile& take_in(const std::filesystem::path& path);
  void start(OpenProfile& one);
  void show(OpenProfile* one);
  void profile_changed();

  LoaderFactory make_loader_;
  LoadChoices choices_;
  std::function<void()> wake_;
  std::vector<std::unique_ptr<OpenProfile>> open_;
  OpenProfile* current_ = nullptr;
  const OpenProfile nothing_{};
  std::future<Result<std::filesystem::path>> making_;
  std::string making_what_;
  std::vector<Error> errors_;
  AlignClocks align_clocks_;
  bool recorded_clocks_ = false;
  std::uint64_t last_id_ = 0;
  std::uint64_t shown_ = 0;
  std::uint64_t generation_ = 0;
  std::uint64_t last_seen_ = 0;  // generation last reported by update()
  std::uint64_t opened_ = 0;
  std::uint64_t selection_generation_ = 0;
  std::shared_ptr<const PickedSlices> picked_;
  std::optional<Interval> marked_;
  std::uint64_t picked_generation_ = 0;
  std::optional<TimelineRequest> request_;
  Unloading unloading_;
};

}  // namespace warpscope::ui
