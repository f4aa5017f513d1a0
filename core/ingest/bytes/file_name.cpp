#include "core/ingest/bytes/file_name.hpp"

#include <algorithm>
#include <charconv>

#include "core/base/ascii.hpp"

namespace warpscope::ingest {

namespace {

std::optional<std::int64_t> number_at(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  return number;
}

std::optional<std::int64_t> number_after(std::string_view text, std::string_view word) {
  for (std::size_t at = text.rfind(word); at != std::string_view::npos && text.size() > at;) {
    std::size_t digits = at + word.size();
    if (digits < text.size() && std::string_view("_-.=").find(text[digits]) != std::string_view::npos) ++digits;
    if (digits < text.size() && is_digit(text[digits])) return number_at(text.substr(digits));
    if (at == 0) break;
    at = text.rfind(word, at - 1);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> rank_in_file_name(std::string_view file_name) {
  const std::string folded = lower(file_name);
  const auto rank = number_after(folded, "rank");
  return rank ? rank : number_after(folded, "worker");
}

std::optional<HostAndProcess> host_in_file_name(std::string_view file_name) {
  const std::size_t suffix = file_name.find(".pt.trace.json");
  if (suffix == std::string_view::npos) return std::nullopt;
  const std::string_view stem = file_name.substr(0, suffix);  // host_pid.time
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::size_t underscore = stem.rfind('_', dot);
  if (underscore == std::string_view::npos || underscore == 0) return std::nullopt;
  const std::string_view digits = stem.substr(underscore + 1, dot - underscore - 1);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  const auto process = number_at(digits);
  if (!process) return std::nullopt;
  return HostAndProcess{std::string(stem.substr(0, underscore)), *process};
}

}  // namespace warpscope::ingest
