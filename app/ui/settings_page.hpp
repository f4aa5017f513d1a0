#pragma once
// What can be set, and the list of all keys.
#include "app/ui/page.hpp"

namespace warpscope::ui {

class StoreUsage;

class SettingsPage : public Page {
 public:
  /// `stores` must outlive the page.
  explicit SettingsPage(StoreUsage& stores) : stores_(stores) {}

  [[nodiscard]] std::string_view id() const override { return "settings"; }
  [[nodiscard]] std::string_view label() const override { return "Settings"; }
  [[nodiscard]] Icon icon() const override;
  void draw(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;

 private:
  void draw_look(AppContext& context) const;
  void draw_timeline(AppContext& context) const;
  void draw_loading(AppContext& context);
  void draw_keys(AppContext& context) const;

  StoreUsage& stores_;
  double last_drawn_ = -1;
};

}  // namespace warpscope::ui
