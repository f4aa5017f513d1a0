#pragma once
// Where compressed data can be read on behind damage: at the next gzip member or zstd frame. Nothing in the format
// leads there, so every place that begins like one is tried: what is decompressed without a fault for some KiB is one.
// Bytes that are none have about one chance in 10^11 to begin like a gzip member, one in 10^9 like a zstd frame, and
// hardly any to go on like it.
#include <cstdint>
#include <optional>

#include "core/base/progress.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// A decoder that met damage may have run on over the begin of what follows, so the search begins so far before the
/// place where it gave up; at the latest behind the begin of what is damaged.
inline constexpr std::uint64_t kLookBack = std::uint64_t{1} << 20;
/// With more damaged members or frames a file is given up: each may have been searched from anew.
inline constexpr std::size_t kMostDamages = 100;
/// Places that begin like what is looked for and are tried. None of a thousand is it only where somebody made it so.
inline constexpr std::size_t kMostTries = 1000;

/// The first at or behind `from`; none if there is none, the file cannot be read, or `cancel` (may be null) was
/// cancelled. O(bytes of the file), and of each place that begins like one O(128 KiB).
[[nodiscard]] std::optional<std::uint64_t> find_gzip_member(const FileSource& file, std::uint64_t from,
                                                            const CancelToken* cancel);
[[nodiscard]] std::optional<std::uint64_t> find_zstd_frame(const FileSource& file, std::uint64_t from,
                                                           const CancelToken* cancel);

}  // namespace warpscope::ingest
