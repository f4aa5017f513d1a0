#pragma once
// Options that every command has which loads a PATH, memory and stores, over what the settings say of them.
#include <optional>
#include <string>

#include "app/cli/arguments.hpp"
#include "app/settings/load_settings.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::cli {

struct LoadFlags {
  std::optional<std::string> memory;  ///< "8G", or "none" for no limit; not given: as the settings say
  bool no_store = false;              ///< neither read nor write a store
  bool save_store = false;            ///< write one for the next time
};

enum class StoreWriting : std::uint8_t { by_flag, by_settings };

/// Adds --memory and --no-store, and --save-store where stores are not written unless that is asked for.
void add_load_flags(Arguments& arguments, LoadFlags& flags, StoreWriting writing);

/// What the user's settings say; the defaults, with a message, where their file cannot be used. Each line that is not
/// heeded as it stands is a message too.
[[nodiscard]] settings::LoadSettings saved_settings();

/// What both mean together: flags come before settings. Errors: --memory is no size, or too little to show anything.
[[nodiscard]] Result<ingest::LoadOptions> load_options(const LoadFlags& flags, const settings::LoadSettings& saved);

}  // namespace warpscope::cli
