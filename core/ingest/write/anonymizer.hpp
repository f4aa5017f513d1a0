#pragma once
// Replaces what a trace reveals about its owner: files and folders, hosts, users. A name always becomes the same
// replacement (file3.py, host1, user1), so traces stay comparable within one run. What analyses need stays: functions,
// kernels, annotations, and the paths of Python packages and public libraries (torch/nn/modules/module.py).
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpscope::ingest {

class Anonymizer {
 public:
  /// Hides a host's full name and its first label wherever they appear as words.
  void hide_host(std::string_view host);
  void hide_user(std::string_view user);
  /// Hides the users whose home folders `text` mentions, wherever they appear as words.
  void hide_users_in(std::string_view text);

  [[nodiscard]] std::string text(std::string_view text);

 private:
  struct Secret {
    std::string word;
    std::string replacement;
  };
  [[nodiscard]] bool is_hidden(std::string_view word) const;
  void hide(std::string_view word, const std::string& replacement);
  [[nodiscard]] std::string replaced(std::string_view text);
  [[nodiscard]] std::string replaced_token(std::string_view token);
  [[nodiscard]] std::string file(std::string_view path);
  [[nodiscard]] std::string without_secrets(std::string_view text) const;

  static constexpr std::size_t kMostKept = 100'000;  // texts

  std::vector<Secret> secrets_;
  std::unordered_map<std::string, std::string> files_;
  std::unordered_map<std::string, std::string> kept_;
  std::size_t hosts_ = 0;
  std::size_t users_ = 0;
};

}  // namespace warpscope::ingest
