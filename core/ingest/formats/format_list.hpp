#pragma once
// The list of all readable trace formats.
#include <optional>
#include <span>
#include <string>

#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

/// Returns the formats in the order in which they are tried. They live as long as the program.
[[nodiscard]] std::span<const TraceFormat* const> trace_formats();

/// Returns the first format that recognizes the file, else the first of the list, whose reader reports what is wrong.
[[nodiscard]] const TraceFormat& format_of(const FileHead& head);
/// Returns the format a rank was read from.
[[nodiscard]] const TraceFormat& format_of(const trace::Rank& rank);

/// Returns the first kFormatHead bytes of a file's text; nullopt if it cannot be opened. Text after corruption is
/// missing.
[[nodiscard]] std::optional<std::string> read_head(const std::string& path);

}  // namespace warpscope::ingest
