#pragma once
// What the find field in the top bar drives. A page that can be searched has one of these.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ui {

struct SearchStatus {
  std::size_t count = 0;    ///< hits so far
  std::size_t current = 0;  ///< 1-based; 0: none chosen yet
  bool running = false;     ///< more may come
  std::string error;        ///< the query cannot be read: what and where; shown at the field
};

class Searcher {
 public:
  virtual ~Searcher() = default;
  /// Called when the text changed; "" ends the search.
  virtual void search(std::string_view query) = 0;
  [[nodiscard]] virtual SearchStatus status() const = 0;
  /// Goes to the next (+1) or previous (-1) hit and wraps around.
  virtual void step(int direction) = 0;
  /// Enter while a hit is chosen: what it does there instead of going on. False: it goes on.
  virtual bool enter() { return false; }

  /// Filters that stay on until their chip is removed, as the user wrote them. Ctrl+Enter in the field adds one.
  [[nodiscard]] virtual bool can_filter() const { return false; }
  [[nodiscard]] virtual std::vector<std::string> filters() const { return {}; }
  virtual void add_filter(std::string_view /*query*/) {}
  virtual void remove_filter(std::size_t /*index*/) {}
  virtual void clear_filters() {}
  /// Shown in the empty field.
  [[nodiscard]] virtual std::string_view hint() const { return "Find"; }
};

}  // namespace warpscope::ui
