#pragma once
// The Load page, the first page in the rail. Shows loaded profiles, profiles found in the user's folders, and other
// ways to open profiles.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/ui/load/list_view.hpp"
#include "app/ui/load/loaded_view.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"

namespace warpscope::ui {

class LoadPage : public Page, private Searcher {
 public:
  explicit LoadPage(AppContext& context);

  void draw(AppContext& context) override;
  [[nodiscard]] bool busy() const override { return list_.busy(); }
  bool escape(AppContext& context) override;
  [[nodiscard]] Searcher* searcher() override;
  void write_state(JsonWriter& writer) const override;
  [[nodiscard]] std::span<const Gesture> gestures() const override;

 private:
  void add_commands();
  [[nodiscard]] std::vector<std::string> roots() const;

  void search(std::string_view query) override { list_.search(query); }
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override { list_.move_cursor(direction); }
  bool enter() override;
  [[nodiscard]] std::string_view hint() const override { return "Find profiles"; }

  AppContext& context_;
  ListView list_;
  LoadedView loaded_;
};

}  // namespace warpscope::ui
