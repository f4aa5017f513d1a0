#pragma once
// The Current selection tab: all details of the selected slice. Its arguments are read from the source on another
// thread when it is selected, because a compressed source must be decompressed up to it.
#include <optional>
#include <string>

#include "app/ui/model/background.hpp"
#include "app/ui/timeline/panel.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "core/ingest/format/event_text.hpp"

namespace warpscope::ui {

class SelectionPanel final : public Panel {
 public:
  [[nodiscard]] std::string_view id() const override { return "selection"; }
  [[nodiscard]] std::string label(const PanelContext&) const override { return "Current selection"; }
  void draw(PanelContext& context) override;
  [[nodiscard]] bool busy() const override { return reading_.running(); }
  void forget() override {
    reading_.stop();
    event_.reset();
    read_.reset();
    shown_.reset();
    profile_.reset();
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  void update(PanelContext& context);
  void draw_facts(PanelContext& context);
  void draw_arguments(PanelContext& context);
  void fact(PanelContext& context, const char* what, std::string_view value, bool figure = false);
  void link(PanelContext& context, const char* what, trace::SliceRef slice, std::string_view after = {});
  void chain(PanelContext& context, const char* what, const std::vector<trace::SliceRef>& slices);
  [[nodiscard]] std::string as_text(const PanelContext& context) const;

  Background<Result<ingest::EventText>> reading_;
  std::optional<Result<ingest::EventText>> event_;
  analysis::SliceDetails details_;
  std::shared_ptr<const trace::Profile> profile_;  // of details_
  std::optional<trace::SliceRef> shown_;
  std::optional<trace::SliceIdentity> read_;  // slice whose arguments event_ has or reading_ reads
};

}  // namespace warpscope::ui
