#include "core/base/npz/npz_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/json_writer.hpp"
#include "core/base/time.hpp"
#include "core/base/utf8.hpp"

namespace warpscope {

namespace {

/// Longest name of a column in the archive; the unnamed result of an expression has the expression's text as its name.
constexpr std::size_t kLongestName = 10'000;

enum class Form : std::uint8_t { integer, real, text };

/// The different texts of a column, numbered in order of appearance.
class TextCodes {
 public:
  std::int32_t code(std::string_view text) {
    const auto [at, is_new] = codes_.try_emplace(text, static_cast<std::int32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return at->second;
  }
  /// Same, for text that does not outlive the call.
  std::int32_t code_of_copy(const std::string& text) {
    const auto found = codes_.find(text);
    return found != codes_.end() ? found->second : code(copies_.emplace_back(text));
  }
  [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string_view, std::int32_t> codes_;
  std::vector<std::string_view> texts_;
  std::deque<std::string> copies_;  // do not move
};

Cell cell_of_payload(CellType type, std::uint64_t payload) {
  if (type == CellType::integer) return static_cast<std::int64_t>(payload);
  return type == CellType::real ? Cell(std::bit_cast<double>(payload)) : Cell();
}

std::string text_of_number(const Cell& cell) {
  if (cell.type() == Cell::Type::integer) return std::to_string(cell.integer());
  std::string text;
  append_json_number(text, cell.number());
  return text;
}

/// Returns the form of a column without values.
Form declared_form(const Column& column) {
  if (column.kind == ColumnKind::text) return Form::text;
  const bool real = column.kind == ColumnKind::real || column.kind == ColumnKind::share;
  return real || column.csv_divisor != 1 ? Form::real : Form::integer;
}

/// Returns the form of a column and whether values are missing.
std::pair<Form, bool> form_of(const Table& table, std::size_t column) {
  const Column& of = table.columns()[column];
  std::array<bool, 4> has{};
  table.each(column, [&](CellType type, std::uint64_t /*payload*/) { has[static_cast<std::size_t>(type)] = true; });
  const auto any = [&](CellType type) { return has[static_cast<std::size_t>(type)]; };
  const bool missing = any(CellType::missing);
  if (any(CellType::text)) return {Form::text, missing};
  if (any(CellType::real) || (any(CellType::integer) && of.csv_divisor != 1)) return {Form::real, missing};
  return {any(CellType::integer) ? Form::integer : declared_form(of), missing};
}

std::string npy_header(std::string_view type, std::size_t count) {
  static_assert(std::endian::native == std::endian::little);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, count);
  constexpr std::size_t kAligned = 64;
  constexpr std::size_t kBefore = 10;  // magic, version, length
  text.append(kAligned - 1 - (kBefore + text.size()) % kAligned, ' ').append(1, '\n');
  std::string header("\x93NUMPY\1\0", 8);
  header += static_cast<char>(text.size());
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

template <class T>
void put(char*& at, T value) {
  std::memcpy(at, &value, sizeof value);
  at += sizeof value;
}

/// Writes arrays of one archive.
class NpzArchive {
 public:
  explicit NpzArchive(const ByteSink& out) : zip_(out) {}

  void add(const Table& table, const std::string& prefix);
  void add_note(const std::string& table, const std::string& note) {
    add_array<char>(table + ".note", "|u1", note.size(), [&](char* at) { std::ranges::copy(note, at); });
  }
  void finish() { zip_.finish(); }

 private:
  /// Adds an array of `count` T; `fill` receives its memory, which need not be aligned.
  template <class T, class Fill>
  void add_array(const std::string& name, std::string_view type, std::size_t count, Fill fill) {
    const std::string header = npy_header(type, count);
    zip_.add(name + ".npy", header.size() + count * sizeof(T), [&](std::span<char> into) {
      std::ranges::copy(header, into.data());
      fill(into.data() + header.size());
    });
  }
  void add_texts(const Table& table, std::size_t column, const std::string& name);

  StoredZip zip_;
};

void NpzArchive::add_texts(const Table& table, std::size_t column, const std::string& name) {
  TextCodes codes;
  std::vector<std::int32_t> known(table.texts(), -1);  // by the table's number of a text
  add_array<std::int32_t>(name, "<i4", table.rows(), [&](char* at) {
    table.each(column, [&](CellType type, std::uint64_t payload) {
      std::int32_t code = -1;
      if (type == CellType::text) {
        const std::size_t number = Table::text_number(payload);
        if (known[number] < 0) known[number] = codes.code(table.text(number));
        code = known[number];
      } else if (const Cell cell = cell_of_payload(type, payload); !cell.missing()) {
        code = codes.code_of_copy(text_of_number(csv_value(table.columns()[column], cell)));
      }
      put(at, code);
    });
  });
  std::size_t bytes = 0;
  for (const std::string_view text : codes.texts()) bytes += text.size();
  add_array<char>(name + ".utf8", "|u1", bytes, [&](char* at) {
    for (const std::string_view text : codes.texts()) at = std::ranges::copy(text, at).out;
  });
  add_array<std::int64_t>(name + ".ends", "<i8", codes.texts().size(), [&](char* at) {
    std::int64_t end = 0;
    for (const std::string_view text : codes.texts()) put(at, end += static_cast<std::int64_t>(text.size()));
  });
}

void NpzArchive::add(const Table& table, const std::string& prefix) {
  for (const auto& [csv_name, column] : csv_columns(table)) {
    const Column& of = table.columns()[column];
    const std::string name = prefix + shortened(csv_name, kLongestName);
    const auto [form, missing] = form_of(table, column);
    if (form == Form::text) {
      add_texts(table, column, name);
    } else if (form == Form::real) {
      add_array<double>(name, "<f8", table.rows(), [&, c = column](char* at) {
        table.each(c, [&](CellType type, std::uint64_t payload) {
          put(at, csv_value(of, cell_of_payload(type, payload)).number());
        });
      });
    } else {
      add_array<std::int64_t>(name, "<i8", table.rows(), [&, c = column](char* at) {
        table.each(c, [&](CellType type, std::uint64_t payload) {
          const auto value = static_cast<std::int64_t>(payload);
          put(at, type == CellType::missing ? 0 : saturating_difference(value, of.csv_zero));
        });
      });
      if (!missing) continue;
      add_array<bool>(name + ".null", "|b1", table.rows(), [&, c = column](char* at) {
        table.each(c, [&](CellType type, std::uint64_t /*payload*/) { put(at, type == CellType::missing); });
      });
    }
  }
}

}  // namespace

void write_npz(const ByteSink& out, const Table& table) {
  NpzArchive archive(out);
  archive.add(table, "");
  archive.finish();
}

void write_npz(const ByteSink& out, std::span<const NamedTable> tables) {
  NpzArchive archive(out);
  for (const auto& [name, table] : tables) {
    if (!table->note.empty()) archive.add_note(name, table->note);
    archive.add(*table, name + '/');
  }
  archive.finish();
}

}  // namespace warpscope
