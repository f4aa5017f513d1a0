#include "core/ingest/formats/sagemaker/system_metrics.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/threads/caught.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"

namespace warpscope::ingest::smdebug {

namespace {

constexpr std::size_t kReadBlock = std::size_t{256} << 10;

/// Positions of a series; series of a node with equal positions share columns.
using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (part, column)

/// Sorts by time and keeps the first row of each time; returns how many rows were dropped.
std::uint64_t settle(trace::MetricColumn& column) {
  const std::vector<Ns>& times = column.times;
  const auto out_of_order = [](Ns a, Ns b) { return a >= b; };
  if (std::adjacent_find(times.begin(), times.end(), out_of_order) == times.end()) return 0;
  std::vector<std::uint32_t> order(times.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; });
  order.erase(
      std::unique(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return times[a] == times[b]; }),
      order.end());
  const std::uint64_t gone = times.size() - order.size();
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

}  // namespace

std::uint64_t stamp_of_files(std::span<const trace::SourceFile* const> files) {
  std::uint64_t stamp = 0xCBF29CE484222325u;
  const auto add = [&](std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) stamp = (stamp ^ (number >> 8 * i & 0xFF)) * 0x100000001B3u;
  };
  for (const trace::SourceFile* file : files) {
    for (const char c : file->path) stamp = (stamp ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    add(file->size);
    add(static_cast<std::uint64_t>(file->modified_ns));
  }
  return stamp;
}

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

std::vector<SystemMetrics::Node> SystemMetrics::look(
    std::span<const trace::SourceFile> files, std::span<const std::shared_ptr<const trace::NodeMetrics>> stored) {
  for (auto& [key, node] : nodes_)
    for (auto& [path, file] : node.files) file.seen = false;
  for (const trace::SourceFile& source : files) {
    const auto name = metrics_file_name(source.path);
    if (!name) continue;
    std::string key = metrics_pattern(name->folder, name->node);
    NodeFiles& node = nodes_[key];
    if (node.key.empty()) {
      node.key = std::move(key);
      node.folder = name->folder;
      node.node = name->node;
    }
    File& file = node.files[source.path];
    if (file.source.path.empty() || !same_state(file.source, source)) {
      file = {};
      file.source = source;
      node.changed = true;
    }
    file.seen = true;
  }
  due_.clear();
  std::vector<Node> result;
  for (auto& [key, node] : nodes_) {
    node.changed |= std::erase_if(node.files, [](const auto& entry) { return !entry.second.seen; }) > 0;
    if (!node.changed) continue;
    std::vector<const trace::SourceFile*> sources;
    for (const auto& [path, file] : node.files) sources.push_back(&file.source);
    node.stored = nullptr;
    for (const auto& known : stored)
      if (known->node() == node.node && known->origin().folder == node.folder &&
          known->origin().stamp == stamp_of_files(sources))
        node.stored = known;
    if (node.stored) continue;
    Node one{node.key, 0, 0};
    for (auto& [path, file] : node.files) {
      if (file.part) continue;
      due_.push_back({&node, &file});
      ++one.files;
      one.bytes += file.source.size;
    }
    result.push_back(std::move(one));
  }
  return result;
}

void SystemMetrics::read(std::size_t i, Progress* progress, const CancelToken* cancel) {
  File& file = *due_[i].file;
  MetricsPart part;
  try {
    part = read_metrics_file(file.source.path, names_, cancel);
  } catch (...) {
    part = {};
    part.diagnostics.add("load-failed", Severity::error, file.source.path, Diagnostic::kNoOffset, caught("").what);
  }
  if (cancel != nullptr && cancel->cancelled()) return;
  file.diagnostics = std::make_shared<const Diagnostics>(std::exchange(part.diagnostics, {}));
  file.part = std::make_shared<const MetricsPart>(std::move(part));
  if (progress != nullptr) progress->done += file.source.size;
}

std::vector<ReadMetrics> SystemMetrics::take_changed(bool hold) {
  std::vector<ReadMetrics> result;
  for (auto node = nodes_.begin(); node != nodes_.end();) {
    NodeFiles& files = node->second;
    if (files.changed) {
      const bool whole = files.stored || std::ranges::all_of(files.files, [](const auto& entry) {
                           return entry.second.part != nullptr;
                         });
      files.changed = !whole;  // cancelled files are due the next time
      ReadMetrics one;
      one.key = files.key;
      one.from_store = files.stored != nullptr;
      one.metrics = files.stored ? std::exchange(files.stored, nullptr) : join(files);
      for (const auto& [path, file] : files.files)
        if (file.diagnostics) one.diagnostics.merge(*file.diagnostics);
      result.push_back(std::move(one));
    }
    if (!hold)
      for (auto& [path, file] : files.files) file.part = nullptr;
    node = files.files.empty() ? nodes_.erase(node) : std::next(node);
  }
  return result;
}

std::shared_ptr<const trace::NodeMetrics> SystemMetrics::join(const NodeFiles& node) const {
  trace::NodeMetrics::Origin origin;
  origin.node = node.node;
  origin.folder = node.folder;
  std::vector<const MetricsPart*> parts;
  std::vector<const trace::SourceFile*> sources;
  bool whole = true;
  for (const auto& [path, file] : node.files) {
    sources.push_back(&file.source);
    origin.bytes += file.source.size;
    whole = whole && file.part;
    if (!file.part) continue;
    parts.push_back(file.part.get());
    origin.repeated += file.part->repeated;
  }
  origin.files = node.files.size();
  if (whole) origin.stamp = stamp_of_files(sources);  // otherwise no scan may treat it as complete

  // Collects the positions of each series; series with equal positions form one column.
  std::map<std::uint32_t, Places> places_of;
  for (std::uint32_t p = 0; p < parts.size(); ++p)
    for (std::uint32_t c = 0; c < parts[p]->columns.size(); ++c)
      for (const std::uint32_t series : parts[p]->columns[c].series) places_of[series].emplace_back(p, c);
  std::map<Places, std::vector<std::uint32_t>> together;
  for (auto& [series, places] : places_of) together[std::move(places)].push_back(series);

  std::vector<trace::MetricColumn> columns;
  for (const auto& [places, members] : together) {
    trace::MetricColumn column;
    for (const std::uint32_t number : members) {
      MetricNames::Name name = names_[number];
      column.series.push_back({std::move(name.type), std::move(name.name), std::move(name.dimension), {}});
    }
    for (const auto& [p, c] : places) {
      const MetricsPart::Column& from = parts[p]->columns[c];
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

}  // namespace warpscope::ingest::smdebug
