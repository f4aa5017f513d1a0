#pragma once
// What is open and what is selected in it. Several profiles may be open; one of them is current, and pages see only
// that: another one becoming current is to them as another profile. The selection is a slice's identity (source,
// offset), so it survives when a fuller profile of the same directory is published, and a reload; each profile has its
// own.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/loading.hpp"
#include "app/ui/model/open_profile.hpp"
#include "app/ui/model/path_wish.hpp"
#include "app/ui/model/rank_wish.hpp"
#include "app/ui/model/unloading.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// Slices that a chart was asked for: the Timeline highlights them and goes through them.
struct PickedSlices {
  std::string label;                    ///< what they are: "step 31.2 ms to 32.0 ms"
  std::vector<trace::SliceRef> slices;  ///< longest first
};

class Session {
 public:
  /// `wake` is called from other threads when update() has something to do; may be empty.
  explicit Session(LoaderFactory loader, std::function<void()> wake = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// What the next loads are asked for, but for watching, which is for the load that open() begins.
  void choose(const LoadChoices& choices) { choices_ = choices; }
  /// Opens a path beside what is open and makes it current. One that is open already is made current, and read again if
  /// nothing could be read.
  void open(const std::filesystem::path& path);
  /// The same, but what is current stays so if there is anything. Returns its id.
  std::uint64_t add(const std::filesystem::path& path);
  /// Opens what `make` yields; it runs on another thread (the demo trace is generated so).
  void open_made(std::string what, std::function<Result<std::filesystem::path>()> make);
  /// Does nothing if there is none of that id.
  void make_current(std::uint64_t id);
  /// Closes one and gives its memory back (on another thread). If it was current, the one that was so before is again.
  void unload(std::uint64_t id);
  /// Loads the path anew; profile() stays until the first part of the new one is there.
  void reload();
  /// Unloads the current one.
  void close();
  /// Stops loading the current one; what is there stays.
  void cancel();
  void cancel(std::uint64_t id);
  /// Takes in files that appear and grow from now on, or no longer.
  void watch(bool on);
  /// Reads what turned out damaged in its store from the traces, and waits for it.
  void mend();
  /// Writes the store of what is open and waits for it, unless cancelled.
  [[nodiscard]] Result<ingest::Kept> keep_store(const CancelToken& cancel);

  /// Takes what the loaders have. Call once a frame; true if profile() is another one now.
  bool update();

  /// In the order in which they were opened; good until something is opened or closed.
  [[nodiscard]] std::vector<const OpenProfile*> all() const;
  /// Null if there is none of that id, or at that path.
  [[nodiscard]] const OpenProfile* find(std::uint64_t id) const;
  [[nodiscard]] const OpenProfile* find(const std::filesystem::path& path) const;
  /// 0 if nothing is open.
  [[nodiscard]] std::uint64_t current_id() const { return current().id; }
  /// Something is loaded, made or unloaded.
  [[nodiscard]] bool busy() const;
  /// What unloading a profile gave back, each once.
  [[nodiscard]] std::optional<Unloaded> take_unloaded() { return unloading_.take(); }
  [[nodiscard]] bool unloading() const { return unloading_.busy(); }

  // All that follows is of the current one.
  [[nodiscard]] bool is_open() const { return current_ != nullptr; }
  [[nodiscard]] const std::filesystem::path& path() const { return current().path; }
  /// Name for the top bar: the last part of the path.
  [[nodiscard]] std::string name() const { return current().name(); }
  /// Null until the first part of it is there. Holders of a copy may keep it.
  [[nodiscard]] const std::shared_ptr<const trace::Profile>& profile() const { return current().profile; }
  /// Counts up whenever profile() changes; `opened()` whenever another path became current or was reloaded.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] std::uint64_t opened() const { return opened_; }
  /// Where the arguments of slices come from; null if nothing is open. Holders of a copy may keep it.
  [[nodiscard]] std::shared_ptr<const ingest::EventLookup> events() const;
  /// As of the last update().
  [[nodiscard]] const LoadProgress& progress() const { return current().progress; }
  /// The file at `path` is still written to. O(log files).
  [[nodiscard]] bool growing(const std::string& path) const;
  /// Nobody writes to the file at `path` at the moment, and its end is missing. O(log files).
  [[nodiscard]] bool unfinished(const std::string& path) const;
  [[nodiscard]] bool loading() const { return progress().running || making_.valid(); }
  /// What open_made() makes, while it does; else empty.
  [[nodiscard]] const std::string& making() const { return making_what_; }

  /// The selected slice in profile(), if there is one and it is known there.
  [[nodiscard]] const std::optional<trace::SliceRef>& selection() const { return current().selection; }
  [[nodiscard]] const std::optional<trace::SliceIdentity>& selected_identity() const { return current().identity; }
  void select(trace::SliceRef slice);
  /// Selects by identity; found as soon as a profile has it.
  void select(trace::SliceIdentity identity);
  void clear_selection();
  /// Selects a slice and asks the Timeline to bring it into view when it is drawn next.
  void go_to(trace::SliceRef slice);
  /// Asks it to show a stretch of time (ns, absolute) and mark it; or the slices that a filter expression passes.
  void go_to(Interval range);
  void go_to(std::string filter);
  /// Asks it to find a critical path and to show it.
  void go_to(PathWish path);
  /// Asks it to show a rank, or streams of it.
  void go_to(RankWish rank);
  [[nodiscard]] std::uint64_t go_to_generation() const { return go_to_generation_; }
  /// What was asked for last, if it was not the selection.
  [[nodiscard]] const std::optional<Interval>& go_to_range() const { return go_to_range_; }
  [[nodiscard]] const std::string& go_to_filter() const { return go_to_filter_; }
  [[nodiscard]] const std::optional<PathWish>& go_to_path() const { return go_to_path_; }
  [[nodiscard]] const std::optional<RankWish>& go_to_rank() const { return go_to_rank_; }

  /// What was picked in profile(); null if nothing is. Gone with the profile it is of.
  [[nodiscard]] const std::shared_ptr<const PickedSlices>& picked() const { return picked_; }
  void pick(std::shared_ptr<const PickedSlices> slices);
  [[nodiscard]] std::uint64_t picked_generation() const { return picked_generation_; }

  /// The range marked in the Timeline, for pages that can be restricted to it. ns, absolute. Gone when another path
  /// becomes current.
  [[nodiscard]] const std::optional<Interval>& marked() const { return marked_; }
  void set_marked(std::optional<Interval> range) { marked_ = range; }

  /// Counts up whenever the selected slice changes (not when it only moved to a new profile).
  [[nodiscard]] std::uint64_t selection_generation() const { return selection_generation_; }

  /// An error of the last update(), once: nothing could be read, the demo could not be made.
  [[nodiscard]] std::optional<Error> take_error();

 private:
  [[nodiscard]] const OpenProfile& current() const { return current_ != nullptr ? *current_ : nothing_; }
  [[nodiscard]] OpenProfile* mutable_find(std::uint64_t id);
  OpenProfile& take_in(const std::filesystem::path& path);
  void start(OpenProfile& one);
  void show(OpenProfile* one);
  void profile_changed();
  void new_wish();

  LoaderFactory make_loader_;
  LoadChoices choices_;
  std::function<void()> wake_;
  std::vector<std::unique_ptr<OpenProfile>> open_;
  OpenProfile* current_ = nullptr;
  const OpenProfile nothing_{};
  std::future<Result<std::filesystem::path>> making_;
  std::string making_what_;
  std::vector<Error> errors_;
  std::uint64_t last_id_ = 0;
  std::uint64_t shown_ = 0;
  std::uint64_t generation_ = 0;
  std::uint64_t last_seen_ = 0;  // generation that update() reported
  std::uint64_t opened_ = 0;
  std::uint64_t selection_generation_ = 0;
  std::shared_ptr<const PickedSlices> picked_;
  std::optional<Interval> marked_;
  std::uint64_t picked_generation_ = 0;
  std::uint64_t go_to_generation_ = 0;
  std::optional<Interval> go_to_range_;
  std::string go_to_filter_;
  std::optional<PathWish> go_to_path_;
  std::optional<RankWish> go_to_rank_;
  Unloading unloading_;
};

}  // namespace warpscope::ui
