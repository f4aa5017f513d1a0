#pragma once
// The functions that SQL adds for slices:
//   arg(slice, 'Input Dims')  an argument of the slice's event, as a number if it reads as one; NULL if it has none
//   parent(slice)             the slice that directly encloses it on its track; NULL if none does
//   path(slice)               the names of the enclosing slices and its own, outermost first, joined by " / "; of GPU
//                             activity: those of its launch come first
// Arguments are not in memory: each slice is read from the store or the trace, and a query for many slices of a name
// reads them in one pass.
//   ns('12.3ms')              12300000
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ingest/load/event_lookup.hpp"
#include "core/sql/context.hpp"

struct sqlite3;

namespace warpscope::sql {

struct FunctionText {
  const char* usage;
  const char* about;

  [[nodiscard]] constexpr std::string_view name() const {
    const std::string_view text = usage;
    return text.substr(0, text.find('('));
  }
};
inline constexpr FunctionText kFunctions[]{
    {"arg(slice, name)", "An argument of the slice's event, such as `arg(id, 'Input Dims')`; NULL if it has none"},
    {"parent(slice)", "The slice that directly encloses it on its track: slice.id; NULL if there is none"},
    {"path(slice)",
     "Names of the slices that enclose it and its own, outermost first, joined by ` / `; of GPU activity, those of its "
     "launch come first"},
    {"ns(text)", "A time with a unit as ns: `start > ns('12.3ms')`"},
    {"median(x)", "The middle of the rows' values, or the mean of the two middle ones"},
    {"percentile(x, p)", "The value below which p percent (0 to 100) of the values lie, interpolated, as in NumPy"},
    {"stddev(x)", "The standard deviation of the values as a sample; NULL for one value"},
};

/// Reads arguments of slices. A query reads those of many slices one after the other, mostly of one name or category.
/// So after a few single reads of a rank, the next slices like the wanted one are read in the same pass over its file,
/// with all arguments that were wanted so far.
class ArgumentReader {
 public:
  static constexpr int kReadsAlone = 4;          // by rank
  static constexpr std::size_t kAhead = 20'000;  // slices of a pass
  static constexpr std::size_t kMostKept = 1'000'000;

  explicit ArgumentReader(Context& context) : context_(context) {}
  [[nodiscard]] Context& context() { return context_; }

  /// Returns the argument's text; null if the slice has none. Valid until the next call. Fails if the source has
  /// changed or is gone.
  [[nodiscard]] Result<const std::string*> read(trace::SliceRef slice, std::string_view argument);

 private:
  [[nodiscard]] std::vector<trace::SliceOrdinal> slices_ahead(trace::SliceRef slice) const;

  Context& context_;
  ingest::EventLookup own_;                                                     // if the context has none
  using Values = std::unordered_map<std::int64_t, std::optional<std::string>>;  // by slice_id
  std::map<std::string, Values, std::less<>> values_;                           // by argument
  std::size_t kept_ = 0;                                                        // values of all arguments
  std::unordered_map<std::uint32_t, int> reads_;                                // by rank: single reads
};

/// Adds the functions to a database. The reader must outlive it.
[[nodiscard]] bool add_functions(sqlite3* database, ArgumentReader& reader);

}  // namespace warpscope::sql
