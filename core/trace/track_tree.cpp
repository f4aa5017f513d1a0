#include "core/trace/track_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/display_path.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/recordings.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::trace {

namespace {

// With up to this many ranks, the streams of all ranks are initially expanded; with more, only those of the first rank;
// with kManyRanks or more, none.
constexpr std::size_t kRanksUnfolded = 16;

std::uint64_t key_of(std::string_view text) {
  return static_cast<std::uint64_t>(stable_hash(text)) << 32 | stable_hash(std::string(text) + '\1');
}

/// Returns the format's name for the process, such as "algo-1-905", or the position of a merged rank without a number,
/// such as "TP00-DP01"; "" if there is none.
std::string_view name_of_process(const Rank& rank) {
  if (const std::string_view label = label_in_merged(rank.source.path); !label.empty())
    return rank.number_assigned ? label : std::string_view();
  const auto found = rank.properties.find("process name");
  if (found == rank.properties.end() || found->second.size() < 2) return {};
  return std::string_view(found->second).substr(1, found->second.size() - 2);  // without quotes
}

class TreeBuilder {
 public:
  explicit TreeBuilder(const Profile& profile) : profile_(profile), recordings_(recordings_of(profile.ranks)) {
    for (std::size_t r = 0; r < profile.ranks.size(); ++r) {
      ++files_of_number_[profile.ranks[r]->number];
      ++files_of_recording_[{profile.ranks[r]->number, recordings_.of_rank[r]}];
    }
  }

  TrackTree build() {
    for (std::uint32_t node = 0; node < profile_.nodes.size(); ++node) add_node(node);
    return std::move(tree_);
  }

 private:
  template <class Children>
  void add(TreeEntry entry, const std::string& path, const Children& children) {
    entry.key = key_of(path);
    entry.parent = open_.empty() ? TreeEntry::kNone : open_.back();
    entry.level = static_cast<std::uint16_t>(open_.size());
    const auto index = static_cast<std::uint32_t>(tree_.entries.size());
    tree_.entries.push_back(std::move(entry));
    open_.push_back(index);
    children();
    open_.pop_back();
    tree_.entries[index].end = static_cast<std::uint32_t>(tree_.entries.size());
  }
  void add(TreeEntry entry, const std::string& path) {
    add(std::move(entry), path, [] {});
  }

  void add_node(std::uint32_t index) {
    const Node& node = profile_.nodes[index];
    const std::string path = "node/" + node.key;
    TreeEntry entry{.kind = TreeKind::node, .label = node.label, .note = node.host};
    entry.node = index;
    entry.opens = profile_.ranks.size() <= kMostRanksOfOpenNodes;
    const NodeMetrics* const metrics = node.metrics == Node::kNone ? nullptr : profile_.metrics[node.metrics].get();
    add(entry, path, [&] {
      const auto has_devices = [&](std::uint32_t rank) { return !profile_.ranks[rank]->devices.empty(); };
      const auto sampled = [&](Metric metric, const char* label) {
        if (metrics != nullptr) add_metric_group(index, *metrics, metric, label, path);
      };
      sampled(Metric::cpu_utilisation, "CPU");
      sampled(Metric::io_wait, "CPU I/O wait");
      if (node.gpus > 0) {
        TreeEntry gpus{.kind = TreeKind::node_gpus, .label = "GPUs", .note = "SUM utilization"};
        gpus.node = index;
        add(gpus, path + "/gpus", [&] {
          sampled(Metric::gpu_utilisation, "GPU utilization (sampled)");
          sampled(Metric::gpu_memory, "GPU memory (sampled)");
          for (const std::uint32_t rank : node.ranks)
            if (has_devices(rank)) add_process(index, rank);
        });
      } else {
        sampled(Metric::gpu_utilisation, "GPU utilization (sampled)");
        sampled(Metric::gpu_memory, "GPU memory (sampled)");
      }
      for (const std::uint32_t rank : node.ranks)
        if (!has_devices(rank)) add_process(index, rank);
      if (metrics != nullptr) add_other_metrics(index, *metrics, path);
    });
  }

  void add_metric(std::uint32_t node, const NodeMetrics& metrics, std::size_t item, const std::string& path) {
    const MetricSeries& series = metrics.series()[item];
    TreeEntry entry{.kind = TreeKind::metric, .label = series.counter.name(), .note = series.counter.unit()};
    entry.node = node;
    entry.item = static_cast<std::uint32_t>(item);
    entry.where = profile_.nodes[node].label;
    add(std::move(entry), fmt::format("{}/metric/{}/{}/{}", path, series.type, series.name, series.dimension));
  }

  /// Adds cores or GPUs below their mean; if there is only one, adds it without a mean.
  void add_metric_group(std::uint32_t node, const NodeMetrics& metrics, Metric metric, const char* label,
                        const std::string& path) {
    const std::size_t count = metrics.of(metric).size();
    const std::size_t first = metrics.first_of(metric);
    if (count == 0) return;
    if (count == 1) return add_metric(node, metrics, first, path);
    const bool cores = metric == Metric::cpu_utilisation || metric == Metric::io_wait;
    TreeEntry group{.kind = TreeKind::metric_group,
                    .label = label,
                    .note = fmt::format("mean of {} {}", count, cores ? "cores" : "GPUs")};
    group.node = node;
    group.item = static_cast<std::uint32_t>(metric);
    group.opens = false;
    group.where = profile_.nodes[node].label;
    add(group, fmt::format("{}/metrics/{}", path, static_cast<int>(metric)), [&] {
      for (std::size_t i = first; i < first + count; ++i) add_metric(node, metrics, i, path);
    });
  }

  void add_other_metrics(std::uint32_t node, const NodeMetrics& metrics, const std::string& path) {
    for (const MetricSeries& series : metrics.of(Metric::host_memory))
      add_metric(node, metrics, static_cast<std::size_t>(&series - metrics.series().data()), path);
    const auto group = [&](const char* label, Metric from, Metric to) {
      const std::size_t first = metrics.first_of(from);
      const std::size_t last = metrics.first_of(to) + metrics.of(to).size();
      if (first >= last) return;
      TreeEntry entry{.kind = TreeKind::metrics, .label = label, .note = ""};
      entry.node = node;
      entry.opens = false;
      entry.where = profile_.nodes[node].label;
      add(entry, fmt::format("{}/metrics/{}", path, label), [&] {
        for (std::size_t i = first; i < last; ++i) add_metric(node, metrics, i, path);
      });
    };
    group("Network", Metric::network_received, Metric::network_sent);
    group("Disk", Metric::disk_read, Metric::disk_operations);
    group("Other metrics", Metric::other, Metric::other);
  }

  void add_process(std::uint32_t node, std::uint32_t index) {
    const Rank& rank = *profile_.ranks[index];
    const std::string path = "rank/" + rank.source.path;
    const auto entry_of = [&](TreeKind kind, std::string label, std::string note, std::uint32_t item) {
      TreeEntry entry{.kind = kind, .label = std::move(label), .note = std::move(note)};
      entry.node = node;
      entry.rank = index;
      entry.item = item;
      entry.where = where_of(rank, kind, item);
      return entry;
    };
    TreeEntry process = entry_of(TreeKind::process, fmt::format("HOST-{} PID-{}", node, rank.process),
                                 note_of_rank(index), TreeEntry::kNone);
    const bool first = index == 0;
    const std::size_t ranks = profile_.ranks.size();
    process.opens = ranks <= kRanksUnfolded || (first && ranks < kManyRanks);
    // Groups threads by the device they launch to; threads that launch nothing come last.
    std::vector<std::vector<std::uint32_t>> threads_of(rank.devices.size() + 1);
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
      const Track& track = rank.tracks[t];
      if (track.kind == TrackKind::stream) continue;
      threads_of[track.device < 0 ? rank.devices.size() : static_cast<std::size_t>(track.device)].push_back(t);
    }
    add(process, path, [&] {
      for (std::uint32_t d = 0; d < rank.devices.size(); ++d) {
        const Device& device = rank.devices[d];
        const std::string device_path = fmt::format("{}/gpu{}", path, device.id);
        add(entry_of(TreeKind::gpu_utilisation, fmt::format("GPU-{} utilization", device.id), "", d),
            device_path + "/utilisation");
        add(entry_of(TreeKind::gpu_device, fmt::format("GPU-{} device", device.id), device.model, d),
            device_path + "/device", [&] {
              for (const std::uint32_t stream : device.streams) add_track(entry_of, path, rank, stream, true);
            });
        add_curves(entry_of, device_path, index, d);
        TreeEntry host = entry_of(TreeKind::gpu_host, fmt::format("GPU-{} host", device.id), "", d);
        if (!threads_of[d].empty())
          add(host, device_path + "/host", [&] {
            for (const std::uint32_t thread : threads_of[d]) add_track(entry_of, path, rank, thread, first);
          });
      }
      if (!threads_of.back().empty()) {
        TreeEntry threads = entry_of(TreeKind::threads, "Threads", "", TreeEntry::kNone);
        threads.opens = rank.devices.empty();
        add(threads, path + "/threads", [&] {
          for (const std::uint32_t thread : threads_of.back())
            add_track(entry_of, path, rank, thread, rank.devices.empty());
        });
      }
      add_counters(entry_of, path, rank);
    });
  }

  // Distinguishes files of one rank by recording, and within a recording by path.
  [[nodiscard]] std::string note_of_rank(std::uint32_t index) const {
    const Rank& rank = *profile_.ranks[index];
    std::string note = fmt::format("rank {}", rank.number);
    if (const std::string_view name = name_of_process(rank); !name.empty()) note.append(" · ").append(name);
    const std::string_view parent = forked_from(rank);
    if (!parent.empty()) note.append(" · fork of ").append(parent);
    if (files_of_number_.at(rank.number) < 2) return note;
    const std::uint32_t recording = recordings_.of_rank[index];
    const std::size_t files = files_of_recording_.at({rank.number, recording});
    if (files < files_of_number_.at(rank.number))
      note += fmt::format(" · recording {}, from {}", recording + 1,
                          format_duration(saturating_difference(rank.span.begin, profile_.span.begin)));
    return files < 2 || !parent.empty() ? note : note + " · " + display_path(rank.source.path, profile_.path);
  }

  static std::string where_of(const Rank& rank, TreeKind kind, std::uint32_t item) {
    const bool track = kind == TreeKind::stream || kind == TreeKind::thread;
    const std::int32_t device = track ? rank.tracks[item].device : -1;
    if (device < 0) return fmt::format("rank {}", rank.number);
    return fmt::format("rank {} · GPU-{}", rank.number, rank.devices[static_cast<std::size_t>(device)].id);
  }

  template <class EntryOf>
  void add_track(const EntryOf& entry_of, const std::string& path, const Rank& rank, std::uint32_t index, bool opens) {
    const Track& track = rank.tracks[index];
    const bool stream = track.kind == TrackKind::stream;
    TreeEntry entry = entry_of(stream ? TreeKind::stream : TreeKind::thread, track.label,
                               stream && track.communication ? "communication" : "", index);
    entry.opens = opens;
    add(entry,
        fmt::format("{}/track{}/{}/{}/{}", path, static_cast<int>(track.kind), track.process, track.id, track.label));
  }

  template <class EntryOf>
  void add_counters(const EntryOf& entry_of, const std::string& path, const Rank& rank) {
    if (rank.counters.empty()) return;
    TreeEntry group = entry_of(TreeKind::counters, "Counters", "", TreeEntry::kNone);
    group.opens = false;
    add(group, path + "/counters", [&] {
      for (std::uint32_t c = 0; c < rank.counters.size(); ++c)
        add(entry_of(TreeKind::counter, rank.counters[c].name(), rank.counters[c].unit(), c),
            fmt::format("{}/counter/{}", path, rank.counters[c].name()));
    });
  }

  template <class EntryOf>
  void add_curves(const EntryOf& entry_of, const std::string& path, std::uint32_t rank, std::uint32_t device) {
    if (rank >= profile_.curves.size() || !profile_.curves[rank]) return;
    const RankCurves& curves = *profile_.curves[rank];
    if (std::ranges::none_of(curves, [&](const RankCurve& curve) { return curve.device == device; })) return;
    const std::int64_t id = profile_.ranks[rank]->devices[device].id;
    add(entry_of(TreeKind::curves, fmt::format("GPU-{} queues and memcpys", id), "computed", device), path + "/curves",
        [&] {
          for (std::uint32_t c = 0; c < curves.size(); ++c) {
            if (curves[c].device != device) continue;
            TreeEntry entry = entry_of(TreeKind::curve, curves[c].counter.name(), curves[c].counter.unit(), c);
            entry.where += fmt::format(" · GPU-{}", id);
            add(std::move(entry), fmt::format("{}/curve/{}", path, curves[c].counter.name()));
          }
        });
  }

  const Profile& profile_;
  Recordings recordings_;
  std::unordered_map<std::int64_t, std::size_t> files_of_number_;
  std::map<std::pair<std::int64_t, std::uint32_t>, std::size_t> files_of_recording_;
  TrackTree tree_;
  std::vector<std::uint32_t> open_;
};

}  // namespace

std::uint32_t TrackTree::find_track(std::uint32_t rank, std::uint32_t track) const {
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const TreeEntry& entry = entries[i];
    if (entry.rank == rank && entry.item == track && (entry.kind == TreeKind::stream || entry.kind == TreeKind::thread))
      return i;
  }
  return TreeEntry::kNone;
}

TrackTree build_track_tree(const Profile& profile) { return TreeBuilder(profile).build(); }

}  // namespace warpscope::trace
