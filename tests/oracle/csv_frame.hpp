#pragma once
// A CSV file in the form in which HTA's users read it, with columns by name and cells as text. Reads CSV written by
// pandas and by Warpscope.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/core/analysis/brute_force.hpp"

namespace warpscope::tests {

class CsvFrame {
 public:
  explicit CsvFrame(std::string_view text) {
    std::vector<std::string> row(1);
    bool quoted = false;
    bool first = true;
    const auto end_row = [&] {
      if (row.size() == 1 && row[0].empty()) return;
      if (first) {
        for (std::size_t c = 0; c < row.size(); ++c) columns_.emplace(row[c], c);
        first = false;
      } else {
        rows_.push_back(row);
      }
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (quoted) {
        if (c != '"')
          row.back() += c;
        else if (i + 1 < text.size() && text[i + 1] == '"')
          row.back() += text[++i];
        else
          quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == ',') {
        row.emplace_back();
      } else if (c == '\n') {
        end_row();
        row.assign(1, "");
      } else if (c != '\r') {
        row.back() += c;
      }
    }
    end_row();
  }
  /// Reads plain or gzip files.
  static CsvFrame read(const std::filesystem::path& path) { return CsvFrame(plain_text_of(path)); }

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] bool has(const std::string& column) const { return columns_.contains(column); }
  [[nodiscard]] const std::map<std::string, std::size_t>& columns() const { return columns_; }
  [[nodiscard]] const std::string& text(std::size_t row, const std::string& column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end()) FAIL("no column " << column);
    return rows_[row][found->second];
  }
  /// NaN for an empty cell.
  [[nodiscard]] double number(std::size_t row, const std::string& column) const {
    const std::string& cell = text(row, column);
    return cell.empty() ? std::nan("") : std::strtod(cell.c_str(), nullptr);
  }
  /// Cells of `columns`, joined; "3" and "3.0" are equal.
  [[nodiscard]] std::string key(std::size_t row, const std::vector<std::string>& columns) const {
    std::string key;
    for (const std::string& column : columns) {
      std::string cell = text(row, column);
      if (cell.ends_with(".0")) cell.resize(cell.size() - 2);
      key += (key.empty() ? "" : " | ") + cell;
    }
    return key;
  }

 private:
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace warpscope::tests
