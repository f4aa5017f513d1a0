#pragma once
// Detects the kind of a file by its first bytes. Names are unreliable: tools write gzip data to .json files, and JSON
// to .gz files.
#include <string_view>

namespace warpscope::ingest {

enum class ContentKind { text, gzip, zstd, foreign };

/// True for a dictionary in Python's marshal format that is empty or whose first key is a tuple of three values, as
/// cProfile saves it. It is not text, but is read like text.
[[nodiscard]] bool is_marshal_dictionary(std::string_view head);

/// `head`: the first 512 bytes of the file, or all if it has fewer.
[[nodiscard]] ContentKind content_kind(std::string_view head);

/// Returns a name for other content ("a zip archive", "a PNG picture"); "binary data" if unknown, "" if it may be
/// text.
[[nodiscard]] std::string_view describe_foreign(std::string_view head);

}  // namespace warpscope::ingest
