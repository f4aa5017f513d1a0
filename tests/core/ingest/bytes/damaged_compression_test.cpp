// Damage inside compressed traces: all events that can be read are shown, and a diagnostic reports the damage.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>

#include "core/trace/file_end.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"
#include "tests/core/ingest/stream_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr std::size_t kLead = 20;  // bytes of headers, where corruption is detected immediately
const int kRounds = sanitized() ? 3 : 12;

/// The text of a generated trace of about 1 MB in which few events are alike.
const std::string& generated_text() {
  static const std::string text = [] {
    const TestFolder folder;
    tracegen::Options options = *tracegen::preset("small");
    options.slices = 4'000;
    options.gpus = 1;
    options.nodes = 1;
    options.format = tracegen::Format::json;
    (void)tracegen::generate(options, folder.path());
    return read_whole(std::filesystem::directory_iterator(folder.path())->path());
  }();
  return text;
}

std::string zstd_without_checksum(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

using Seen = std::tuple<std::string, Ns, Ns>;

std::map<Seen, std::size_t> slices_of(const trace::Profile& profile) {
  std::map<Seen, std::size_t> slices;
  const trace::Rank& rank = *profile.ranks[0];
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rank.rows_of(l) == trace::LaneKind::damaged) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      ++slices[{std::string(profile.names().view(lane.name(i))), lane.time().begin(i), lane.time().duration(i)}];
  }
  return slices;
}

/// Returns the number of slices of `whole` that are in `damaged`.
std::size_t kept(const trace::Profile& damaged, const trace::Profile& whole) {
  std::size_t kept = 0;
  const auto sound = slices_of(whole);
  for (const auto& [slice, count] : slices_of(damaged))
    if (const auto known = sound.find(slice); known != sound.end()) kept += std::min(known->second, count);
  return kept;
}

const Diagnostic* of_damage(const trace::Profile& profile) {
  const auto& all = profile.diagnostics.all();
  const auto found = std::ranges::find(all, "input-damaged", &Diagnostic::code);
  return found == all.end() ? nullptr : &*found;
}

/// Text for one part that is hard to mistake for another part.
std::string part_of(char letter) {
  std::mt19937 random(static_cast<unsigned>(letter));
  std::string text;
  while (text.size() < 200'000) text += std::string(1, letter) + std::to_string(random()) + ",";
  return text;
}

ReadText read_bytes(const std::string& bytes, std::size_t block = 1 << 16) {
  return read_all(TemporaryFile(bytes).path(), {}, block);
}

}  // namespace

TEST_CASE("damaged input: members and frames before a corrupt one are read", "[damage]") {
  const std::array<std::string, 3> texts{part_of('a'), part_of('b'), part_of('c')};
  std::mt19937 random(4);
  for (const bool zst : {false, true}) {
    std::array<std::string, 3> parts;
    for (std::size_t i = 0; i < 3; ++i) parts[i] = zst ? zstd(texts[i]) : gzip(texts[i]);
    for (int round = 0; round < (sanitized() ? 24 : 60); ++round) {
      std::string middle = parts[1];
      const std::size_t at = random() % middle.size();
      const int kind = round % 4;
      if (kind == 0) middle[at] ^= static_cast<char>(1U << random() % 8);
      if (kind == 1)
        std::fill_n(middle.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(4096, middle.size() - at),
                    '\0');
      if (kind == 2) middle.erase(at, 100);
      if (kind == 3) middle.resize(at);
      INFO("zstd " << zst << " round " << round << " at " << at);
      const ReadText read = read_bytes(parts[0] + middle + parts[2], round % 2 == 0 ? 1 << 16 : 0);
      CHECK((read.text.starts_with(texts[0])));
      if (read.text == texts[0] + texts[1] + texts[2]) continue;  // names and times in headers
      REQUIRE(read.error);
    }
  }
}

TEST_CASE("damaged input: the text ends at a part that cannot be decompressed", "[damage]") {
  const std::string bytes = gzip("first") + "\x1f\x8b\x08 nothing of the kind" + gzip("last");
  const TemporaryFile file(bytes);
  auto stream = ingest::open_byte_stream(file.path());
  REQUIRE(stream.ok());
  const ReadText read = read_rest(**stream);
  CHECK(read.text == "first");
  REQUIRE(read.error);
  REQUIRE((*stream)->damage().size() == 1);
  const ingest::InputDamage& damage = (*stream)->damage()[0];
  CHECK(damage.text_end == 5);
  CHECK(contains(damage.error.what, "corrupt near byte "));
  CHECK(contains(damage.error.what, " of " + std::to_string(bytes.size()) + " ("));
}

TEST_CASE("damaged input: a stream is the same for any way of reading and from every offset", "[damage]") {
  const std::string text = generated_text();
  std::mt19937 random(8);
  for (const bool zst : {false, true}) {
    const auto pack = [&](std::size_t from, std::size_t size) {
      return zst ? zstd(text.substr(from, size)) : gzip(text.substr(from, size));
    };
    const std::size_t third = text.size() / 3;
    std::string content = pack(0, third);
    const std::size_t begin = content.size();
    content += pack(third, third);
    const std::size_t end = content.size();
    content += pack(2 * third, text.size());
    for (int round = 0; round < kRounds; ++round) {
      std::string bytes = content;
      for (std::size_t at = begin + kLead + random() % (end - begin - 5000), i = 0; i < 3000; ++i)
        bytes[at + i] = static_cast<char>(random());
      const TemporaryFile file(bytes);
      for (const auto engine : {ingest::GzipEngine::zlib, ingest::GzipEngine::best}) {
        ingest::OpenOptions options;
        options.engine = engine;
        const ReadText once = read_all(file.path(), options, 1 << 16);
        INFO("zstd " << zst << " round " << round << " engine " << static_cast<int>(engine));
        // ISA-L's output for a corrupt block may vary, but its length does not.
        const auto same = [&](const std::string& read, const std::string& expected) {
          CHECK(read.size() == expected.size());
          if (engine == ingest::GzipEngine::zlib) CHECK((read == expected));
        };
        CHECK((once.text.starts_with(text.substr(0, third))));
        same(read_all(file.path(), options, 0).text, once.text);
        for (int i = 0; i < 5; ++i) {
          const std::uint64_t offset = random() % once.text.size();
          auto from = ingest::open_byte_stream_at(file.path(), offset, options);
          REQUIRE(from.ok());
          same(read_rest(**from).text, once.text.substr(offset));
        }
      }
    }
  }
}

TEST_CASE("damaged input: a trace with a changed byte shows the events before it and reports the damage", "[damage]") {
  const std::string& text = generated_text();
  const TestFolder folder;
  const auto whole = load(folder.write("whole.json", text));
  const std::size_t all = whole->ranks[0]->counts.slices;
  std::mt19937 random(6);
  for (const bool zst : {false, true}) {
    const std::string packed = zst ? zstd(text) : gzip(text);
    for (int round = 0; round < 20; round += sanitized() ? 3 : 1) {
      std::string bytes = packed;
      const std::size_t at = bytes.size() * static_cast<std::size_t>(round + 4) / 24;
      bytes[at] ^= static_cast<char>(1U << random() % 8);
      const auto profile = load(folder.write("damaged.json", bytes));
      INFO("zstd " << zst << " round " << round);
      REQUIRE(of_damage(*profile) != nullptr);
      CAPTURE(of_damage(*profile)->example);
      CHECK(of_damage(*profile)->severity == Severity::error);
      CHECK(contains(of_damage(*profile)->example, "; do not rely on this file's numbers"));
      CHECK(trace::unfinished(profile->diagnostics, of_damage(*profile)->file));
      // A zstd block has up to 128 KiB of text and is decompressed entirely or not at all.
      const double before = static_cast<double>(round + 4) / 24 - 0.05 - 131072.0 / static_cast<double>(text.size());
      CHECK(static_cast<double>(kept(*profile, *whole)) >= before * static_cast<double>(all) * 0.8);
    }
  }
}

TEST_CASE("damaged input: blocks that are zeroed, overwritten or missing are reported", "[damage]") {
  const std::string& text = generated_text();
  const TestFolder folder;
  const auto whole = load(folder.write("whole.json", text));
  const std::size_t all = whole->ranks[0]->counts.slices;
  std::mt19937 random(7);
  for (const std::string& packed : {gzip(text), zstd(text), zstd_without_checksum(text)}) {
    for (int round = 0; round < kRounds; ++round) {
      std::string bytes = packed;
      const std::size_t size = std::min<std::size_t>(4096, bytes.size() / 4);
      const std::size_t at = bytes.size() / 2 + random() % (bytes.size() / 2 - size - kLead);
      if (round % 3 == 0) std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, '\0');
      if (round % 3 == 1)
        for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(random());
      if (round % 3 == 2) bytes.erase(at, size);
      const auto profile = load(folder.write("damaged.json", bytes));
      INFO("round " << round << " at " << at << " of " << bytes.size());
      REQUIRE(of_damage(*profile) != nullptr);
      CHECK(kept(*profile, *whole) > all / 4);
    }
  }
}

TEST_CASE("damaged input: a wrong checksum is reported even if all text parses", "[damage]") {
  const std::string& text = generated_text();
  const TestFolder folder;
  const auto whole = load(folder.write("whole.json", text));
  for (const std::size_t back : {std::size_t{2}, std::size_t{6}}) {
    std::string bytes = gzip(text);
    bytes[bytes.size() - back] ^= 0x10;
    const auto profile = load(folder.write("damaged.json.gz", bytes));
    const Diagnostic* const said = of_damage(*profile);
    REQUIRE(said != nullptr);
    const std::string size = std::to_string(bytes.size());
    CHECK(said->example == "the gzip data is corrupt near byte " + size + " of " + size + " (" +
                               (back == 2 ? "length" : "checksum") + "); do not rely on this file's numbers");
    CHECK(said->offset == text.size());
    CHECK(slices_of(*profile) == slices_of(*whole));
  }
  std::string bytes = zstd(text);
  bytes[bytes.size() - 2] ^= 0x10;
  const auto profile = load(folder.write("damaged.json.zst", bytes));
  REQUIRE(of_damage(*profile) != nullptr);
  CHECK(contains(of_damage(*profile)->example, "checksum"));
  CHECK(slices_of(*profile) == slices_of(*whole));
}

TEST_CASE("damaged input: an unreadable event affects no other event", "[damage]") {
  std::string events;
  for (int i = 0; i < 4000; ++i) events += kernel_event("k" + std::to_string(i), 1000 + 20 * i) + ",\n";
  std::string text = trace_of(events + kernel_event("last", 90'000));
  const std::size_t from = text.find("\"k3000\"");
  text.replace(from, 7, "\"k30\": 00");
  std::string bytes = gzip(text);
  bytes[bytes.size() - 6] ^= 1;
  const TestFolder folder;
  const auto profile = load(folder.write("damaged.json.gz", bytes));
  REQUIRE(of_damage(*profile) != nullptr);
  CHECK(of_damage(*profile)->offset == text.size());
  CHECK(profile->ranks[0]->counts.slices >= 4000);
}

TEST_CASE("damaged input: all events of a truncated file are shown, even between stray text", "[damage]") {
  std::string events = kernel_event("first") + " stray " + kernel_event("second") + ",\n";
  for (int i = 0; i < 3000; ++i) events += kernel_event("k" + std::to_string(i), 1000 + 20 * i) + ",\n";
  const std::string bytes = gzip(trace_of(events + kernel_event("last", 90'000)));
  const TestFolder folder;
  const auto profile = load(folder.write("cut.json.gz", bytes.substr(0, bytes.size() - 100)));
  REQUIRE(of_damage(*profile) != nullptr);
  CHECK(contains(of_damage(*profile)->example, "truncated"));
  CHECK(profile->ranks[0]->counts.slices > 2900);
}
