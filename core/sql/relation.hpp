#pragma once
// What a table offers to SQL: columns, rows, and the conditions that it can look up instead of scanning. Independent of
// SQLite; module.hpp connects it. Most tables are a PartTable (part_table.hpp).
//
// SQLite asks how expensive a query's conditions are (estimate), then opens a cursor and starts it once per lookup,
// which in the inner loop of a join is once per row. Starting therefore allocates nothing once the cursor has been
// used.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/table.hpp"

namespace warpscope::sql {

enum class FieldType : std::uint8_t { integer, real, text };
[[nodiscard]] std::string_view to_string(FieldType type);

/// Conditions on a column that the table looks up.
enum class Key : std::uint8_t {
  none,
  equal,  ///< integer = value
  range,  ///< integer =, <, <=, >, >=
  text,   ///< text = value, LIKE, GLOB
};

struct Field {
  std::string name;  ///< snake_case, unique within its table
  FieldType type = FieldType::text;
  std::string unit{};   ///< "ns", "bytes"; "" if none
  std::string about{};  ///< for the documentation
  Key key = Key::none;
  double distinct = 10;  ///< estimated number of distinct values, for keys
  bool hidden = false;   ///< a parameter of a table-valued function: WHERE field = value, or name(value)
};

/// Inclusive bounds of an integer column.
struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] bool any() const {
    return least != std::numeric_limits<std::int64_t>::min() || most != std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] bool contains(std::int64_t value) const { return least <= value && value <= most; }
};

enum class TextMatch : std::uint8_t { equal, like, glob };
struct TextBound {
  std::uint32_t field = 0;
  TextMatch match = TextMatch::equal;
  std::string text;
};

/// The conditions of one lookup. Bounds on integers are exact; SQLite checks conditions on text again.
struct Query {
  std::vector<Bounds> bounds;    ///< by field
  std::vector<TextBound> texts;  ///< of visible fields, and values of hidden ones
  int path = 0;                  ///< Estimate::path
};

/// The form of a query's conditions, without their values.
struct Plan {
  struct Use {
    std::uint32_t field = 0;
    char op = '=';  ///< '=', '<', '>', or '~' for patterns
  };
  std::vector<Use> uses;
  std::vector<std::uint32_t> order;  ///< fields by which rows are wanted, all ascending; empty: any order

  [[nodiscard]] bool has(std::uint32_t field, char op) const {
    for (const Use& use : uses)
      if (use.field == field && use.op == op) return true;
    return false;
  }
};

struct Estimate {
  double rows = 0;  ///< that the lookup returns
  double cost = 0;  ///< in rows visited
  bool one_row = false;
  bool ordered = false;  ///< rows come in Plan::order
  int path = 0;          ///< passed to Query
};

class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  /// Moves to the first row that satisfies the query. Fails if the table cannot be computed.
  [[nodiscard]] virtual Failure start(const Query& query) = 0;
  [[nodiscard]] virtual bool done() const = 0;
  virtual void next() = 0;
  /// Returns a number that identifies the row.
  [[nodiscard]] virtual std::int64_t id() const = 0;
  /// Computes a value of the current row. Text must outlive the database unless Relation::copies_text.
  [[nodiscard]] virtual Cell at(std::uint32_t field) const = 0;
};

class Relation {
 public:
  Relation() = default;
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;
  virtual ~Relation() = default;

  std::string name;
  std::string about;  ///< one or two sentences
  std::vector<Field> fields;
  bool copies_text = false;

  [[nodiscard]] virtual Estimate estimate(const Plan& plan) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Cursor> open() const = 0;
  /// Prepares `fields`, if they are not known from the start.
  [[nodiscard]] virtual Failure prepare() { return {}; }
  /// Number of rows, or an upper bound.
  [[nodiscard]] virtual double rows() const = 0;
};

}  // namespace warpscope::sql
