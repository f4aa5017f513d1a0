#pragma once
// What is open and what is selected in it. The selection is a slice's identity (source, offset), so it survives when a
// fuller profile of the same directory is published, and a reload.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/loading.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class Session {
 public:
  /// `wake` is called from other threads when update() has something to do; may be empty.
  explicit Session(LoaderFactory loader, std::function<void()> wake = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// What the next loads are asked for, but for watching, which is for the load that open() begins.
  void choose(const LoadChoices& choices) { choices_ = choices; }
  void open(const std::filesystem::path& path);
  /// Opens what `make` yields; it runs on another thread (the demo trace is generated so).
  void open_made(std::string what, std::function<Result<std::filesystem::path>()> make);
  /// Loads the path anew; profile() stays until the first part of the new one is there.
  void reload();
  void close();
  /// Stops loading; what is there stays.
  void cancel();
  /// Takes in files that appear and grow from now on, or no longer.
  void watch(bool on);
  /// Writes the store of what is open and waits for it.
  [[nodiscard]] Result<ingest::Kept> keep_store();

  /// Takes what the loader has. Call once a frame; true if profile() is another one now.
  bool update();

  [[nodiscard]] bool is_open() const { return loader_ != nullptr; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Name for the top bar: the last part of the path.
  [[nodiscard]] std::string name() const;
  /// Null until the first part of it is there. Holders of a copy may keep it.
  [[nodiscard]] const std::shared_ptr<const trace::Profile>& profile() const { return profile_; }
  /// Counts up whenever profile() changes; `opened()` whenever another path was opened, closed or reloaded.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] std::uint64_t opened() const { return opened_; }
  /// Where the arguments of slices come from; null if nothing is open. Holders of a copy may keep it.
  [[nodiscard]] std::shared_ptr<const ingest::EventLookup> events() const;
  /// As of the last update().
  [[nodiscard]] const LoadProgress& progress() const { return progress_; }
  /// The file at `path` is still written to. O(log files).
  [[nodiscard]] bool growing(const std::string& path) const;
  [[nodiscard]] bool loading() const { return progress_.running || making_.valid(); }
  /// What open_made() makes, while it does; else empty.
  [[nodiscard]] const std::string& making() const { return making_what_; }

  /// The selected slice in profile(), if there is one and it is known there.
  [[nodiscard]] const std::optional<trace::SliceRef>& selection() const { return selection_; }
  [[nodiscard]] const std::optional<trace::SliceIdentity>& selected_identity() const { return identity_; }
  void select(trace::SliceRef slice);
  /// Selects by identity; found as soon as a profile has it.
  void select(trace::SliceIdentity identity);
  void clear_selection();
  /// Counts up whenever the selected slice changes (not when it only moved to a new profile).
  [[nodiscard]] std::uint64_t selection_generation() const { return selection_generation_; }

  /// An error of the last update(), once: nothing could be read, the demo could not be made.
  [[nodiscard]] std::optional<Error> take_error();

 private:
  void start(const std::filesystem::path& path);
  void resolve_selection();

  LoaderFactory make_loader_;
  LoadChoices choices_;
  std::function<void()> wake_;
  std::filesystem::path path_;
  std::unique_ptr<ProfileLoader> loader_;
  std::shared_ptr<const trace::Profile> profile_;
  LoadProgress progress_;
  std::vector<std::string> growing_;  // paths, sorted
  std::future<Result<std::filesystem::path>> making_;
  std::string making_what_;
  std::optional<trace::SliceIdentity> identity_;
  std::optional<trace::SliceRef> selection_;
  std::optional<Error> error_;
  bool error_reported_ = false;
  std::uint64_t generation_ = 0;
  std::uint64_t last_seen_ = 0;  // generation that update() reported
  std::uint64_t opened_ = 0;
  std::uint64_t selection_generation_ = 0;
};

}  // namespace warpscope::ui
