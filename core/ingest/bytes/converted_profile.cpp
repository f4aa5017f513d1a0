#include "core/ingest/bytes/converted_profile.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/base/ascii.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

namespace {

constexpr const char* kAgain = "copy the file again, or convert the traces again";

Result<std::string> head_of(const std::string& path, std::size_t most) {
  const auto file = FileSource::open(path);
  if (!file) return file.error();
  std::string head(most, '\0');
  const auto got = file->read_at(0, head);
  if (!got) return got.error();
  head.resize(*got);
  return head;
}

bool begins_like_store(std::string_view head) {
  const std::size_t size = std::min(head.size(), store::kMagic.size());
  return size > 0 && std::equal(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(size), store::kMagic.begin(),
                                [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
}

constexpr std::size_t kHead = 512;

bool begins_like_trace(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (head[first] == '{' || head[first] == '[')) return true;
  const ContentKind kind = content_kind(head);
  return kind == ContentKind::gzip || kind == ContentKind::zstd;
}

Error no_store(const std::string& path, std::string_view head) {
  if (head.empty()) return {path, "is not a converted profile: it is empty", kAgain};
  const std::string_view known = describe_foreign(head);
  return {path, "is not a converted profile: it contains " + (known.empty() ? "text" : std::string(known)), kAgain};
}

}  // namespace

bool named_like_store(std::string_view path) { return lower(path).ends_with(".wscope"); }

bool is_store(const std::string& path) {
  const auto head = head_of(path, store::kMagic.size());
  return head && head->size() == store::kMagic.size() && begins_like_store(*head);
}

bool opens_as_store(const std::string& path) {
  const auto head = head_of(path, kHead);
  if (!head) return false;
  return begins_like_store(*head) || (named_like_store(path) && !begins_like_trace(*head));
}

Result<store::StoreFile> open_converted(const std::string& path) {
  const auto head = head_of(path, kHead);
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
