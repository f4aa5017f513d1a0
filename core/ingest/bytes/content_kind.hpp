#pragma once
// Detects a file's type from its first bytes. Names are unreliable: tools write gzip data to .json files, and JSON to
// .gz files.
#include <cstddef>
#include <string_view>

namespace warpscope::ingest {

/// Number of leading bytes that determine a file's type.
inline constexpr std::size_t kContentHead = 512;

enum class ContentKind { text, gzip, zstd, foreign };

/// True for a dictionary in Python's marshal format, as saved by cProfile: either empty or with a 3-tuple as its first
/// key. Such files are binary but are read like text.
[[nodiscard]] bool is_marshal_dictionary(std::string_view head);

/// `head`: the first kContentHead bytes of the file, or the whole file if it is shorter.
[[nodiscard]] ContentKind content_kind(std::string_view head);

/// True for text that starts with '{', as in Kineto traces, or with '[', as in bare arrays of events. A byte order mark
/// and white space may precede either.
[[nodiscard]] bool begins_like_json(std::string_view head);

/// Returns a description of unsupported content ("a zip archive", "a PNG image"); "binary data" if unknown, "" if it
/// may be text.
[[nodiscard]] std::string_view describe_foreign(std::string_view head);

}  // namespace warpscope::ingest
