#include "core/base/file_group.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "core/base/ascii.hpp"
#include "core/base/natural_order.hpp"

namespace warpscope {

namespace {

constexpr std::string_view kBelow = "/**";
constexpr std::string_view kOpen = ".tmp";
constexpr char kInFile = '#';
constexpr std::array<std::string_view, 5> kAxes{"TP", "DP", "PP", "EP", "CP"};
constexpr std::size_t kMostDigits = 9;

struct GroupPattern {
  std::string_view folder;  ///< "": no group
  bool below = false;
  std::string_view part;  ///< with '_' on both sides; "": any name
  std::string_view ending;
};

GroupPattern parts_of(std::string_view group) {
  const std::size_t slash = group.rfind('/');
  if (slash == std::string_view::npos) return {};
  GroupPattern pattern;
  pattern.folder = group.substr(0, slash);
  pattern.below = pattern.folder.ends_with(kBelow);
  if (pattern.below) pattern.folder.remove_suffix(kBelow.size());
  std::string_view name = group.substr(slash + 1);
  if (!name.starts_with('*')) return {};
  name.remove_prefix(1);
  const std::size_t star = name.rfind('*');
  if (star == std::string_view::npos && name.starts_with('.')) {
    pattern.ending = name;
    return pattern;
  }
  if (!pattern.below || !name.starts_with('_') || star == std::string_view::npos || star < 3) return {};
  pattern.part = name.substr(0, star);
  pattern.ending = name.substr(star + 1);
  return pattern;
}

bool matches(const GroupPattern& pattern, std::string_view name) {
  if (pattern.part.empty()) return name.size() > pattern.ending.size() && name.ends_with(pattern.ending);
  if (is_open_file(name)) name.remove_suffix(kOpen.size());
  if (!name.ends_with(pattern.ending)) return false;
  name.remove_suffix(pattern.ending.size());
  return name.starts_with(pattern.part.substr(1)) || name.find(pattern.part) != std::string_view::npos;
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string group_path(std::string_view folder, std::string_view part, std::string_view ending) {
  return std::string(folder).append(kBelow).append("/*_").append(part).append("_*").append(ending);
}

std::string group_path_of_ending(std::string_view folder, std::string_view ending, bool below) {
  return std::string(folder).append(below ? kBelow : "").append("/*").append(ending);
}

bool is_group(std::string_view path) { return !parts_of(path).folder.empty(); }

bool in_group(std::string_view group, std::string_view file) {
  const GroupPattern pattern = parts_of(group);
  const std::string_view name = name_of(file);
  const std::string_view folder = file.substr(0, file.size() - name.size());  // including the slash
  return !pattern.folder.empty() && folder.size() > pattern.folder.size() && folder.starts_with(pattern.folder) &&
         folder[pattern.folder.size()] == '/' && (pattern.below || folder.size() == pattern.folder.size() + 1) &&
         matches(pattern, name);
}

std::string path_in_merged(std::string_view file, std::string_view label) {
  return std::string(file).append(1, kInFile).append(label);
}

std::string_view label_in_merged(std::string_view path) {
  const std::size_t at = path.rfind(kInFile);
  if (at == std::string_view::npos || !is_rank_label(path.substr(at + 1))) return {};
  return path.substr(at + 1);
}

std::string_view file_of(std::string_view path) {
  const std::string_view label = label_in_merged(path);
  return label.empty() ? path : path.substr(0, path.size() - label.size() - 1);
}

bool is_rank_label(std::string_view text) {
  constexpr std::string_view kRank = "rank ";
  const auto digits = [](std::string_view number) {
    return !number.empty() && number.size() <= kMostDigits && std::ranges::all_of(number, is_digit);
  };
  if (text.starts_with(kRank)) return digits(text.substr(kRank.size()));
  for (;;) {
    const std::string_view axis = text.substr(0, text.find('-'));
    if (std::ranges::find(kAxes, axis.substr(0, 2)) == kAxes.end() || !digits(axis.substr(2))) return false;
    if (axis.size() == text.size()) return true;
    text.remove_prefix(axis.size() + 1);
  }
}

bool is_open_file(std::string_view path) { return path.ends_with(kOpen); }

std::vector<GroupFile> files_of_group(std::string_view group) {
  namespace fs = std::filesystem;
  std::vector<GroupFile> files;
  const GroupPattern pattern = parts_of(group);
  if (pattern.folder.empty()) return files;
  std::error_code error;
  fs::recursive_directory_iterator entry(pattern.folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string& path = entry->path().native();
    const std::string_view name = name_of(path);
    if (!pattern.below || name.starts_with('.')) entry.disable_recursion_pending();
    if (name.starts_with('.') || !matches(pattern, name)) continue;
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    files.push_back({path, static_cast<std::uint64_t>(info.st_size),
                     static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
                     static_cast<std::uint64_t>(info.st_ino)});
  }
  std::ranges::sort(files, [](const GroupFile& a, const GroupFile& b) {
    if (is_open_file(a.path) != is_open_file(b.path)) return is_open_file(b.path);
    if (name_of(a.path) != name_of(b.path)) return natural_less(name_of(a.path), name_of(b.path));
    return a.path < b.path;
  });
  return files;
}

GroupStamp stamp_of_group(std::span<const GroupFile> files) {
  GroupStamp stamp;
  stamp.hash = 0xCBF29CE484222325u;  // FNV-1a
  const auto add = [&](unsigned char byte) { stamp.hash = (stamp.hash ^ byte) * 0x100000001B3u; };
  const auto add_number = [&](std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) add(static_cast<unsigned char>(number >> 8 * i & 0xFF));
  };
  for (const GroupFile& file : files) {
    stamp.size += file.size;
    stamp.modified_ns = std::max(stamp.modified_ns, file.modified_ns);
    for (const char c : file.path) add(static_cast<unsigned char>(c));
    add_number(file.size);
    add_number(static_cast<std::uint64_t>(file.modified_ns));
  }
  return stamp;
}

}  // namespace warpscope
