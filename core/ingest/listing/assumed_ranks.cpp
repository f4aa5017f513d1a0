#include "core/ingest/listing/assumed_ranks.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "core/ingest/bytes/file_name.hpp"

namespace warpscope::ingest {

std::vector<std::int64_t> assumed_ranks(std::span<const trace::SourceFile> sources) {
  std::vector<std::int64_t> ranks;
  ranks.reserve(sources.size());
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> of_process;  // folder with host, process
  std::int64_t next = 0;
  for (const trace::SourceFile& source : sources) {
    const std::filesystem::path path(source.path);
    const auto process = host_in_file_name(path.filename().string());
    if (!process) {
      ranks.push_back(next++);
      continue;
    }
    const auto [entry, fresh] =
        of_process.try_emplace({(path.parent_path() / process->host).string(), process->process}, next);
    if (fresh) ++next;
    ranks.push_back(entry->second);
  }
  return ranks;
}

}  // namespace warpscope::ingest
