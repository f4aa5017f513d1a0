#pragma once
// The "New histogram" popup: a field for a name, and a list of the profile's annotation families on the CPU
// and GPU that contain the typed text. Enter adds the current line of the list, otherwise the typed name; like
// annotation_samples(), a histogram interprets it as a family, a name or part of a name.
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/list_cursor.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct HistogramRequest {
  std::string annotation;
  bool gpu = false;
};

class HistogramMaker {
 public:
  /// Opens the popup on the next draw().
  void open() { wanted_ = true; }
  /// Draws a button and its popup. `families`: table of the "annotations" analysis; null until it is available.
  std::optional<HistogramRequest> draw(const AppContext& app, const Table* families);

 private:
  /// Draws the field; returns true if the user entered the name.
  bool draw_field(const AppContext& app);
  std::optional<HistogramRequest> draw_families(const AppContext& app, const Table& families);

  std::string typed_;
  ListCursor line_;  // in the list of families
  bool wanted_ = false;
};

}  // namespace warpscope::ui
