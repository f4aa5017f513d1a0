#pragma once
// The list of the Load page without its drawing: which profiles it shows in which order, which one the keyboard is at
// and which are checked. Profiles are known by their paths, so that all of this holds while more are found.
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/ui/load/list_filter.hpp"
#include "app/ui/load/profile_scans.hpp"

namespace warpscope::ui {

class ProfileList {
 public:
  struct Row {
    ingest::FoundProfile profile;
    std::size_t root = 0;  ///< index in the roots given
  };

  /// Takes what the scans know; a profile that lies below several roots is listed once. O(n log n).
  void set_rows(std::span<const ProfileScans::Root> roots);
  /// A profile was loaded whole: what the load knows better stays in the list, also once it is unloaded, until its
  /// files are others. Does nothing if the list does not have it. O(n log n). `unfinished`: files whose end is missing.
  void learn(const std::string& path, const trace::Profile& loaded, std::size_t unfinished);
  void set_filter(ListFilter filter);
  void sort_by(ListColumn column, bool descending);
  [[nodiscard]] ListColumn sorted_by() const { return column_; }
  [[nodiscard]] bool descending() const { return descending_; }

  /// Those that pass the filter, in order.
  [[nodiscard]] std::span<const Row> shown() const { return shown_; }
  [[nodiscard]] std::size_t all() const { return rows_.size(); }

  /// Index in shown(); nothing if there is no cursor in it.
  [[nodiscard]] std::optional<std::size_t> cursor() const;
  void set_cursor(std::size_t index);
  /// Moves by rows; to the first one if there is none. False if nothing is shown.
  bool move_cursor(int by);
  void clear_cursor() { cursor_.clear(); }

  [[nodiscard]] bool checked(const std::string& path) const { return checked_.contains(path); }
  void check(const std::string& path, bool on);
  /// Checks all that are shown; clears them if all of them are checked.
  void check_shown();
  void clear_checks() { checked_.clear(); }
  /// In the order shown; those that the filter hides come last. O(n log n).
  [[nodiscard]] std::vector<std::string> checked_paths() const;

 private:
  void refresh();

  std::vector<Row> rows_;
  std::map<std::string, ingest::FoundProfile> learned_;  // by path
  std::vector<Row> shown_;
  ListFilter filter_;
  ListColumn column_ = ListColumn::created;
  bool descending_ = true;
  std::string cursor_;
  std::set<std::string> checked_;
};

}  // namespace warpscope::ui
