#include "tests/bench/traces.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>
#include <vector>

#include "core/base/format.hpp"
#include "core/base/user_folders.hpp"
#include "core/ingest/bytes/file_source.hpp"
#include "tests/bench/child_process.hpp"

namespace warpscope::bench {

namespace fs = std::filesystem;

namespace {

std::string short_count(std::uint64_t slices) {
  return slices % 1'000'000 == 0 ? fmt::format("{} M", slices / 1'000'000)
                                 : fmt::format("{:.1f} M", 1e-6 * static_cast<double>(slices));
}

std::string folder_name(const TraceSpec& spec) {
  const std::string python = spec.python_depth == 0 ? "" : fmt::format("-python-{}", spec.python_depth);
  return fmt::format("{}{}{}-{}-ranks-{}-{}", spec.slices, spec.shapes ? "-shapes" : "", python, spec.ranks,
                     spec.layout, spec.format);
}

bool is_current(const fs::path& folder, const fs::path& generator) {
  std::error_code error;
  const auto made = fs::last_write_time(folder, error);
  return !error && made >= fs::last_write_time(generator, error) && !error;
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error))
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  return files;
}

Failure generate(const TraceSpec& spec, const fs::path& folder, const fs::path& generator) {
  std::vector<std::string> words{generator.string(), folder.string(),
                                 "--preset",         "bench",
                                 "--nodes",          "1",
                                 "--gpus",           std::to_string(spec.ranks),
                                 "--slices",         std::to_string(spec.slices),
                                 "--format",         spec.format,
                                 "--layout",         spec.layout};
  if (spec.shapes) words.emplace_back("--shapes");
  if (spec.python_depth > 0) words.insert(words.end(), {"--python-depth", std::to_string(spec.python_depth)});
  const auto run = run_successfully({.words = words, .environment = {}, .quiet = false});
  return run ? Failure{} : Failure{run.error()};
}

}  // namespace

std::string TraceSpec::title() const {
  std::string text = short_count(slices);
  if (layout != "kineto") text += " " + layout;
  if (format != "json") text += " " + format;
  return text;
}

std::uint64_t TraceSpec::expected_bytes() const {
  std::uint64_t each = shapes ? 500 : 400;
  if (layout == "indented") each *= 2;
  if (format != "json") each /= 10;
  return slices * each;
}

fs::path trace_cache() {
  const fs::path folder = user_cache_folder();
  return (folder.empty() ? fs::temp_directory_path() / "warpscope" : folder) / "bench";
}

Result<fs::path> make_trace(const TraceSpec& spec, const fs::path& generator) {
  std::error_code error;
  if (!fs::is_regular_file(generator, error))
    return Error{generator.string(), "the trace generator is not there", "build the target tracegen"};
  const fs::path folder = trace_cache() / folder_name(spec);
  if (!is_current(folder, generator)) {
    // Write to a temporary folder and rename it when complete, so that an incomplete set is never used.
    const fs::path part = folder.string() + "." + std::to_string(::getpid());
    fs::remove_all(folder, error);
    fs::create_directories(trace_cache(), error);
    const fs::space_info space = fs::space(trace_cache(), error);
    if (!error && space.available < spec.expected_bytes() + (std::uint64_t{1} << 30)) {
      return Error{trace_cache().string(),
                   fmt::format("too little room for {} ({})", spec.title(),
                               format_bytes(static_cast<std::int64_t>(spec.expected_bytes()))),
                   "free some, or set XDG_CACHE_HOME to a directory on a larger disk"};
    }
    fmt::print(stderr, "bench: making {} in {}\n", spec.title(), folder.string());
    if (const Failure failure = generate(spec, part, generator)) {
      fs::remove_all(part, error);
      return *failure;
    }
    fs::rename(part, folder, error);
    if (error) return Error{folder.string(), error.message(), ""};
    fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
  }
  if (spec.ranks > 1) return folder;
  const std::vector<fs::path> files = files_of(folder);
  if (files.size() != 1) return Error{folder.string(), "does not hold one file", "remove it and try again"};
  return files.front();
}

std::uint64_t disk_bytes(const fs::path& path) {
  std::uint64_t bytes = 0;
  for (const fs::path& file : files_of(path)) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error) bytes += size;
  }
  return bytes;
}

void warm(const fs::path& path) {
  std::vector<char> block(std::size_t{1} << 20);
  for (const fs::path& file : files_of(path)) {
    const auto source = ingest::FileSource::open(file.string());
    if (!source) continue;
    for (std::uint64_t offset = 0;;) {
      const auto got = source->read_at(offset, block);
      if (!got || *got == 0) break;
      offset += *got;
    }
  }
}

}  // namespace warpscope::bench
