// `warpscope convert PATH --out FILE.wscope`: writes everything in PATH, arguments included, to one portable file that
// opens instantly. If interrupted or out of disk space, it leaves an existing file unchanged.
#include <filesystem>
#include <memory>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::cli {

namespace {

struct ConvertOptions {
  std::string path;
  std::string out;
  LoadFlags load;
};

/// "wrote job.wscope: 8 ranks in 12.3 MiB (the traces: 410 MiB)"
std::string describe_written(const std::string& file, std::uint64_t bytes, const trace::Profile& profile) {
  const auto in_bytes = [](std::uint64_t count) { return format_bytes(static_cast<std::int64_t>(count)); };
  return "wrote " + file + ": " + counted(profile.ranks.size(), "rank", "ranks") + " in " + in_bytes(bytes) +
         " (the traces: " + in_bytes(source_bytes(profile)) + ")";
}

/// Writes the file and reports it. Removes a file that could not be completed.
ExitStatus write_file(const Loaded& loaded, const std::string& file, Interrupts& interrupts) {
  const Failure failure = write_with_progress(loaded, interrupts, [&](const CancelToken& cancel, Progress& progress) {
    return loaded.loader->save(file, cancel, &progress);
  });
  if (failure) {
    if (!interrupts.came()) print_error(*failure);
    // When a profile is converted onto itself, the file name does not show whether reading or writing failed.
    return failure->where == file && !loaded.loader->damage_of_converted() ? kNotWritten : kNothingRead;
  }
  std::error_code ignored;
  print_message(describe_written(file, std::filesystem::file_size(file, ignored), *loaded.profile));
  return kDone;
}

ExitStatus run_convert(const ConvertOptions& options) {
  if (const Failure failure = unreachable_output(options.out)) return fail(*failure, kNotWritten);
  const auto out = output_file(options.out);
  if (!out) return fail(out.error(), kUsage);
  return load_and_write(
      options.path, options.load, saved_settings(),
      [&](const Loaded& loaded, Interrupts& interrupts) { return write_file(loaded, *out, interrupts); });
}

std::function<ExitStatus()> declare_convert(Arguments arguments) {
  const auto options = std::make_shared<ConvertOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  arguments.required("--out", options->out, "Output file, NAME.wscope");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_convert(*options); };
}

}  // namespace

const Command registered::convert::kCommand{
    "convert", "Write everything to a single file that opens instantly on any machine", declare_convert};

}  // namespace warpscope::cli
