#pragma once
// Footer of an archive; event_archive.md describes the rest.
#include <cstddef>
#include <string_view>

namespace warpscope::store {

/// The last bytes of an archive: the index's raw size and stored size, 8 bytes each, little-endian, then this magic.
inline constexpr std::string_view kArchiveMagic = "WSEVENT1";
inline constexpr std::size_t kArchiveFooter = 16 + kArchiveMagic.size();

}  // namespace warpscope::store
