#pragma once
// The list of all supported trace formats.
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

/// Returns the formats in the order they are tried. They have static lifetime.
[[nodiscard]] std::span<const TraceFormat* const> trace_formats();

/// The format that recognizes a file name.
struct NamedFormat {
  const TraceFormat* format = nullptr;
  NamedFile file;
};
[[nodiscard]] std::optional<NamedFormat> format_by_name(std::string_view path);

/// Returns true if a format recognizes the file.
[[nodiscard]] bool is_recognized(const FileHead& head);
/// Returns the first format that recognizes the file. If none does, returns the first in the list, whose reader reports
/// the problem.
[[nodiscard]] const TraceFormat& format_of(const FileHead& head);
/// Returns the format of a file or group, based on its name if that suffices, otherwise on the start of its text.
[[nodiscard]] const TraceFormat& format_of(const std::string& path);
/// True for PyTorch profiler formats, whose ranks lack kFormatProperty.
[[nodiscard]] bool is_pytorch(const TraceFormat& format);
/// Returns the format of a rank's source.
[[nodiscard]] const TraceFormat& format_of(const trace::Rank& rank);

// These functions try the formats in order and return the first result (see trace_format.hpp).
[[nodiscard]] std::optional<std::string> group_of(std::string_view path);
[[nodiscard]] std::optional<Copy> copy_of(const FileHead& head);

}  // namespace warpscope::ingest
