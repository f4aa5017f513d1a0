#pragma once
// The first page: open something, or see how far what is being opened is, file by file.
#include <string>
#include <vector>

#include "app/ui/page.hpp"

namespace warpscope::ui {

class LoadPage : public Page {
 public:
  [[nodiscard]] std::string_view id() const override { return "load"; }
  [[nodiscard]] std::string_view label() const override { return "Load"; }
  [[nodiscard]] Icon icon() const override;
  void draw(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;
  [[nodiscard]] std::span<const Gesture> gestures() const override;

 private:
  void draw_open(AppContext& context) const;
  void draw_recents(AppContext& context) const;
  void draw_recording(AppContext& context) const;
  void draw_current(AppContext& context);
  void draw_awaiting(const AppContext& context) const;
  void draw_files(AppContext& context);

  std::size_t files_ = 0;  // as drawn, for write_state
  std::size_t files_done_ = 0;
  std::vector<std::string> states_;
};

}  // namespace warpscope::ui
