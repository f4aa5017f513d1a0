#pragma once
// Named queries and the history. The user's are `.sql` files in the folder `queries` next to the settings, and their
// first line is their title, as a comment; the others are the recipes that come with the program. The history is a
// file with one query per line. Without a folder, everything lasts until the window closes.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/background.hpp"
#include "core/base/result.hpp"

namespace warpscope::ui {

struct NamedQuery {
  std::string title;
  std::string about;  ///< "" for the user's
  std::string text;
  std::filesystem::path file;  ///< empty for recipes
};

/// Returns the title in a query's first line; "" if it has none.
[[nodiscard]] std::string title_in(std::string_view text);
/// Returns the query with this title as its first line, instead of the one it has.
[[nodiscard]] std::string with_title(std::string_view text, std::string_view title);

class QueryFiles {
 public:
  static constexpr std::size_t kMostRemembered = 200;

  QueryFiles(std::filesystem::path folder, std::function<void()> wake);

  /// Reads the files on another thread.
  void read();
  /// Call once per frame; returns true if the lists have changed.
  bool update();
  [[nodiscard]] bool busy() const { return reading_.running(); }

  /// Returns the user's queries by title, then the recipes.
  [[nodiscard]] const std::vector<NamedQuery>& all() const { return all_; }
  /// Returns the user's query with this title; null if there is none.
  [[nodiscard]] const NamedQuery* find_saved(std::string_view title) const;
  /// Saves the query under its title, over the user's query of that title.
  [[nodiscard]] Failure save(const std::string& text);
  [[nodiscard]] Failure remove(const std::filesystem::path& file);

  /// Returns earlier queries, the latest first.
  [[nodiscard]] const std::vector<std::string>& history() const { return history_; }
  /// Moves a query to the front of the history. Fails if the file cannot be written.
  Failure remember(const std::string& text);

 private:
  struct Contents {
    std::vector<NamedQuery> saved;
    std::vector<std::string> history;
  };
  void list(std::vector<NamedQuery> saved);

  std::filesystem::path folder_;
  std::function<void()> wake_;
  std::vector<NamedQuery> all_;
  std::vector<std::string> history_;
  Background<Contents> reading_;
};

}  // namespace warpscope::ui
