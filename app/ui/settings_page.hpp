#pragma once
// What can be set, and the list of all keys.
#include "app/ui/page.hpp"

namespace warpscope::ui {

class SettingsPage : public Page {
 public:
  [[nodiscard]] std::string_view id() const override { return "settings"; }
  [[nodiscard]] std::string_view label() const override { return "Settings"; }
  [[nodiscard]] Icon icon() const override;
  void draw(AppContext& context) override;

 private:
  void draw_look(AppContext& context) const;
  void draw_timeline(AppContext& context) const;
  void draw_keys(AppContext& context) const;
};

}  // namespace warpscope::ui
