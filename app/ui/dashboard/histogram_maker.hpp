#pragma once
// "New histogram": which annotations, on which side, of which ranks. The families that the profile has are listed with
// their counts; whatever is typed is understood as annotation_samples() does.
#include <functional>
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/list_cursor.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct HistogramWish {
  std::string annotation;
  bool gpu = false;
  std::string ranks;  ///< "0,3-5"; empty: those that the dashboard shows
};

/// What a typed word means among the families of one side.
struct TypedFamily {
  std::string name;            ///< the family of that name, else the only one that has it in its name; "" if neither
  std::size_t containing = 0;  ///< families that have it in their names, in any case
};
/// `families`: the table of the analysis "annotations".
[[nodiscard]] TypedFamily typed_family(const Table& families, std::string_view typed, bool gpu);

class HistogramMaker {
 public:
  /// Lets the popup open at the next draw().
  void open() { wanted_ = true; }
  [[nodiscard]] bool is_open() const { return open_; }
  /// A button and its popup. `families`: the table of the analysis "annotations"; null while it is not there.
  std::optional<HistogramWish> draw(const AppContext& app, const trace::Profile& profile, const Table* families);

 private:
  std::optional<HistogramWish> draw_fields(const AppContext& app, const trace::Profile& profile, const Table* families);
  std::optional<HistogramWish> draw_families(const AppContext& app, const trace::Profile& profile,
                                             const Table& families);
  /// Of what is typed.
  [[nodiscard]] std::optional<HistogramWish> made(const trace::Profile& profile, const Table* families);
  /// Nothing, and the problem told, if the ranks cannot be read.
  [[nodiscard]] std::optional<HistogramWish> wish_for(const trace::Profile& profile, std::string annotation, bool gpu);

  std::string typed_;
  std::string ranks_;
  std::string problem_;
  ListCursor line_;  // of the families
  bool gpu_ = false;
  bool wanted_ = false;
  bool open_ = false;
};

}  // namespace warpscope::ui
