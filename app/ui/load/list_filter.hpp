#pragma once
// Filters the profile list by search words, status and age, and sorts it. Free functions.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {

/// Maximum age of listed profiles.
enum class ListAge : std::uint8_t { any, day, week, month, year };
inline constexpr std::size_t kListAges = 5;
/// "Any time", "Today" …
[[nodiscard]] std::string_view to_string(ListAge age);
/// Returns the earliest creation time for this age; nullopt for ListAge::any. `now`: time since the Unix epoch.
[[nodiscard]] std::optional<Ns> earliest(ListAge age, Ns now);

struct ListFilter {
  std::vector<std::string> words;  ///< lower case; all must be in the name or path
  std::optional<Ns> from;          ///< created at this time or later, since the Unix epoch
  std::optional<ingest::ProfileStatus> status;

  [[nodiscard]] bool passes_all() const { return words.empty() && !from && !status; }
  [[nodiscard]] bool passes(const ingest::FoundProfile& profile) const;
};

/// Splits the find field's text into lowercase words.
[[nodiscard]] std::vector<std::string> words_to_find(std::string_view query);

/// Formats a time as "2026-05-01 14:30" in local time; "" if unknown.
[[nodiscard]] std::string date_text(const std::optional<Ns>& time);
/// Formats the creation date; "–" if unknown. Dates taken from file modification times are prefixed with "file, ".
[[nodiscard]] std::string created_text(const ingest::FoundProfile& profile);
/// Returns a sentence explaining where the date comes from.
[[nodiscard]] std::string created_tip(const ingest::FoundProfile& profile);

enum class ListColumn : std::uint8_t { name, created, status, nodes, ranks, gpus, size, source, folder };
inline constexpr std::size_t kListColumns = 9;
[[nodiscard]] std::string_view to_string(ListColumn column);

/// True if `a` comes before `b` when sorted by `column`. Unknown values sort last in either direction. Ties are sorted
/// by name, then by path.
[[nodiscard]] bool comes_before(const ingest::FoundProfile& a, const ingest::FoundProfile& b, ListColumn column,
                                bool descending);

}  // namespace warpscope::ui
