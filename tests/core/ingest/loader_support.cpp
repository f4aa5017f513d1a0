#include "tests/core/ingest/loader_support.hpp"

#include <sys/stat.h>

#include <chrono>
#include <system_error>
#include <thread>

namespace warpscope::tests {

bool comes_true(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!what()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::set<std::string> drafts_in(const std::filesystem::path& folder) {
  std::set<std::string> found;
  std::error_code none;
  for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end; at.increment(none))
    if (at->path().filename().string().find(".tmp-") != std::string::npos) found.insert(at->path().string());
  return found;
}

bool draft_since(const std::set<std::string>& before, const std::filesystem::path& folder) {
  const std::set<std::string> now = drafts_in(folder);
  return std::ranges::any_of(now, [&](const std::string& draft) { return !before.contains(draft); });
}

std::uint64_t inode_of(const std::filesystem::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
}

TraceSet::TraceSet(std::int64_t slices, tracegen::Format format) {
  tracegen::Options options = *tracegen::preset("small");
  options.slices = slices;
  options.format = format;
  (void)tracegen::generate(options, path());
  for (const auto& entry : std::filesystem::directory_iterator(path())) files_.push_back(entry.path());
  std::sort(files_.begin(), files_.end());
}

ingest::LoadOptions TraceSet::options() const {
  ingest::LoadOptions options;
  options.threads = 2;
  options.store.folder = stores();
  return options;
}

ingest::LoadOptions TraceSet::keeping() const {
  ingest::LoadOptions made = options();
  made.store.keep = true;
  return made;
}

std::filesystem::path TraceSet::store() const { return store::Cache(stores()).place_of(path()); }

void TraceSet::keep() const {
  const std::uint64_t before = inode_of(store());
  ingest::Loader loader(path().string(), keeping());
  loader.wait();
  REQUIRE_FALSE(loader.failure());
  REQUIRE(comes_true([&] {
    const std::uint64_t now = inode_of(store());
    return now != 0 && now != before && !loader.status().keeping;
  }));
}

std::string difference(const trace::Profile& a, const trace::Profile& b) {
  if (a.ranks.size() != b.ranks.size()) return "number of ranks";
  for (std::size_t i = 0; i < a.ranks.size(); ++i) {
    std::string found = difference(*a.ranks[i], *a.dictionary, *b.ranks[i], *b.dictionary);
    if (!found.empty()) return a.ranks[i]->source.path + ": " + found;
  }
  return "";
}

}  // namespace warpscope::tests
