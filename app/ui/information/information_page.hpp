#pragma once
// The Information page: facts about the job and its traces, one table per section. core/analysis computes the tables on
// another thread whenever the profile changes. Copy as CSV exports the rows of the current table that match the find
// field, with exact values.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

class InformationPage final : public Page, private Searcher {
 public:
  explicit InformationPage(AppContext& context);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& context) override;
  [[nodiscard]] bool busy() const override;
  bool escape(AppContext& context) override;
  [[nodiscard]] Searcher* searcher() override { return this; }
  void write_state(JsonWriter& writer) const override;

 private:
  struct Section {
    Table table;
    Table shown;                      // rows that match the find field
    std::vector<std::uint32_t> rows;  // indices in `table`
    TableView view;
  };
  using Tables = std::vector<Table>;

  // Shows only rows that contain all words of the query, in any column.
  void search(std::string_view query) override;
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override;
  [[nodiscard]] std::string_view hint() const override { return "Filter the tables…"; }

  void add_commands();
  void update();
  void clear();
  void filter(Section& section) const;
  void show_section(std::size_t index);
  void copy_csv();
  /// `menu`: draws a menu instead of a list, for narrow windows.
  void draw_sections(float width, bool menu);
  void draw_table(Section& section);
  void draw_row(const Section& section, float height);

  AppContext& app_;
  Background<Tables> work_;
  // Generation and id of the profile shown in the sections, and of the profile that the running job is reading. The
  // page does not hold a reference to the profile, because a hidden page could not release an unloaded profile.
  std::uint64_t shown_ = 0, shown_id_ = 0;
  std::uint64_t asked_ = 0, asked_id_ = 0;
  std::vector<Section> sections_;
  std::size_t section_ = 0;
  std::optional<std::size_t> chosen_;  // row of `shown`
  std::string query_;
  std::size_t hit_ = 0;  // 1-based, over all sections; 0: none
};

}  // namespace warpscope::ui
