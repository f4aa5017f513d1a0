#pragma once
// The Findings page, the first page shown after loading a profile. Each finding explains what wastes GPU time, how much
// it costs, how to fix it, and where to look. All rules and their verdicts are listed below the findings.
//
// Rules are evaluated on another thread once everything is loaded.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/user_rules.hpp"
#include "app/ui/findings/rule_details.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "core/base/result.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::ui {

class FindingsPage final : public Page {
 public:
  /// Maximum number of findings shown.
  static constexpr std::size_t kMostFindings = 10;

  explicit FindingsPage(AppContext& context);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& context) override;
  [[nodiscard]] bool busy() const override;
  bool escape(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;

  /// The evaluation; null until the rules are evaluated.
  [[nodiscard]] const rules::Evaluation* evaluation() const;
  /// Starts evaluating the rules if necessary, and takes the result. Call every frame.
  void update();
  /// Selects a finding and scrolls to it; no-op for a finding that is not shown.
  void choose(std::size_t finding);

 private:
  /// Returned by the job in a shared pointer, because moving an Evaluation may throw.
  struct Evaluated {
    settings::UserRules user;
    Result<rules::Evaluation> evaluation = rules::Evaluation();
    Table rules;
  };

  void add_commands();
  /// Number of findings shown.
  [[nodiscard]] std::size_t shown_findings() const;
  /// Shows a rule's details at the bottom of the page.
  void show_rule(const rules::Rule& rule);
  /// Shows one of a finding's locations in the Timeline.
  void show_place(std::size_t finding, std::size_t place);
  void copy();
  void draw_header(float width);
  void draw_finding(std::size_t index, float width);
  void draw_code(std::size_t index, float width);
  void draw_cost(const rules::Ranked& finding, float width);
  /// Draws a finding's chart at the cursor.
  void draw_evidence(std::size_t index, float width);
  void draw_places(std::size_t index, float width);
  void draw_rules(float width);

  AppContext& app_;
  Background<std::shared_ptr<const Evaluated>> work_;
  std::shared_ptr<const Evaluated> result_;
  TableView rules_view_;
  std::array<ChartView, kMostFindings> charts_;  // of the findings shown
  RuleDetails details_;                          // of the rule chosen in the list of all rules
  // Generation and id of the profile evaluated in `result_`, and of the profile that the running job is evaluating (see
  // InformationPage).
  std::uint64_t shown_ = 0, shown_id_ = 0;
  std::uint64_t asked_ = 0, asked_id_ = 0;
  std::optional<std::size_t> chosen_;  // finding at the keyboard cursor
  std::optional<std::size_t> opened_;  // finding whose locations are listed
  bool scroll_to_chosen_ = false;
  int scroll_to_details_ = 0;  // number of frames to keep scrolling: the details below are laid out one frame later
  float scroll_by_ = 0;        // in page heights; beyond ±1: to the start or end
};

}  // namespace warpscope::ui
