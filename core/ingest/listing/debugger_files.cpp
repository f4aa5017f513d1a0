#include "core/ingest/listing/debugger_files.hpp"

#include "core/base/ascii.hpp"

namespace warpscope::ingest {

namespace {

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool in_sealed_folder(std::string_view path) {
  constexpr std::string_view kFolder = "DetailedProfilerProcessing";
  return path.starts_with(kFolder) || path.find("/DetailedProfilerProcessing") != std::string_view::npos;
}

bool is_sealed_file(std::string_view path) {
  constexpr std::string_view kStart = "smpfile_";
  std::string_view name = name_in(path);
  if (!name.starts_with(kStart) || !name.ends_with(".raw")) return false;
  name.remove_prefix(kStart.size());
  const std::size_t pid = digits_at(name, 0);
  return pid > 0 && name.substr(pid).starts_with('_') && digits_at(name, pid + 1) > 0;
}

bool is_named_report(std::string_view path) {
  const std::string_view name = name_in(path);
  const std::string_view folder = path.substr(0, path.size() - name.size());
  return folder.ends_with("/profiler-reports/") && name.ends_with(".json");
}

bool is_notebook(std::string_view path) { return path.ends_with(".ipynb"); }

}  // namespace warpscope::ingest
