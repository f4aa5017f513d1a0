#pragma once
// Options that every command has which loads a PATH: memory and stores.
#include <optional>
#include <string>

#include "core/base/result.hpp"
#include "core/ingest/load_options.hpp"

namespace CLI {
class App;
}

namespace warpscope::cli {

struct LoadFlags {
  std::optional<std::string> memory;  ///< "8G"; none: no limit, or as the settings say
  bool no_store = false;              ///< neither read nor write a store
  bool save_store = false;            ///< write one for the next time
};

enum class StoreWriting : std::uint8_t { by_flag, by_settings };

/// Adds --memory and --no-store, and --save-store where stores are not written unless that is asked for.
void add_load_flags(CLI::App& command, LoadFlags& flags, StoreWriting writing);

/// What they mean. Errors: --memory is no size, or too little to show anything.
[[nodiscard]] Result<ingest::LoadOptions> load_options(const LoadFlags& flags);

}  // namespace warpscope::cli
