#include "core/ingest/formats/python_stats/code_table.hpp"

#include <cmath>

#include "core/base/utf8.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kLongestName = 1024;

}  // namespace

std::uint32_t CodeTable::text(std::string_view raw) {
  std::string shown =
      raw.size() > kLongestName ? without_controls(shortened(raw, kLongestName)) : without_controls(raw);
  const auto [entry, fresh] = texts_.try_emplace(std::move(shown), static_cast<std::uint32_t>(stats_.texts.size()));
  if (fresh) stats_.texts.push_back(entry->first);
  return entry->second;
}

std::uint32_t CodeTable::code(std::string_view file, std::int64_t line, std::string_view name) {
  const trace::PythonCode code{text(name), text(file), line};
  const auto [entry, fresh] =
      codes_.try_emplace({code.file, code.line, code.name}, static_cast<std::uint32_t>(stats_.codes.size()));
  if (fresh) stats_.codes.push_back(code);
  return entry->second;
}

std::optional<Ns> ns_of_seconds(double seconds) {
  constexpr double kMost = 9.2e9;
  if (!(std::abs(seconds) < kMost)) return std::nullopt;
  return std::llround(seconds * 1e9);
}

}  // namespace warpscope::ingest
