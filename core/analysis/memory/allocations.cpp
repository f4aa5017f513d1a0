// allocations: memory allocated by operators, blocks alive at the peak, and memory in use after each step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "core/analysis/memory/memory_blocks.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::allocations {

namespace {

constexpr std::string_view kRowLimit = "row_limit";
constexpr std::string_view kOutside = "(outside operators)";
constexpr std::int64_t kMemoryOfHost = -1;
constexpr std::array kParameters{integer_parameter(kRowLimit, "number of curve points per rank; 0 for all", "1000")};

/// A device of a rank; -1 for host memory.
struct DeviceKey {
  std::int64_t rank = 0;
  std::int64_t device = kMemoryOfHost;

  friend auto operator<=>(const DeviceKey&, const DeviceKey&) = default;
};

std::string device_cell(std::int64_t device) {
  if (device < kMemoryOfHost) return "(not recorded)";
  return device == kMemoryOfHost ? std::string("host") : fmt::format("GPU {}", device);
}
std::string_view op_text(std::string_view op) { return op.empty() ? kOutside : op; }
std::int64_t device_of(const MemoryChange& change) { return change.on_device ? change.device : kMemoryOfHost; }

struct DeviceSum {
  std::uint64_t allocations = 0, releases = 0;
  std::int64_t first = 0, last = 0, peak = 0, reserved = -1;
  Ns peak_time = 0;
  std::uint32_t peak_change = 0;
  bool any = false;
};

struct OpSum {
  std::uint64_t allocations = 0;
  std::int64_t allocated = 0, released = 0, largest = 0;
};

class Tables {
 public:
  explicit Tables(const AnalysisInput& input)
      : input_(input), limit_(static_cast<std::size_t>(input.values.integer(kRowLimit))) {}

  void add_rank(std::uint32_t r, const RankMemory& memory) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    std::map<std::int64_t, DeviceSum> devices;
    std::map<std::int64_t, UsedMemory> used;
    std::map<std::int64_t, std::vector<Point>> curves;
    for (std::uint32_t c = 0; c < memory.changes.size(); ++c) {
      const MemoryChange& change = memory.changes[c].change;
      const std::int64_t device = device_of(change);
      used[device].add(change);
      const std::int64_t now = used[device].used();
      DeviceSum& sum = devices[device];
      if (!sum.any) sum.first = now - change.bytes;
      if (!sum.any || now > sum.peak) {
        sum.peak = now;
        sum.peak_time = change.time;
        sum.peak_change = c;
      }
      sum.any = true;
      sum.last = now;
      sum.reserved = std::max(sum.reserved, change.reserved);
      ++(change.bytes >= 0 ? sum.allocations : sum.releases);
      curves[device].push_back({change.time, now, change.reserved});
      OpSum& op = ops_[{std::string(op_text(memory.changes[c].op)), device >= 0}];
      op.allocations += change.bytes >= 0 ? 1 : 0;
      (change.bytes >= 0 ? op.allocated : op.released) += std::abs(change.bytes);
      op.largest = std::max(op.largest, change.bytes);
    }
    for (const auto& [device, sum] : devices) {
      devices_.add_row({rank.number, device_cell(device), sum.peak, sum.peak_time - input_.profile.span.begin,
                        sum.reserved < 0 ? Cell() : Cell(sum.reserved), sum.first, sum.last, sum.last - sum.first,
                        sum.allocations, sum.releases, failed_on(memory, device)});
      if (device >= 0 && sum.peak > most_.peak) {
        most_ = sum;
        most_of_ = fmt::format("{} of rank {}", device_cell(device), rank.number);
      }
      add_peak(rank, device, sum, memory);
    }
    add_steps(rank, curves);
    add_failed(rank, memory);
    for (const auto& [device, curve] : curves) add_curve(rank, device, curve);
  }

  /// Returns a sentence about the device with the highest peak; "" without device memory.
  [[nodiscard]] std::string answer() const {
    if (most_of_.empty()) return "";
    const std::int64_t growth = most_.last - most_.first;
    return fmt::format(
        "{} has the highest peak: {} in use{}. {}", most_of_, format_bytes(most_.peak),
        most_.reserved < 0 ? "" : fmt::format(", {} reserved", format_bytes(most_.reserved)),
        growth > 0 ? fmt::format("At the end, {} more memory is in use than at the start.", format_bytes(growth))
                   : std::string("Memory in use does not grow from start to end."));
  }

  std::vector<Table> take() {
    std::vector<std::pair<const std::pair<std::string, bool>*, const OpSum*>> order;
    for (const auto& [key, sum] : ops_) order.emplace_back(&key, &sum);
    std::ranges::stable_sort(order, std::greater(), [](const auto& each) { return each.second->allocated; });
    for (const auto& [key, sum] : order)
      by_op_.add_row({key->first, key->second ? "device" : "host", sum->allocations, sum->allocated, sum->released,
                      sum->allocated - sum->released, sum->largest});
    return {std::move(devices_), std::move(curve_), std::move(peak_),
            std::move(by_op_),   std::move(steps_), std::move(failed_)};
  }

 private:
  struct Point {
    Ns time = 0;
    std::int64_t used = 0;
    std::int64_t reserved = -1;
  };

  /// Adds the operators whose blocks are alive at the peak.
  void add_peak(const trace::Rank& rank, std::int64_t device, const DeviceSum& sum, const RankMemory& memory) {
    if (!memory.addresses) return;
    std::map<std::string_view, std::pair<std::uint64_t, std::int64_t>> alive;
    std::int64_t known = 0;
    for (const MemoryBlock& block : memory.blocks) {
      if (block.allocation == MemoryBlock::kNone || block.allocation > sum.peak_change ||
          (block.release != MemoryBlock::kNone && block.release <= sum.peak_change) ||
          device_of(memory.changes[block.allocation].change) != device)
        continue;
      auto& [count, bytes] = alive[op_text(memory.changes[block.allocation].op)];
      ++count;
      bytes += block.bytes;
      known += block.bytes;
    }
    std::vector<std::pair<std::string_view, std::pair<std::uint64_t, std::int64_t>>> order(alive.begin(), alive.end());
    if (sum.peak > known) order.push_back({"(allocated before the recording)", {0, sum.peak - known}});
    std::ranges::stable_sort(order, std::greater(), [](const auto& each) { return each.second.second; });
    for (const auto& [op, of] : order)
      peak_.add_row({rank.number, device_cell(device), op, of.first > 0 ? Cell(of.first) : Cell(), of.second,
                     share_of(of.second, sum.peak)});
  }

  /// Adds the memory in use at the end of each step.
  void add_steps(const trace::Rank& rank, const std::map<std::int64_t, std::vector<Point>>& curves) {
    for (const auto& [device, curve] : curves) {
      std::optional<std::int64_t> before;
      for (const trace::Step& step : rank.steps) {
        const auto after = std::ranges::upper_bound(curve, step.time.end, {}, &Point::time);
        const auto first = std::ranges::lower_bound(curve, step.time.begin, {}, &Point::time);
        if (after == curve.begin()) continue;
        const std::int64_t now = std::prev(after)->used;
        std::int64_t most = now;
        for (auto point = first; point < after; ++point) most = std::max(most, point->used);
        steps_.add_row({rank.number, device_cell(device), input_.profile.names().view(step.name),
                        step.time.begin - input_.profile.span.begin, most, now, before ? Cell(now - *before) : Cell()});
        before = now;
      }
    }
  }

  static std::uint64_t failed_on(const RankMemory& memory, std::int64_t device) {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        memory.failed, [&](const PlacedChange& each) { return device_of(each.change) == device; }));
  }

  void add_failed(const trace::Rank& rank, const RankMemory& memory) {
    const auto recorded = [](std::int64_t bytes) { return bytes < 0 ? Cell() : Cell(bytes); };
    for (const PlacedChange& each : memory.failed)
      failed_.add_row({rank.number, device_cell(device_of(each.change)), each.change.time - input_.profile.span.begin,
                       op_text(each.op), each.change.bytes, recorded(each.change.allocated),
                       recorded(each.change.reserved)});
  }

  /// Splits the curve into `limit_` groups of points and adds the largest value of each group, plus the last point.
  void add_curve(const trace::Rank& rank, std::int64_t device, const std::vector<Point>& curve) {
    const std::size_t stretch = limit_ > 0 ? (curve.size() + limit_ - 1) / limit_ : 1;
    for (std::size_t from = 0; from < curve.size(); from += stretch) {
      const auto first = curve.begin() + static_cast<std::ptrdiff_t>(from);
      const auto last = curve.begin() + static_cast<std::ptrdiff_t>(std::min(curve.size(), from + stretch));
      const auto most = std::ranges::max_element(first, last, {}, &Point::used);
      curve_.add_row({rank.number, device_cell(device), most->time - input_.profile.span.begin, most->used,
                      most->reserved < 0 ? Cell() : Cell(most->reserved)});
    }
  }

  const AnalysisInput& input_;
  std::size_t limit_;
  std::map<std::pair<std::string, bool>, OpSum> ops_;
  DeviceSum most_;
  std::string most_of_;  // its name
  Table devices_{
      "memory-by-device",
      "Memory by device",
      {col::rank, Column("memory of", col::kind), Column("peak", col::bytes), Column("time of the peak", col::start),
       col::size("reserved"), col::size("first"), col::size("last"), col::size("growth"), col::integer("allocations"),
       col::integer("releases"), col::integer("out of memory")}};
  Table curve_{"memory-over-time",
               "Memory in use over time",
               {col::rank, Column("memory of", col::kind), col::begin(), Column("allocated", col::bytes),
                col::size("reserved")}};
  Table peak_{"alive-at-peak",
              "Blocks alive at the peak",
              {col::rank, Column("memory of", col::kind), Column("allocated by", col::op), Column("blocks", col::count),
               col::bytes, col::share}};
  Table by_op_{"memory-by-operator",
               "Memory by operator",
               {col::op, Column("memory of", col::kind), Column("allocations", col::count),
                Column("allocated", col::bytes), col::size("released"), col::size("net"), col::size("largest block")}};
  Table steps_{"memory-by-step",
               "Memory by step",
               {col::rank, Column("memory of", col::kind), col::step, col::begin(), Column("peak", col::bytes),
                col::size("at the end"), col::size("growth")}};
  Table failed_{"out-of-memory",
                "Allocations that failed",
                {col::rank, Column("memory of", col::kind), col::begin(), col::op, Column("requested", col::bytes),
                 col::size("allocated"), col::size("reserved")}};
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  Tables tables(input);
  bool any = false;
  bool addresses = false;
  std::string unread;
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    auto memory = rank_memory(input, r, *rows.of(r));
    if (!memory) {
      unread = "Cannot read memory event arguments: " + memory.error().message();
      continue;
    }
    any = any || !memory->changes.empty() || !memory->failed.empty();
    addresses = addresses || memory->addresses;
    tables.add_rank(r, *memory);
  }
  const std::string answer = tables.answer();
  std::vector<Table> made = tables.take();
  const std::string note = !unread.empty() ? unread
                           : !any ? not_recorded_note(input.profile, input.scope, "No memory events in this selection",
                                                      "to record them, use profile(profile_memory=True)")
                                  : "";
  for (Table& table : made) {
    table.note = note;
    if (any && table.id == "memory-by-device") table.note = answer;
    if (any && table.id == "out-of-memory" && table.rows() == 0)
      table.note = "No allocations failed in this selection.";
    if (any && table.id == "memory-by-operator")
      table.note =
          "Releases are attributed to the operator running at the time, which is often not the one that allocated the "
          "block.";
  }
  if (any && !addresses)
    for (Table& table : made)
      if (table.id == "alive-at-peak")
        table.note =
            "The traces do not record addresses, so allocations cannot be matched with releases. PyTorch 1.12 and "
            "later record them.";
  return made;
}

constexpr std::array kCharts{ChartSpec{"memory-by-device", ChartKind::none},
                             ChartSpec{"memory-by-step", ChartKind::none}, ChartSpec{"out-of-memory", ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{"allocations",
                                "Memory of operators",
                                "Memory allocated by PyTorch's allocator, from the recorded memory events: memory in "
                                "use over time and its peak, the operators that allocated the blocks alive at the "
                                "peak, and growth by operator and by step.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::allocations
