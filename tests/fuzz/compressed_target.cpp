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
  std::optional<std::uint64_t> sound_end;  // bytes before the first damage, if any
  std::shared_ptr<const ingest::Checkpoints> checkpoints;
};

/// Reads at most `most` bytes, `portion` at a time.
std::optional<Content> read_all(const std::string& path, ingest::GzipEngine engine, std::size_t file_size,
                                std::size_t portion, std::size_t most) {
  ingest::OpenOptions options{.engine = engine};
  options.keep_checkpoints = true;
  const auto stream = ingest::open_byte_stream(path, options);
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
  if (!(*stream)->damage().empty()) content.sound_end = (*stream)->damage().front().text_end;
  content.checkpoints = (*stream)->checkpoints();
  return content;
}

/// Text after damage must have the same offsets when it is read again from there.
void check_behind_damage(const std::string& path, const Content& whole, ingest::GzipEngine engine,
                         std::size_t portion) {
  const ingest::Checkpoint* const last = whole.checkpoints ? whole.checkpoints->before(whole.bytes.size()) : nullptr;
  if (last == nullptr || !last->behind_damage || last->text >= whole.bytes.size()) return;
  const auto stream =
      ingest::open_byte_stream_at(path, last->text, whole.checkpoints.get(), ingest::OpenOptions{.engine = engine});
  require(stream.ok(), "behind damage reading goes on");
  const std::string_view wanted = std::string_view(whole.bytes).substr(last->text);
  std::vector<char> block(portion);
  const auto got = (*stream)->read(block);
  require(got.ok() && wanted.starts_with({block.data(), std::min(*got, wanted.size())}), "offsets behind damage hold");
}

}  // namespace

void run_compressed(std::string_view input) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  constexpr std::size_t kPortions = 2000;
  // The output of a fast engine for a damaged block may vary by this many bytes with the portion size; see
  // inflater.hpp.
  constexpr std::size_t kLoose = 1024;
  Controls controls(input, 3);
  const std::size_t portion = 1 + controls.below(5000);
  const bool exact = controls.byte() % 2 == 0;
  const auto engine = exact ? ingest::GzipEngine::zlib : ingest::GzipEngine::best;
  const MemoryFile file(input);
  const auto whole = read_all(file.path(), engine, input.size(), std::size_t{256} << 10, kMost);
  if (!whole) return;
  const std::size_t most = std::min(kMost, portion * kPortions);
  const auto pieces = read_all(file.path(), engine, input.size(), portion, most);
  require(pieces.has_value(), "a file that opens opens again");
  check_behind_damage(file.path(), *whole, engine, portion);
  // A fast engine returns a varying amount of each damaged member, and may find different text after it, so nothing can
  // be checked there.
  const bool firm = exact || !whole->failure || !whole->sound_end;
  const std::size_t sound = firm ? kMost : *whole->sound_end - std::min<std::uint64_t>(*whole->sound_end, kLoose);
  const std::size_t common = std::min({whole->bytes.size(), pieces->bytes.size(), sound});
  require(whole->bytes.compare(0, common, pieces->bytes, 0, common) == 0, "portions make no difference");
  if (!firm) return;
  require(pieces->bytes.size() <= whole->bytes.size(), "portions make no more of it");
  if (pieces->bytes.size() == most) return;
  require(whole->bytes.size() <= pieces->bytes.size(), "portions reach the same end");
  require(pieces->failure.has_value() == whole->failure.has_value(), "portions meet the same error");
}

}  // namespace warpscope::fuzz
