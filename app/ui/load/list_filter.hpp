#pragma once
// Which profiles of a list are shown: what is typed into the find field, and the choices beside it. Plain functions.
//
//   llama 70b              both words in the name or the path, in any case
//   status:failed          also status:progress, status:InProgress: part of the status
//   created:2026-05        a year, month, day or minute (2026-05-01T14:30), in the machine's own time
//   created>2026-05-01     after it; also >=, <, <=
//   created:7d             in the last 7 days; also created:today
//   kind:metrics           part of the name of a kind of source
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

/// `now`: since the Unix epoch. An Error says which part cannot be read.
[[nodiscard]] Result<ListFilter> parse_list_filter(std::string_view query, Ns now);

/// "2026-05-01 14:30" in the machine's own time; "" if unknown.
[[nodiscard]] std::string date_text(const std::optional<Ns>& time);
/// When it was created: a date, "file, 2026-05-01 14:30" where only its files have one, "–" where nothing is known.
[[nodiscard]] std::string created_text(const ingest::FoundProfile& profile);
/// What that date is of, in a sentence.
[[nodiscard]] std::string created_tip(const ingest::FoundProfile& profile);

enum class ListColumn : std::uint8_t { name, created, status, nodes, ranks, gpus, size, source, folder };
inline constexpr std::size_t kListColumns = 9;
[[nodiscard]] std::string_view to_string(ListColumn column);

/// Order of two profiles by a column; unknown figures come last in either direction. Ties go by name, then path.
[[nodiscard]] bool comes_before(const ingest::FoundProfile& a, const ingest::FoundProfile& b, ListColumn column,
                                bool descending);

}  // namespace warpscope::ui
