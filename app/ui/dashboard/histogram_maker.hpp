#pragma once
// The "New histogram" popup for choosing annotations, side and ranks. Lists the profile's annotation families with
// their counts. Interprets typed text the same way annotation_samples() does.
#include <functional>
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
  std::string ranks;  ///< "0,3-5"; empty: ranks of the Dashboard
};

/// Annotation families on one side that match the typed text.
struct TypedFamily {
  /// The family with this exact name; otherwise the only family whose name contains the text; "" if neither exists.
  std::string name;
  std::size_t containing = 0;  ///< number of families that contain the text, ignoring case
};
/// `families`: table of the "annotations" analysis.
[[nodiscard]] TypedFamily typed_family(const Table& families, std::string_view typed, bool gpu);

class HistogramMaker {
 public:
  /// Opens the popup on the next draw().
  void open() { wanted_ = true; }
  [[nodiscard]] bool is_open() const { return open_; }
  /// Draws a button and its popup. `families`: table of the "annotations" analysis; null until it is available.
  std::optional<HistogramRequest> draw(const AppContext& app, const trace::Profile& profile, const Table* families);

 private:
  std::optional<HistogramRequest> draw_fields(const AppContext& app, const trace::Profile& profile,
                                              const Table* families);
  std::optional<HistogramRequest> draw_families(const AppContext& app, const trace::Profile& profile,
                                                const Table& families);
  /// Returns a histogram request for the typed text.
  [[nodiscard]] std::optional<HistogramRequest> made(const trace::Profile& profile, const Table* families);
  /// Returns nullopt and sets problem_ if the ranks are invalid.
  [[nodiscard]] std::optional<HistogramRequest> request_for(const trace::Profile& profile, std::string annotation,
                                                            bool gpu);

  std::string typed_;
  std::string ranks_;
  std::string problem_;
  ListCursor line_;  // in the list of families
  bool gpu_ = false;
  bool wanted_ = false;
  bool open_ = false;
};

}  // namespace warpscope::ui
