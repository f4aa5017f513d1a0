// The format documentation is correct: an independent Python reader returns the contents of the original profile.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include "core/ingest/load/store_builder.hpp"
#include "core/store/event_archive.hpp"
#include "core/trace/system_metrics.hpp"
#include "tests/core/store/store_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string hex(std::string_view text) {
  std::string digits;
  for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

struct TimeSums {
  std::uint64_t begins = 0;
  std::uint64_t durations = 0;

  explicit TimeSums(const trace::TimeColumn& time) {
    for (std::uint32_t i = 0; i < time.size(); ++i) {
      begins += static_cast<std::uint64_t>(time.begin(i));
      durations += static_cast<std::uint64_t>(time.duration(i));
    }
  }
};

std::uint64_t sum_of(const auto& values) { return std::accumulate(values.begin(), values.end(), std::uint64_t{0}); }

void describe_lane(const trace::Profile& profile, const trace::Lane& lane, std::string& out) {
  const TimeSums sums(lane.time());
  std::uint64_t names = 0;
  std::uint64_t categories = 0;
  std::uint64_t families = 0;
  std::uint64_t offsets = 0;
  for (std::uint32_t i = 0; i < lane.size(); ++i) {
    names += profile.names().view(lane.name(i)).size() * (i % 7 + 1);
    categories += profile.categories().name(lane.category(i)).size() * (i % 5 + 1);
    if (!lane.folded()) families += (static_cast<std::uint64_t>(lane.tree().family(i)) + 1) * (i % 3 + 1);
    offsets += lane.event(i);
  }
  out += fmt::format("lane {} {} {} {} {} {} {} {} {}\n", static_cast<int>(lane.kind()), lane.depth(), lane.size(),
                     sums.begins, sums.durations, names, categories, families, offsets);
  const trace::IntervalTree& tree = lane.tree();
  if (lane.folded()) {
    const TimeSums united(tree.time());
    out += fmt::format("union {} {} {}\n", tree.size(), united.begins, united.durations);
  } else if (!tree.single_family()) {
    out += "families";
    const trace::BusyTime busy = tree.busy_by_family_before_block(tree.time().blocks());
    for (std::size_t f = 0; f < trace::kFamilies; ++f)
      if (tree.families_present() & (1u << f)) out += fmt::format(" {} {}", f, busy.by_family[f]);
    out += "\n";
  }
}

void describe_texts(const trace::Rank& rank, const store::EventArchiveReader& archive, std::string& out) {
  std::map<std::uint64_t, store::EventFacts> facts;
  for (const trace::Lane& lane : rank.lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      facts[lane.event(i)] = {lane.time().begin(i), lane.time().duration(i)};
  std::string texts;
  for (const auto& [offset, known] : facts) {
    const auto text = archive.read(offset, known);
    REQUIRE(text.ok());
    texts += *text;
  }
  out += fmt::format("texts {} {}\n", facts.size(),
                     store::fnv1a({reinterpret_cast<const std::uint8_t*>(texts.data()), texts.size()}));
}

void describe_rank(const trace::Profile& profile, const trace::Rank& rank, const store::EventArchiveReader* archive,
                   std::string& out) {
  out += fmt::format("rank {} {} {} {} {} {}\n", rank.number, rank.world_size, rank.number_assigned ? 1 : 0,
                     hex(rank.host), rank.process, rank.lane_start.back());
  out += fmt::format("counts {} {} {} {} {} {}\n", rank.counts.events, rank.counts.slices, rank.counts.runs,
                     rank.counts.launches, rank.span.begin, rank.span.end);
  out += "properties";
  for (const auto& [key, json] : rank.properties) out += " " + hex(key) + " " + hex(json);
  out += "\nannotations";
  for (const auto& [family, count] : rank.annotations) out += fmt::format(" {} {}", hex(family), count);
  std::map<std::string, std::uint64_t> categories;
  for (const auto& [id, count] : rank.counts.by_category) categories[hex(profile.categories().name(id))] = count;
  out += "\ncategories";
  for (const auto& [name, count] : categories) out += fmt::format(" {} {}", name, count);
  out += "\n";
  for (const Diagnostic& entry : rank.diagnostics.all())
    out += fmt::format("diagnostic {} {} {} {} {} {}\n", hex(entry.code), static_cast<int>(entry.severity), entry.count,
                       hex(entry.file), static_cast<std::int64_t>(entry.offset), hex(entry.example));
  for (const trace::Track& track : rank.tracks)
    out += fmt::format("track {} {} {} {} {} {} {} {} {}\n", static_cast<int>(track.kind), hex(track.label),
                       track.process, track.id, track.lane_count, track.launches, track.device,
                       track.communication ? 1 : 0, track.runs ? 1 : 0);
  for (const trace::Lane& lane : rank.lanes) describe_lane(profile, lane, out);
  for (const trace::Device& device : rank.devices) {
    out += fmt::format("device {} {}", device.id, hex(device.model));
    for (const std::uint32_t stream : device.streams) out += fmt::format(" {}", stream);
    out += fmt::format(" {} {}\n", device.busy.get().size(),
                       device.busy.get().busy_before_block(device.busy.get().time().blocks()));
  }
  const trace::BusyCurve curve = trace::busy_curve_of(rank);
  out += fmt::format("curve {}", curve.busy);
  for (const auto* part : {&curve.computation, &curve.communication, &curve.memory})
    out += fmt::format(" {}", std::accumulate(part->begin(), part->end(), std::uint64_t{0}));
  out += "\n";
  for (const trace::Counter& counter : rank.counters) {
    std::uint64_t times = 0;
    double values = 0;
    for (std::size_t i = 0; i < counter.size(); ++i) {
      times += static_cast<std::uint64_t>(counter.time(i));
      values += static_cast<double>(counter.value(i));
    }
    out += fmt::format("counter {} {} {} {} {:.6g}\n", hex(counter.name()), hex(counter.unit()), counter.size(), times,
                       values);
  }
  for (const trace::Step& step : rank.steps)
    out += fmt::format("step {} {} {} {}\n", hex(profile.names().view(step.name)), step.time.begin, step.time.end,
                       step.slice);
  const auto pairs = [&](const char* what, const trace::Connections& connections) {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    for (const trace::Connection& pair : connections.all()) {
      from += pair.from;
      to += pair.to;
    }
    out += fmt::format("{} {} {} {}\n", what, connections.size(), from, to);
  };
  pairs("launches", rank.launches);
  pairs("forward_backward", rank.forward_backward);
  pairs("graph_edges", rank.graph_edges);
  if (archive != nullptr) describe_texts(rank, *archive, out);
  out += fmt::format("transfers {} {} {}\n", rank.transfers.size(), sum_of(rank.transfers.slices()),
                     sum_of(rank.transfers.bytes()));
}

void describe_metrics(const trace::NodeMetrics& metrics, std::string& out) {
  const trace::NodeMetrics::Origin& origin = metrics.origin();
  out += fmt::format("metrics {} {} {} {} {}\n", hex(origin.node), hex(origin.source), origin.files, origin.bytes,
                     origin.repeated);
  std::map<std::tuple<std::string, std::string, std::string>, std::string> lines;
  for (const trace::MetricColumn& column : metrics.columns())
    for (const trace::MetricColumn::Series& one : column.series) {
      std::uint64_t times = 0;
      for (const Ns time : column.times) times += static_cast<std::uint64_t>(time);
      double values = 0;
      for (const float value : one.values) values += static_cast<double>(value);
      lines[{one.type, one.name, one.dimension}] =
          fmt::format("series {} {} {} {} {} {:.6g}\n", hex(one.type), hex(one.name), hex(one.dimension),
                      column.times.size(), times, values);
    }
  for (const auto& [name, line] : lines) out += line;
}

std::string described(const trace::Profile& profile, const store::StoreFile& file) {
  std::string out = fmt::format("root {} sources {}\n", hex(profile.path), profile.ranks.size());
  for (std::size_t i = 0; i < profile.ranks.size(); ++i) {
    const store::SourceKey& key = file.sources()[i].key;
    out += fmt::format("source {} {} {} {} {} {}\n", hex(key.path), key.size, key.modified_ns, key.inode,
                       key.text_bytes, key.edges);
    const auto archive = store::EventArchiveReader::open(file, i);
    describe_rank(profile, *profile.ranks[i], archive.ok() ? archive->get() : nullptr, out);
  }
  for (const auto& metrics : profile.metrics) describe_metrics(*metrics, out);
  return out;
}

void check(const trace::Profile& profile, bool with_texts) {
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  if (with_texts) {
    const CancelToken cancel;
    const auto builder = ingest::StoreBuilder::create(path, dictionary_of(profile), {.cancel = &cancel});
    REQUIRE(builder.ok());
    for (const auto& rank : profile.ranks) REQUIRE_FALSE((*builder)->add(rank));
    for (const auto& metrics : profile.metrics) REQUIRE_FALSE((*builder)->add_metrics(*metrics));
    REQUIRE_FALSE((*builder)->finish(profile.path, profile.diagnostics));
  } else {
    write_store(profile, path);
  }
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  CHECK(file->sources().front().archive.has_value() == with_texts);
  const std::string script = (source_dir() / "tests/core/store/read_store.py").string();
  const std::string said = output_of("python3 '" + script + "' '" + path + "' 2>&1");
  const std::string expected = described(profile, *file);
  if (said == expected) {
    SUCCEED();
    return;
  }
  const auto differs = std::mismatch(said.begin(), said.end(), expected.begin(), expected.end());
  const auto at = static_cast<std::size_t>(differs.first - said.begin());
  const std::size_t from = at < 200 ? 0 : at - 200;
  FAIL_CHECK("python says\n" << said.substr(from, 600) << "\nand not\n" << expected.substr(from, 600));
}

bool python_is_there() {
  if (output_of("python3 -c 'print(1)' 2>/dev/null") == "1\n") return true;
  WARN("no python3: the reader written from the document is not tried");
  return false;
}

}  // namespace

TEST_CASE("a reader written from the format documentation reads generated traces") {
  if (!python_is_there()) return;
  using tracegen::Defect;
  // Two defects per trace, because Python takes most of a second for each trace.
  for (const auto& [one, other] :
       {std::pair(Defect::counters, Defect::absurd_duration), std::pair(Defect::negative_duration, Defect::async)}) {
    tracegen::Options options = *tracegen::preset("small");
    options.shapes = true;
    options.metrics_interval_ns = 1'000'000'000;
    for (const Defect defect : {one, other}) options.defects.push_back({defect, tracegen::DefectAt::kLastRank});
    const TestFolder folder;
    write_set(folder, tracegen::generate_in_memory(options));
    check(*load(folder.path()), true);
  }
}

TEST_CASE("a reader written from the format documentation reads columns in several chunks, and folded lanes") {
  if (!python_is_there()) return;
  std::mt19937_64 random(4);
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const auto dense = rank_of_row(trace::testing::random_row(random, 80'000, 1'700'000'000'000'000'000, 5), *dictionary,
                                 trace::LaneKind::nested, random);
  trace::testing::Row row = trace::testing::random_row(random, 2000, 1'000'000, 1);
  for (std::size_t i = 0; i < row.slices.size(); i += 3) row.slices[i].end += 20'000;
  const auto folded = rank_of_row(row, *dictionary, trace::LaneKind::folded, random);
  folded->number = 1;
  check(*trace::assemble_profile("rows", dictionary, {dense, folded}, {}, true), false);
}
