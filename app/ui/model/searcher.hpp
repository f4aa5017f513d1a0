#pragma once
// Interface between the top bar's find field and a searchable page.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ui {

struct SearchStatus {
  std::size_t count = 0;    ///< hits so far
  std::size_t current = 0;  ///< 1-based; 0: none chosen yet
  bool running = false;     ///< more hits may follow
  std::string error;        ///< error in the query and its position; shown at the find field
};

class Searcher {
 public:
  virtual ~Searcher() = default;
  /// Starts a search for `query`; "" ends the search.
  virtual void search(std::string_view query) = 0;
  [[nodiscard]] virtual SearchStatus status() const = 0;
  /// Goes to the next (+1) or previous (-1) hit, wrapping around.
  virtual void step(int direction) = 0;
  /// Handles Enter on a hit. If this returns false, Enter goes to the next hit.
  virtual bool enter() { return false; }

  /// Filters entered by the user; each applies until its chip is removed. Ctrl+Enter in the find field adds a filter.
  [[nodiscard]] virtual bool can_filter() const { return false; }
  [[nodiscard]] virtual std::vector<std::string> filters() const { return {}; }
  virtual void add_filter(std::string_view /*query*/) {}
  virtual void remove_filter(std::size_t /*index*/) {}
  virtual void clear_filters() {}
  /// Returns the field's placeholder text.
  [[nodiscard]] virtual std::string_view hint() const { return "Find"; }
};

}  // namespace warpscope::ui
