#include "core/ingest/formats/sagemaker/metrics_reader.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"

namespace warpscope::ingest::smdebug {

namespace {

constexpr std::size_t kReadBlock = std::size_t{256} << 10;

/// Positions of a series; a node's series with equal positions share columns.
using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (part, column)

/// Sorts by time and keeps the first row for each time; returns the number of rows dropped.
std::uint64_t settle(trace::MetricColumn& column) {
  const std::vector<Ns>& times = column.times;
  if (std::ranges::adjacent_find(times, std::greater_equal<>()) == times.end()) return 0;
  std::vector<std::uint32_t> order(times.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto time_of = [&](std::uint32_t i) { return times[i]; };
  std::ranges::stable_sort(order, {}, time_of);
  const auto repeated = std::ranges::unique(order, {}, time_of);
  const std::uint64_t gone = repeated.size();
  order.erase(repeated.begin(), repeated.end());
  const auto ordered = [&](const auto& values) {
    std::remove_cvref_t<decltype(values)> result;
    result.reserve(order.size());
    for (const std::uint32_t i : order) result.push_back(values[i]);
    return result;
  };
  for (trace::MetricColumn::Series& one : column.series) one.values = ordered(one.values);
  column.times = ordered(column.times);
  return gone;
}

struct ReadPart {
  GroupFile file;
  std::shared_ptr<const MetricsPart> samples;  // null: not read
};

struct MetricsState final : ReaderState {
  std::shared_ptr<MetricNames> names = std::make_shared<MetricNames>();
  std::vector<ReadPart> parts;  // in time order
};

/// Returns the source's files, including samples for files unchanged since `earlier`.
std::vector<ReadPart> parts_of(const trace::SourceFile& source, const MetricsState* earlier) {
  std::vector<GroupFile> files;
  if (is_group(source.path))
    files = files_of_group(source.path);
  else
    files.push_back({source.path, source.size, source.modified_ns, source.inode});
  std::unordered_map<std::string_view, const ReadPart*> known;
  if (earlier != nullptr)
    for (const ReadPart& part : earlier->parts) known.emplace(part.file.path, &part);
  std::vector<ReadPart> parts;
  for (GroupFile& file : files) {
    if (file.size == 0 || !metrics_file_name(file.path)) continue;  // discovery reports these
    const auto before = known.find(file.path);
    const bool same = before != known.end() && before->second->file == file;
    parts.push_back({std::move(file), same ? before->second->samples : nullptr});
  }
  return parts;
}

std::shared_ptr<const trace::NodeMetrics> join(trace::NodeMetrics::Origin origin, const std::vector<ReadPart>& parts,
                                               const MetricNames& names) {
  // Collects the positions of each series; series with equal positions form one column.
  std::map<std::uint32_t, Places> places_of;
  for (std::uint32_t p = 0; p < parts.size(); ++p)
    for (std::uint32_t c = 0; c < parts[p].samples->columns.size(); ++c)
      for (const std::uint32_t series : parts[p].samples->columns[c].series) places_of[series].emplace_back(p, c);
  std::map<Places, std::vector<std::uint32_t>> together;
  for (auto& [series, places] : places_of) together[std::move(places)].push_back(series);

  std::vector<trace::MetricColumn> columns;
  for (const auto& [places, members] : together) {
    trace::MetricColumn column;
    for (const std::uint32_t number : members) {
      MetricNames::Name name = names[number];
      column.series.push_back({std::move(name.type), std::move(name.name), std::move(name.dimension), {}});
    }
    for (const auto& [p, c] : places) {
      const MetricsPart::Column& from = parts[p].samples->columns[c];
      column.times.insert(column.times.end(), from.times.begin(), from.times.end());
      for (std::size_t m = 0; m < members.size(); ++m) {
        const auto at = std::lower_bound(from.series.begin(), from.series.end(), members[m]) - from.series.begin();
        const auto first = from.values.begin() + at * static_cast<std::ptrdiff_t>(from.times.size());
        auto& values = column.series[m].values;
        values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(from.times.size()));
      }
    }
    origin.repeated += settle(column) * members.size();
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return nullptr;
  return std::make_shared<const trace::NodeMetrics>(std::move(origin), std::move(columns));
}

}  // namespace

MetricsPart read_metrics_file(const std::string& path, MetricNames& names, const CancelToken* cancel) {
  MetricsText text(names, path);
  std::optional<Error> failure;
  bool opened = false;
  if (auto stream = open_byte_stream(path, cancel); !stream) {
    failure = stream.error();
  } else {
    opened = true;
    std::vector<char> block(std::clamp<std::size_t>((*stream)->stamp().size + 1, 1, kReadBlock));
    for (;;) {
      const auto got = (*stream)->read(block);
      if (!got) failure = got.error();
      if (!got || *got == 0) break;
      text.push({block.data(), *got});
    }
  }
  MetricsPart part = text.finish();
  if (failure)
    part.diagnostics.add(opened ? "input-damaged" : "unreadable-file", Severity::error, path, Diagnostic::kNoOffset,
                         failure->what);
  return part;
}

Result<std::unique_ptr<FileContents>> MetricsReader::read() {
  if (!is_group(source_.path) && !metrics_file_name(source_.path)) {
    auto unknown = std::make_unique<FileContents>();
    unknown->no_trace = Error{source_.path, "looks like SageMaker's system metrics, but is not named like them",
                              "use the name system/incremental/YYYYMMDDHH/EPOCH.algo-N.json"};
    return unknown;
  }
  const auto* const earlier = dynamic_cast<const MetricsState*>(options_.earlier.get());
  const auto state = std::make_shared<MetricsState>();
  if (earlier != nullptr) state->names = earlier->names;
  state->parts = parts_of(source_, earlier);
  std::vector<ReadPart*> due;
  for (ReadPart& part : state->parts) {
    if (!part.samples)
      due.push_back(&part);
    else if (options_.progress != nullptr)
      options_.progress->done += part.file.size;
  }
  units_.run(due.size(), [&](std::size_t i) {
    auto samples =
        std::make_shared<const MetricsPart>(read_metrics_file(due[i]->file.path, *state->names, options_.cancel));
    if (options_.cancel != nullptr && options_.cancel->cancelled()) return;
    due[i]->samples = std::move(samples);
    if (options_.progress != nullptr) options_.progress->done += due[i]->file.size;
  });

  auto contents = std::make_unique<FileContents>();
  contents->has_rank = false;
  trace::NodeMetrics::Origin origin;
  origin.source = source_.path;
  for (const ReadPart& part : state->parts) {
    if (origin.node.empty()) origin.node = metrics_file_name(part.file.path)->node;
    ++origin.files;
    origin.bytes += part.file.size;
    if (part.samples) {
      origin.repeated += part.samples->repeated;
      contents->pending.diagnostics.merge(part.samples->diagnostics);
    } else {
      contents->cancelled = true;
    }
  }
  std::vector<ReadPart> parts = state->parts;
  std::erase_if(parts, [](const ReadPart& part) { return !part.samples; });
  contents->text_bytes = origin.bytes;
  contents->data.metrics = join(std::move(origin), parts, *state->names);
  contents->state = state;
  return contents;
}

}  // namespace warpscope::ingest::smdebug
