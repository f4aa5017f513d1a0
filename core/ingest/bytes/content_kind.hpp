#pragma once
// What a file holds, told by its first bytes. Names lie: tools write gzip data under .json and the reverse.
#include <string_view>

namespace warpscope::ingest {

enum class ContentKind { text, gzip, zstd, foreign };

/// `head`: the first bytes of the file, 512 if it has as many.
[[nodiscard]] ContentKind content_kind(std::string_view head);

/// Names the kind of a foreign content ("a zip archive", "a PNG picture"); "binary data" if it is an unknown one and
/// "" if it may be text.
[[nodiscard]] std::string_view describe_foreign(std::string_view head);

}  // namespace warpscope::ingest
