#include "core/ingest/write/rank_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"

namespace warpscope::ingest {

namespace {

std::string name_of(const trace::Rank& rank, bool numbered) {
  if (numbered) return fmt::format("rank{}", rank.number);
  std::string name = std::filesystem::path(file_of(rank.source.path)).filename().string();
  for (const std::string_view suffix : {".gz", ".zst", ".json"})
    if (lower(name).ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::erase(name, '*');
  std::string label(label_in_merged(rank.source.path));
  std::erase(label, ' ');
  return label.empty() ? name : name + '.' + label;
}

}  // namespace

std::vector<std::string> rank_file_names(const trace::Profile& profile, std::span<const std::uint32_t> ranks,
                                         bool numbered) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::uint32_t r : ranks) {
    const trace::Rank& rank = *profile.ranks[r];
    const std::string name = name_of(rank, numbered);
    const std::string rest = numbered ? "" : "." + name;
    std::string unique = name;
    if (taken.contains(unique) && !numbered) unique = fmt::format("rank{}{}", rank.number, rest);
    for (int n = 2; taken.contains(unique); ++n) unique = fmt::format("rank{}-{}{}", rank.number, n, rest);
    taken.insert(unique);
    names.push_back(std::move(unique));
  }
  return names;
}

bool named_like_json(std::string_view path) {
  const std::string name = lower(path);
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

Result<std::uint64_t> write_rank_file(const trace::Profile& profile, std::uint32_t rank, const std::string& file,
                                      const CancelToken& cancel, const std::function<Failure(TextWriter&)>& write) {
  auto writer =
      TextWriter::create(file, lower(file).ends_with(".gz") ? TextWriter::Packing::gzip : TextWriter::Packing::none);
  if (!writer) return writer.error();
  if (Failure failure = write(*writer)) return *failure;
  if (const Failure damage = trace::damage_of(profile, std::span(&rank, 1))) return *damage;
  if (cancel.cancelled()) return Error{file, "was not written: interrupted", ""};
  if (Failure failure = writer->finish()) return *failure;
  return writer->bytes();
}

}  // namespace warpscope::ingest
