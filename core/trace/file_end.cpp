#include "core/trace/file_end.hpp"

#include <algorithm>

#include "core/base/file_group.hpp"

namespace warpscope::trace {

bool unfinished(const Diagnostics& diagnostics, std::string_view file) {
  return std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& one) {
    return (one.file == file || in_group(file, one.file)) && (one.code == "truncated" || one.code == "input-damaged");
  });
}

}  // namespace warpscope::trace
