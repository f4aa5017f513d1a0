#pragma once
// The end of an archive; event_archive.md has the rest.
#include <cstddef>
#include <string_view>

namespace warpscope::store {

/// UnpackedBytes at the end of an archive: the index's raw size and stored size, 8 bytes each, little-endian, and this.
inline constexpr std::string_view kArchiveMagic = "WSEVENT1";
inline constexpr std::size_t kArchiveFooter = 16 + kArchiveMagic.size();

}  // namespace warpscope::store
