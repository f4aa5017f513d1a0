#include "app/cli/load_flags.hpp"

#include <CLI/CLI.hpp>

#include "core/base/format.hpp"

namespace warpscope::cli {

void add_load_flags(CLI::App& command, LoadFlags& flags, StoreWriting writing) {
  command.add_option("--memory", flags.memory, "Limit of memory for the traces (8G, 512M); the rest waits on the disk");
  CLI::Option* const none =
      command.add_flag("--no-store", flags.no_store, "Neither use nor write what is kept of earlier loads");
  if (writing == StoreWriting::by_flag)
    command.add_flag("--save-store", flags.save_store, "Keep what was read, so that it loads at once next time")
        ->excludes(none);
}

Result<ingest::LoadOptions> load_options(const LoadFlags& flags) {
  ingest::LoadOptions options;
  options.store.folder = store::Cache::default_folder();
  options.store.use = !flags.no_store;
  if (flags.memory.empty()) return options;
  const auto limit = parse_bytes(flags.memory);
  if (!limit) return Error{"--memory " + flags.memory, limit.error().what, limit.error().advice};
  if (*limit < ingest::kLeastMemoryLimit)
    return Error{"--memory " + flags.memory, "is too little to show anything",
                 "give at least " + format_bytes(static_cast<std::int64_t>(ingest::kLeastMemoryLimit))};
  options.memory_limit = *limit;
  return options;
}

}  // namespace warpscope::cli
