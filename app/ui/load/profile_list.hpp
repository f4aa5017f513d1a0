#pragma once
// State of the Load page's list: order, filter, cursor and check marks. Contains no drawing code. Profiles are
// identified by path, so the state is preserved when more profiles are found.
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
    std::size_t root = 0;  ///< index in the roots
  };

  /// Sets the rows from the scans; lists a profile found under multiple roots only once. O(n log n).
  void set_rows(std::span<const ProfileScans::Root> roots);
  /// Records details of a fully loaded profile and keeps them after it is unloaded, until its files change. No-op if
  /// the list does not contain the profile. O(n log n). `unfinished`: number of truncated files.
  void learn(const std::string& path, const trace::Profile& loaded, std::size_t unfinished);
  void set_filter(ListFilter filter);
  void sort_by(ListColumn column, bool descending);
  [[nodiscard]] ListColumn sorted_by() const { return column_; }
  [[nodiscard]] bool descending() const { return descending_; }

  /// Rows that match the filter, in order.
  [[nodiscard]] std::span<const Row> shown() const { return shown_; }
  [[nodiscard]] std::size_t all() const { return rows_.size(); }

  /// Index of the cursor in shown(); nullopt if there is no cursor.
  [[nodiscard]] std::optional<std::size_t> cursor() const;
  void set_cursor(std::size_t index);
  /// Moves the cursor by `by` rows. Without a cursor, starts at the first row, or at the last row if `by` is negative.
  /// Returns false if there are no rows.
  bool move_cursor(int by);
  void clear_cursor() { cursor_.clear(); }

  [[nodiscard]] bool checked(const std::string& path) const { return checked_.contains(path); }
  void check(const std::string& path, bool on);
  /// Checks all listed rows, or unchecks them if all are already checked.
  void check_shown();
  void clear_checks() { checked_.clear(); }
  /// Checked paths in display order, hidden ones last. O(n log n).
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
