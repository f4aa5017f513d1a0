#include "core/analysis/shared/hta_short_name.hpp"

#include <algorithm>
#include <array>

namespace warpscope::analysis {

namespace {

bool is_memory_operation(std::string_view name) {
  constexpr std::array<std::string_view, 5> kBegins{"Memcpy", "Memset", "hipMemcpy", "hipMemset", "dma"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Removes everything from the last `open` onward, or everything if there is none.
void drop_from(std::string& text, char open) {
  const std::size_t at = text.rfind(open);
  text.resize(at == text.npos ? 0 : at);
}

}  // namespace

std::string hta_short_name(std::string_view name) {
  if (is_memory_operation(name) || name.find_first_of("<(") == name.npos) return std::string(name);
  std::string kept;
  kept.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("->"))
      ++i;
    else if (name[i] == '>')
      drop_from(kept, '<');
    else if (name[i] == ')')
      drop_from(kept, '(');
    else
      kept += name[i];
  }
  const std::size_t space = kept.rfind(' ');
  return space == kept.npos ? kept : kept.substr(space + 1);
}

}  // namespace warpscope::analysis
