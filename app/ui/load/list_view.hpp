#pragma once
// The Load page's profile list: the user's folders, status and age filters, the table, and the estimated cost of
// loading the checked profiles.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/load/load_estimate.hpp"
#include "app/ui/load/profile_list.hpp"
#include "app/ui/load/profile_scans.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class Session;

class ListView {
 public:
  explicit ListView(std::function<void()> wake) : scans_(wake), estimate_(wake) {}

  /// Updates the list from the folders, scans and loaded profiles. Call once per frame.
  void update(const std::vector<std::string>& roots, const Session& session);
  /// Fills the available space. Returns the paths that the user asked to load in this frame.
  std::vector<std::string> draw(AppContext& context);

  /// Sets the find field's text.
  void set_query(std::string_view query);
  void set_status(std::optional<ingest::ProfileStatus> status);
  void set_age(ListAge age);
  void sort_by(ListColumn column);
  void look_again() { scans_.look_again(); }
  void move_cursor(int by);
  /// Toggles the checkbox at the cursor.
  void toggle_check();
  [[nodiscard]] ProfileList& list() { return list_; }
  [[nodiscard]] const ProfileList& list() const { return list_; }
  /// Returns the paths that the Load button would load: the checked profiles, or the profile at the cursor if none is
  /// checked.
  [[nodiscard]] std::vector<std::string> chosen() const;
  /// Returns the folder that contains the profile at the cursor. Without a cursor, returns the folder if there is only
  /// one.
  [[nodiscard]] std::optional<std::string> chosen_root() const;
  /// Clears the check marks; if there are none, clears the cursor. Returns false if there was nothing to clear.
  bool clear();
  [[nodiscard]] bool busy() const { return scans_.looking() || estimate_.busy(); }
  void write_state(JsonWriter& writer) const;

 private:
  static constexpr float kRow = 28;  ///< px at scale 1

  struct Place {
    std::size_t row = 0;
    float check_x = 0, name_x = 0, y = 0;
  };

  void refilter();
  void draw_roots(AppContext& context);
  void draw_choices(AppContext& context);
  void draw_table(AppContext& context, float height);
  void draw_row(AppContext& context, std::size_t index);
  void tell_cost(const AppContext& context);
  void draw_footer(AppContext& context);
  void take_sorting();

  ProfileScans scans_;
  LoadEstimate estimate_;
  ProfileList list_;
  std::string query_;
  std::optional<ingest::ProfileStatus> status_;
  ListAge age_ = ListAge::any;
  std::vector<std::string> roots_listed_;
  std::vector<std::string> wanted_;  // paths to load, requested in this frame
  bool scroll_to_cursor_ = false;
  bool sorting_given_ = true;                                    // the sort order must be passed to the table
  std::string footer_;                                           // cost of the load, or a hint on selecting profiles
  bool beyond_limit_ = false;                                    // the cost exceeds the memory limit
  float footer_height_ = 0;                                      // height of its lines, px
  std::map<std::uint64_t, const trace::Profile*> learned_from_;  // by session id
  std::vector<Place> places_;
  float load_x_ = 0;
  float load_y_ = 0;
};

}  // namespace warpscope::ui
