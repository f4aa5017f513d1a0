#pragma once
// Filters and orders the list of profiles by the query of the find field and the choices beside it. Plain functions.
//
//   llama 70b              both words in the name or path, ignoring case
//   status:failed          also status:progress, status:InProgress: part of the status
//   created:2026-05        a year, month, day or minute (2026-05-01T14:30), in local time
//   created>2026-05-01     after it; also >=, <, <=
//   created:7d             in the last 7 days; also created:today
//   kind:metrics           part of the name of a source kind
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {

struct ListFilter {
  std::vector<std::string> words;     ///< lower case
  std::vector<std::string> statuses;  ///< lower case, without blanks and dashes
  std::vector<std::string> kinds;     ///< same
  std::optional<Ns> from, until;      ///< created in [from, until), since the Unix epoch
  std::optional<ingest::ProfileStatus> status;

  [[nodiscard]] bool passes_all() const {
    return words.empty() && statuses.empty() && kinds.empty() && !from && !until && !status;
  }
  [[nodiscard]] bool passes(const ingest::FoundProfile& profile) const;
};

/// Parses the query. `now`: since the Unix epoch. The Error names the invalid part.
[[nodiscard]] Result<ListFilter> parse_list_filter(std::string_view query, Ns now);

/// "2026-05-01 14:30" in local time; "" if unknown.
[[nodiscard]] std::string date_text(const std::optional<Ns>& time);
/// Creation date: a date, "file, 2026-05-01 14:30" if only its files have one, "–" if unknown.
[[nodiscard]] std::string created_text(const ingest::FoundProfile& profile);
/// Explains the source of that date in a sentence.
[[nodiscard]] std::string created_tip(const ingest::FoundProfile& profile);

enum class ListColumn : std::uint8_t { name, created, status, nodes, ranks, gpus, size, source, folder };
inline constexpr std::size_t kListColumns = 9;
[[nodiscard]] std::string_view to_string(ListColumn column);

/// Compares two profiles by a column; unknown values come last in either direction. Ties are ordered by name, then
/// path.
[[nodiscard]] bool comes_before(const ingest::FoundProfile& a, const ingest::FoundProfile& b, ListColumn column,
                                bool descending);

}  // namespace warpscope::ui
