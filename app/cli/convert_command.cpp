#include "app/cli/convert_command.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "app/cli/load.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"

namespace warpscope::cli {

namespace {

/// What the user's files are allowed. Asking for it changes it for a moment: call before there are threads.
std::filesystem::perms usual_permissions() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<std::filesystem::perms>(0666 & ~mask);
}

}  // namespace

ExitStatus run_convert(const ConvertOptions& options) {
  const auto load_with = load_options(options.load);
  if (!load_with) {
    print_error(load_with.error());
    return kUsage;
  }
  const auto out = output_file(options.out);
  if (!out) {
    print_error(out.error());
    return kUsage;
  }
  const std::filesystem::perms permissions = usual_permissions();
  const auto loaded = load(options.path, *load_with);
  if (!loaded) {
    print_error(loaded.error());
    return kNothingRead;
  }
  const CancelToken cancel;
  const Failure failure =
      write_with_progress(*loaded, [&](Progress& progress) { return loaded->loader->save(*out, cancel, &progress); });
  if (failure) {
    print_error(*failure);
    return kUsage;
  }
  // Stores are made for their user alone; this one is to be passed on.
  std::error_code ignored;
  std::filesystem::permissions(*out, permissions, ignored);
  if (options.load.save_store) keep_store(*loaded);
  return kDone;
}

}  // namespace warpscope::cli
