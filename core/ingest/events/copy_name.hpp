#pragma once
// Names of memcpys and memsets. CUPTI's names contain the direction and the kinds of memory, "Memcpy HtoD (Pageable ->
// Device)", which analyses and rules rely on. PyTorch's second CUDA backend names all of them "Memcpy" or "Memset" and
// writes direction and kinds as arguments.
#include <string>
#include <string_view>

namespace warpscope::ingest {

/// Returns true for names without direction and kinds of memory.
[[nodiscard]] inline bool is_bare_copy_name(std::string_view name) {
  return name.size() == 6 && (name == "Memcpy" || name == "Memset");
}

/// Returns CUPTI's name for a slice with a bare name and these arguments, as far as they contain it. `arguments`: raw
/// text, braces included.
[[nodiscard]] std::string full_copy_name(std::string_view bare, std::string_view arguments);

}  // namespace warpscope::ingest
