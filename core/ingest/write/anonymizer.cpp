#include "core/ingest/write/anonymizer.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/ascii.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::array<std::string_view, 3> kHomes{"/home/", "/Users/", "\\Users\\"};
/// What follows these in a path is the same on every machine.
constexpr std::array<std::string_view, 2> kPackages{"site-packages/", "dist-packages/"};
/// Packages whose files PyTorch records without the folders before them.
constexpr std::array<std::string_view, 24> kPublic{
    "torch",        "torchvision", "torchaudio", "torchao",   "torchtitan", "triton",
    "transformers", "accelerate",  "deepspeed",  "megatron",  "apex",       "numpy",
    "jax",          "flax",        "tensorflow", "lightning", "xformers",   "flash_attn",
    "vllm",         "sglang",      "peft",       "torchrec",  "fbgemm_gpu", "transformer_engine"};
constexpr std::array<std::string_view, 16> kExtensions{".py",  ".pyc",  ".pyx",  ".ipynb", ".so",  ".c",
                                                       ".cc",  ".cpp",  ".cxx",  ".h",     ".hpp", ".cu",
                                                       ".cuh", ".json", ".yaml", ".sh"};

constexpr bool is_alphanumeric(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z'); }

constexpr bool is_path_character(char c) {
  return is_alphanumeric(c) || c == '/' || c == '\\' || c == '.' || c == '_' || c == '-' || c == '+' || c == '~' ||
         c == '%' || static_cast<unsigned char>(c) >= 0x80;
}

/// "py" of "a/b.py"; the last part of "libc.so.6" is its version.
std::string_view extension_of(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  for (const std::string_view extension : kExtensions) {
    const std::size_t at = name.rfind(extension);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view rest = name.substr(at + extension.size());
    if (rest.find_first_not_of("0123456789.") == std::string_view::npos) return extension;
  }
  return "";
}

/// Returns the part of a path below a folder of Python packages or of Python's own library; "" if it is not there.
std::string_view part_in_packages(std::string_view path) {
  for (const std::string_view folder : kPackages)
    if (const std::size_t at = path.find(folder); at != std::string_view::npos) return path.substr(at + folder.size());
  if (const std::size_t python = path.find("lib/python"); python != std::string_view::npos)
    if (const std::size_t end = path.find('/', python + 4); end != std::string_view::npos) return path.substr(end + 1);
  return "";
}

bool is_public(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash != std::string_view::npos && std::ranges::find(kPublic, path.substr(0, slash)) != kPublic.end();
}

bool is_address(std::string_view token) {
  return std::ranges::count(token, '.') == 3 && token.find_first_not_of("0123456789.") == std::string_view::npos &&
         token.size() >= 7 && token.size() <= 15 && token.front() != '.' && token.back() != '.';
}

}  // namespace

bool Anonymizer::is_hidden(std::string_view word) const {
  return std::ranges::find(secrets_, word, &Secret::word) != secrets_.end();
}

void Anonymizer::hide(std::string_view word, const std::string& replacement) {
  if (word.size() < 2 || is_hidden(word)) return;
  secrets_.push_back({std::string(word), replacement});
  std::ranges::stable_sort(secrets_, std::ranges::greater{}, [](const Secret& each) { return each.word.size(); });
  kept_.clear();
}

void Anonymizer::hide_host(std::string_view host) {
  if (host.empty() || host == "localhost" || is_hidden(host)) return;
  const std::string replacement = "host" + std::to_string(++hosts_);
  hide(host, replacement);
  if (!is_address(host)) hide(host.substr(0, host.find('.')), replacement);
}

void Anonymizer::hide_user(std::string_view user) {
  if (user.size() < 2 || is_hidden(user)) return;
  hide(user, "user" + std::to_string(++users_));
}

void Anonymizer::hide_users_in(std::string_view text) {
  for (const std::string_view home : kHomes)
    for (std::size_t at = text.find(home); at != std::string_view::npos; at = text.find(home, at + 1)) {
      const std::string_view rest = text.substr(at + home.size());
      hide_user(rest.substr(0, rest.find_first_of("/\\\"' ,:;)")));
    }
}

std::string Anonymizer::text(std::string_view text) {
  const auto found = kept_.find(std::string(text));
  if (found != kept_.end()) return found->second;
  hide_users_in(text);
  std::string result = replaced(text);
  if (kept_.size() >= kMostKept) kept_.clear();
  return kept_.try_emplace(std::string(text), std::move(result)).first->second;
}

std::string Anonymizer::replaced(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_path_character(text[end])) ++end;
    if (end > at) out += replaced_token(text.substr(at, end - at));
    if (end < text.size()) out += text[end++];
    at = end;
  }
  return without_secrets(out);
}

std::string Anonymizer::replaced_token(std::string_view token) {
  if (is_address(token)) {
    hide_host(token);
    return without_secrets(token);
  }
  const std::size_t start = token.find_first_not_of("/\\.");
  if (start == std::string_view::npos) return std::string(token);
  const bool has_folder = token.find_first_of("/\\", start) != std::string_view::npos;
  const bool absolute = token[0] == '/' || token[0] == '~' || token[0] == '\\';
  if (std::string_view part = part_in_packages(token); !part.empty()) return std::string(part);
  if (is_public(token)) return std::string(token);
  // "/" alone divides words, as in "forward/backward"; a path is absolute with folders, or names a file.
  if (extension_of(token).empty() && !(absolute && has_folder)) return std::string(token);
  return file(token);
}

std::string Anonymizer::file(std::string_view path) {
  const auto [entry, fresh] = files_.try_emplace(std::string(path));
  if (fresh) entry->second = "file" + std::to_string(files_.size()) + std::string(extension_of(path));
  return entry->second;
}

std::string Anonymizer::without_secrets(std::string_view text) const {
  std::string out(text);
  for (const Secret& secret : secrets_) {
    for (std::size_t at = out.find(secret.word); at != std::string::npos;) {
      const std::size_t end = at + secret.word.size();
      const bool word = (at == 0 || !is_alphanumeric(out[at - 1])) && (end == out.size() || !is_alphanumeric(out[end]));
      if (word) out.replace(at, secret.word.size(), secret.replacement);
      at = out.find(secret.word, at + (word ? secret.replacement.size() : 1));
    }
  }
  return out;
}

}  // namespace warpscope::ingest
