#include "core/ingest/bytes/converted_profile.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/ascii.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

namespace {

constexpr const char* kAgain = "copy the file again, or convert the traces again";

Result<std::string> head_of(const std::string& path) {
  const auto file = FileSource::open(path);
  return file ? file->text_at(0, kContentHead) : file.error();
}

bool begins_like_store(std::string_view head) {
  const std::size_t size = std::min(head.size(), store::kMagic.size());
  return size > 0 && std::equal(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(size), store::kMagic.begin(),
                                [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
}

bool begins_like_trace(std::string_view head) {
  const ContentKind kind = content_kind(head);
  return begins_like_json(head) || kind == ContentKind::gzip || kind == ContentKind::zstd;
}

Error no_store(const std::string& path, std::string_view head) {
  if (head.empty()) return {path, "is not a converted profile: it is empty", kAgain};
  const std::string_view known = describe_foreign(head);
  return {path, "is not a converted profile: it contains " + (known.empty() ? "text" : std::string(known)), kAgain};
}

}  // namespace

bool is_store(const std::string& path) {
  const auto head = head_of(path);
  return head && head->size() >= store::kMagic.size() && begins_like_store(*head);
}

bool opens_as_store(const std::string& path) {
  const auto head = head_of(path);
  if (!head) return false;
  return begins_like_store(*head) || (lower(path).ends_with(".wscope") && !begins_like_trace(*head));
}

Result<store::StoreFile> open_converted(const std::string& path) {
  const auto head = head_of(path);
  if (!head) return head.error();
  if (!begins_like_store(*head)) return no_store(path, *head);
  if (head->size() < store::kMagic.size()) return Error{path, "the store is truncated", store::kInsteadOfCutOff};
  return store::open_store(path);
}

Error several_converted(const std::string& root, const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(files.size(), kNamed); ++i)
    names += (i > 0 ? ", " : "") + std::filesystem::path(files[i]).lexically_relative(root).string();
  if (files.size() > kNamed) names += " and " + std::to_string(files.size() - kNamed) + " more";
  return {root, "no traces found, but " + std::to_string(files.size()) + " converted profiles: " + names,
          "open one of them: warpscope " + files.front()};
}

}  // namespace warpscope::ingest
