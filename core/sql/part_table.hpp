#pragma once
// Tables over the parts of a profile: a rank's tracks, a lane's slices, a counter's samples. A row is a part and an
// index in it. Conditions select a range of parts, then a range of rows in each part, by binary search; what cannot be
// searched is checked row by row (keeps) before SQLite sees it.
//
// A table is a class with
//   Search search(const Query&) const;                    the query, looked up once
//   IndexRange parts(const Search&) const;                parts that may have rows
//   IndexRange rows(uint32_t part, const Search&) const;  rows of a part that may match
//   Place place(Place, const Search&) const;              the row at a position of these ranges
//   bool keeps(Place, const Search&) const;               whether the row matches
//   int64_t id(Place) const;
//   double size() const;
//   Estimate estimate(const Plan&, const std::vector<Field>&) const;
//   Failure prepare();                                    computes what the rows are made of
// PlainTable provides all of them for a table that is scanned whole. Columns map to functions of the table and a place.
#include <algorithm>
#include <span>
#include <utility>

#include "core/sql/context.hpp"
#include "core/sql/relation.hpp"
#include "core/trace/interval_tree.hpp"

namespace warpscope::sql {

using trace::IndexRange;

struct Place {
  std::uint32_t part = 0;
  std::uint32_t row = 0;
};

template <class Table>
struct PartField {
  const char* name;
  FieldType type;
  Cell (*get)(const Table& table, Place place);
  const char* about;
  const char* unit = "";
  Key key = Key::none;
  double distinct = 10;
};

/// Estimates a lookup by dividing the rows by the distinct values of each column with a condition.
[[nodiscard]] Estimate usual_estimate(const Plan& plan, const std::vector<Field>& fields, double rows);

/// Provides the functions for a table with `count()` rows in one part, without conditions.
template <class Derived>
class PlainTable {
 public:
  explicit PlainTable(Context& context) : context_(context) {}

  struct Search {};
  [[nodiscard]] Search search(const Query& /*query*/) const { return {}; }
  [[nodiscard]] IndexRange parts(const Search& /*search*/) const { return {0, 1}; }
  [[nodiscard]] IndexRange rows(std::uint32_t /*part*/, const Search& /*search*/) const {
    return {0, static_cast<std::uint32_t>(self().count())};
  }
  template <class Found>
  [[nodiscard]] Place place(Place at, const Found& /*search*/) const {
    return at;
  }
  template <class Found>
  [[nodiscard]] bool keeps(Place /*at*/, const Found& /*search*/) const {
    return true;
  }
  [[nodiscard]] std::int64_t id(Place at) const { return static_cast<std::int64_t>(at.part) << 32 | at.row; }
  [[nodiscard]] double size() const { return static_cast<double>(self().count()); }
  [[nodiscard]] Estimate estimate(const Plan& plan, const std::vector<Field>& fields) const {
    return usual_estimate(plan, fields, self().size());
  }
  [[nodiscard]] Failure prepare() { return {}; }

  [[nodiscard]] const trace::Profile& profile() const { return context_.profile(); }
  [[nodiscard]] const trace::Rank& rank(std::uint32_t index) const { return *profile().ranks[index]; }
  /// Converts an absolute time to ns since the start of the profile, as all tables show it.
  [[nodiscard]] Cell since_start(Ns time) const { return saturating_difference(time, profile().span.begin); }

 protected:
  Context& context_;

 private:
  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }
};

template <class Table>
class PartCursor final : public Cursor {
 public:
  PartCursor(Table& table, std::span<const PartField<Table>> fields, std::uint64_t& visited)
      : table_(table), fields_(fields), visited_(visited) {}

  [[nodiscard]] Failure start(const Query& query) override {
    if (Failure failure = table_.prepare()) return failure;
    search_ = table_.search(query);
    parts_ = table_.parts(search_);
    rows_ = {};
    at_ = 0;
    --parts_.first;  // settle() moves to the first part
    settle();
    return {};
  }
  [[nodiscard]] bool done() const override { return done_; }
  void next() override {
    ++at_;
    settle();
  }
  [[nodiscard]] std::int64_t id() const override { return table_.id(place_); }
  [[nodiscard]] Cell at(std::uint32_t field) const override { return fields_[field].get(table_, place_); }

 private:
  void settle() {
    for (;;) {
      for (; at_ < rows_.last; ++at_) {
        ++visited_;
        place_ = table_.place({parts_.first, at_}, search_);
        if (table_.keeps(place_, search_)) return void(done_ = false);
      }
      if (++parts_.first >= parts_.last) return void(done_ = true);
      rows_ = table_.rows(parts_.first, search_);
      at_ = rows_.first;
    }
  }

  Table& table_;
  std::span<const PartField<Table>> fields_;
  std::uint64_t& visited_;
  typename Table::Search search_{};
  IndexRange parts_;  // the current one is first
  IndexRange rows_;
  std::uint32_t at_ = 0;
  Place place_;
  bool done_ = true;
};

template <class Table>
class PartRelation final : public Relation {
 public:
  PartRelation(const char* table_name, const char* what, std::span<const PartField<Table>> columns, Context& context,
               Table table)
      : columns_(columns), context_(context), table_(std::move(table)) {
    name = table_name;
    about = what;
    for (const PartField<Table>& column : columns)
      fields.push_back({column.name, column.type, column.unit, column.about, column.key, column.distinct});
    for (Field& field : fields)
      if (field.name == "rank") field.distinct = std::max(1.0, static_cast<double>(context.profile().ranks.size()));
  }
  [[nodiscard]] Estimate estimate(const Plan& plan) const override { return table_.estimate(plan, fields); }
  [[nodiscard]] std::unique_ptr<Cursor> open() const override {
    return std::make_unique<PartCursor<Table>>(table_, columns_, context_.visited);
  }
  [[nodiscard]] double rows() const override { return table_.size(); }

 private:
  std::span<const PartField<Table>> columns_;
  Context& context_;
  mutable Table table_;  // computes some parts on first use
};

/// Returns the relation of a table class. `columns` must outlive it.
template <class Table>
[[nodiscard]] std::unique_ptr<Relation> relation_of(const char* name, const char* about, Context& context,
                                                    std::span<const PartField<Table>> columns) {
  return std::make_unique<PartRelation<Table>>(name, about, columns, context, Table(context));
}

}  // namespace warpscope::sql
