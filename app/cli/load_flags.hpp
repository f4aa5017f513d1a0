#pragma once
// The memory and store options, shared by all commands that load a PATH. They override the settings.
#include <optional>
#include <string>

#include "app/cli/arguments.hpp"
#include "app/settings/load_settings.hpp"
#include "app/settings/user_rules.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::cli {

struct LoadFlags {
  std::optional<std::string> memory;     ///< "8G", or "none" for no limit; nullopt: use the setting
  bool no_store = false;                 ///< neither read nor write a store
  bool save_store = false;               ///< write a store for next time
  std::optional<ingest::Share> share{};  ///< read only this share of the files
};

enum class StoreWriting : std::uint8_t { by_flag, by_settings };

/// Adds --memory and --no-store, and --save-store if stores are written only on request.
void add_load_flags(Arguments& arguments, LoadFlags& flags, StoreWriting writing);

/// Adds --clocks, which selects whether rank clocks are aligned, for commands that show several ranks on one time axis.
void add_clocks_option(Arguments& arguments, std::string& clocks);

/// Adds --rank, which selects ranks.
void add_rank_option(Arguments& arguments, std::string& ranks);
/// Returns the ranks given as "0,3-5"; all ranks if `ranks` is empty.
[[nodiscard]] Result<analysis::Scope> scope_of(const trace::Profile& profile, const std::string& ranks);

/// Parses the value of a time option; nullopt if it was omitted.
[[nodiscard]] Result<std::optional<Ns>> parse_time_option(const char* option, const std::string& text);

/// Returns the range of --from and --to on the profile's clocks; nullopt if both are empty. Fails if it is empty.
[[nodiscard]] Result<std::optional<Interval>> range_option(const trace::Profile& profile, const std::string& from,
                                                           const std::string& to);

/// Reads the user's settings. If the file is unusable, prints a message and returns the defaults. Prints a message for
/// each line that cannot be applied.
[[nodiscard]] settings::LoadSettings saved_settings();
/// Reads the user's rules and their parameters; warns about files that cannot be used.
[[nodiscard]] settings::UserRules user_rules();

/// Combines flags and settings; flags take precedence. Fails if --memory is not a size or is too small to show
/// anything.
[[nodiscard]] Result<ingest::LoadOptions> load_options(const LoadFlags& flags, const settings::LoadSettings& saved);

}  // namespace warpscope::cli
