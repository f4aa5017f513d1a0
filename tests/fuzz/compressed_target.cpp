// gzip and zstd with arbitrary bytes: reading terminates, gives the same result every time, and does not depend on
// portion sizes.
#include <algorithm>
#include <optional>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

struct Content {
  std::string bytes;
  std::optional<std::string> failure;
};

/// Reads at most `most` bytes, `portion` at a time.
std::optional<Content> read_all(const std::string& path, ingest::GzipEngine engine, std::size_t file_size,
                                std::size_t portion, std::size_t most) {
  const auto stream = ingest::open_byte_stream(path, ingest::OpenOptions{.engine = engine});
  if (!stream) {
    require(!stream.error().message().empty(), "an error has a message");
    return std::nullopt;
  }
  Content content;
  std::vector<char> block(portion);
  std::uint64_t used = 0;
  while (content.bytes.size() < most) {
    const auto got = (*stream)->read(block);
    require((*stream)->consumed() >= used && (*stream)->consumed() <= file_size, "a stream goes on through its file");
    used = (*stream)->consumed();
    if (!got) {
      content.failure = got.error().message();
      const auto again = (*stream)->read(block);
      require(!again.ok() && again.error().message() == *content.failure, "an error stays");
      break;
    }
    require(*got <= portion, "no more than fits");
    if (*got == 0) {
      const auto again = (*stream)->read(block);
      require(again.ok() && *again == 0, "an end stays");
      break;
    }
    content.bytes.append(block.data(), *got);
  }
  content.bytes.resize(std::min(content.bytes.size(), most));
  return content;
}

}  // namespace

void run_compressed(std::string_view input) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  constexpr std::size_t kPortions = 2000;
  Controls controls(input, 3);
  const std::size_t portion = 1 + controls.below(5000);
  const auto engine = controls.byte() % 2 == 0 ? ingest::GzipEngine::zlib : ingest::GzipEngine::best;
  const MemoryFile file(input);
  const auto whole = read_all(file.path(), engine, input.size(), std::size_t{256} << 10, kMost);
  if (!whole) return;
  const std::size_t most = std::min(kMost, portion * kPortions);
  const auto pieces = read_all(file.path(), engine, input.size(), portion, most);
  require(pieces.has_value(), "a file that opens opens again");
  const std::size_t common = std::min(whole->bytes.size(), pieces->bytes.size());
  if (engine == ingest::GzipEngine::zlib || !whole->failure)
    require(whole->bytes.compare(0, common, pieces->bytes, 0, common) == 0, "portions make no difference");
  require(pieces->bytes.size() <= whole->bytes.size(), "portions make no more of it");
  if (pieces->bytes.size() == most) return;
  require(whole->bytes.size() <= pieces->bytes.size(), "portions reach the same end");
  require(pieces->failure.has_value() == whole->failure.has_value(), "portions meet the same error");
}

}  // namespace warpscope::fuzz
