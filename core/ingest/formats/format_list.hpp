#pragma once
// All formats of traces that can be read: the one place that lists them.
#include <optional>
#include <span>
#include <string>

#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

/// In the order in which they are asked. They live as long as the program.
[[nodiscard]] std::span<const TraceFormat* const> trace_formats();

/// The format of a file: the first that recognizes it, else the first of all, whose reader says what is wrong with it.
[[nodiscard]] const TraceFormat& format_of(const FileHead& head);
/// The format that a rank was read from.
[[nodiscard]] const TraceFormat& format_of(const trace::Rank& rank);

/// The first kFormatHead bytes of a file's text; nothing if it cannot be opened. What comes behind damage is missing.
[[nodiscard]] std::optional<std::string> read_head(const std::string& path);

}  // namespace warpscope::ingest
