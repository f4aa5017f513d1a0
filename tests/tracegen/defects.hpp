#pragma once
// Defects that a generated trace may have. Each one occurs in files of real exporters. Each affects the file of one
// rank only (the last by default), so that a test can check that the rest of the directory loads.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpscope::tracegen {

enum class Defect : std::uint8_t {
  truncated,
  truncated_stream,
  bare_quote,
  backslash,
  control_char,
  bad_utf8,
  inf_nan,
  trailing_comma,
  no_closing_bracket,
  top_level_array,
  string_numbers,
  negative_duration,
  absurd_duration,
  zero_begin,
  overlap,
  duplicate_correlation,
  missing_launch,
  graph_launch,
  missing_rank,
  duplicate_rank,
  empty_file,
  foreign_file,
  base_after_events,
  clock_apart,
  begin_end,
  async,
  counters,
};

/// Command line name and a one-sentence description.
struct DefectInfo {
  Defect defect;
  std::string_view name;
  std::string_view what;
};

/// All defects in enumeration order.
[[nodiscard]] std::span<const DefectInfo> all_defects();

[[nodiscard]] std::optional<Defect> find_defect(std::string_view name);

/// A defect and the rank whose file has it.
struct DefectAt {
  static constexpr int kLastRank = -1;
  static constexpr int kEveryRank = -2;
  Defect defect{};
  int rank = kLastRank;
};

/// Parses "NAME", "NAME@RANK" or "NAME@all"; nullopt for anything else.
[[nodiscard]] std::optional<DefectAt> parse_defect(std::string_view text);

/// Defects of one file.
class DefectSet {
 public:
  void add(Defect defect) { bits_ |= 1U << static_cast<unsigned>(defect); }
  [[nodiscard]] bool has(Defect defect) const { return (bits_ >> static_cast<unsigned>(defect) & 1U) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

/// Returns the defects of `rank` in a job of `world` ranks.
[[nodiscard]] DefectSet defects_of(std::span<const DefectAt> defects, int rank, int world);

}  // namespace warpscope::tracegen
