// collectives: communication cost by process group, kind and size; then each collective with the first and last rank to
// arrive, and how long the others waited. Data transfer is the time from the last arrival to the end, so its bandwidth
// is comparable to the hardware's; the rest is wait time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/analysis/ranks/collective_arrivals.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::collectives {

namespace {

/// Sums over the kernels of a group, kind and size.
struct KindSum {
  std::string group;
  CollectiveKind kind{};
  std::string type;
  std::int64_t bytes = -1;  // of one call; -1 if unknown
  std::int64_t size = 0;    // ranks of the group
  std::uint64_t kernels = 0;
  std::uint64_t matched = 0;
  std::uint64_t collectives = 0;
  Ns time = 0;
  Ns wait = 0;
  Ns transfer = 0;  // of matched kernels

  /// Returns bytes per second while data moves; for unmatched kernels, while they run.
  [[nodiscard]] Cell bandwidth(double factor) const {
    const Ns over = matched > 0 ? transfer : time;
    const std::uint64_t calls = matched > 0 ? matched : kernels;
    if (bytes <= 0 || over <= 0 || factor <= 0) return {};
    return factor * static_cast<double>(bytes) * static_cast<double>(calls) / (static_cast<double>(over) / 1e9);
  }
};

class Report {
 public:
  Report(const AnalysisInput& input, const RankComparison& comparison, ClockChoice clocks)
      : input_(input),
        profile_(input.profile),
        comparison_(comparison),
        matches_(comparison_.matches()),
        clocks_(clocks),
        each_("collectives", "Collectives",
              {{"collective", "", ColumnKind::identifier},
               {"group", "", ColumnKind::text},
               {"kind", "", ColumnRole::kind},
               {"type", "", ColumnKind::text},
               {"in nelems", "", ColumnKind::integer},
               {"bytes", "", ColumnRole::bytes},
               {"step", "", ColumnRole::step},
               {"members", "", ColumnKind::integer},
               {"ranks", "", ColumnKind::text},
               {"first rank", "", ColumnKind::identifier},
               {"last rank", "", ColumnRole::rank},
               {"last start", "", ColumnRole::start},
               {"skew", "", ColumnKind::duration},
               {"waited", "", ColumnRole::wait_caused},
               {"marginal", "", ColumnRole::delay_caused},
               {"transfer", "", ColumnKind::duration},
               {"end spread", "", ColumnKind::duration},
               {"algorithm bandwidth", "B/s", ColumnKind::bytes},
               {"bus bandwidth", "B/s", ColumnKind::bytes}}),
        arrivals_("arrivals", "Arrivals in collectives",
                  {{"collective", "", ColumnKind::identifier},
                   {"rank", "", ColumnRole::rank},
                   {"start", "", ColumnRole::start},
                   {"end", "", ColumnRole::end},
                   {"wait", "", ColumnKind::duration},
                   {"transfer", "", ColumnKind::duration}}) {}

  std::vector<Table> tables() {
    for (std::uint32_t c = 0; c < matches_.collectives.size(); ++c) add(c);
    for (std::uint32_t e = 0; e < matches_.job.events.size(); ++e)
      if (matches_.collective_of[e] == kNoIndex && in_scope(e)) add_unmatched(e);
    Table kinds = by_kind();
    const std::string note =
        joined_notes({waiting_answer(), alone_note(),
                      matches_.collectives.empty() ? "" : comparison_.clock_note(clocks_), comparison_.match_note()});
    kinds.note = joined_notes({kinds.rows() == 0 ? "No communication kernels in this selection." : "", note});
    each_.note = arrivals_.note = note;
    return {std::move(kinds), std::move(each_), std::move(arrivals_)};
  }

 private:
  [[nodiscard]] bool in_scope(std::uint32_t e) const { return comparison_.in_scope(matches_.event(e), input_.scope); }

  [[nodiscard]] static CollectiveKind shown_kind(const CollectiveGroup& group, CollectiveKind kind) {
    return group.point_to_point ? CollectiveKind::send_receive : kind;
  }

  KindSum& sum_of(const CommunicationEvent& event, std::int64_t bytes, std::uint64_t ranks) {
    static const CollectiveGroup kUnknown{.name = "unknown"};
    static const CollectiveSignature kNothing;
    const CollectiveGroup& group = event.group == kNoIndex ? kUnknown : matches_.job.groups[event.group];
    const CollectiveSignature& signature =
        event.signature == kNoIndex ? kNothing : matches_.job.signatures[event.signature];
    // All pairs of a group share one row, because a pipeline has many.
    const CollectiveKind kind = shown_kind(group, signature.kind);
    KindSum& sum = kinds_[{group.name, kind, bytes, signature.type}];
    sum.group = group.name;
    sum.kind = kind;
    sum.type = signature.type;
    sum.bytes = bytes;
    const auto size = group.point_to_point ? 2 : group.size > 0 ? group.size : static_cast<std::int64_t>(ranks);
    sum.size = std::max(sum.size, size);
    return sum;
  }

  void add(std::uint32_t c) {
    const JobCollective& collective = matches_.collectives[c];
    if (!comparison_.in_scope(collective, input_.scope)) return;
    const auto members = matches_.members_of(collective);
    const CollectiveGroup& group = matches_.group(collective);
    const CollectiveSignature& signature = matches_.signature(collective);
    const CollectiveTiming timing = comparison_.timing(collective, clocks_);
    std::int64_t bytes = -1;
    for (const std::uint32_t e : members) bytes = std::max(bytes, bytes_of(matches_.event(e)));
    const auto number = [&](std::uint32_t member) {
      return profile_.ranks[matches_.event(members[member]).rank]->number;
    };
    const auto since_start = [&](Ns time) { return saturating_difference(time, profile_.span.begin); };
    const Ns transfer = std::max<Ns>(0, timing.transfer);
    const CollectiveKind kind = shown_kind(group, signature.kind);
    const auto bandwidth = [&](double factor) -> Cell {
      if (bytes <= 0 || transfer <= 0 || factor <= 0) return {};
      return factor * static_cast<double>(bytes) / (static_cast<double>(transfer) / 1e9);
    };
    const std::int64_t size = group.point_to_point ? 2 : group.size > 0 ? group.size : collective.count;
    const auto known = [](std::int64_t value) { return value < 0 ? Cell() : Cell(value); };
    const std::string_view step = comparison_.step_of(collective);
    const auto wait = [&](Ns time) { return timing.waits ? Cell(time) : Cell(); };
    each_.add_row({c, label_of(group), to_string(kind), signature.type.empty() ? Cell() : Cell(signature.type),
                   known(matches_.event(members.front()).in_elements), known(bytes), step.empty() ? Cell() : Cell(step),
                   collective.count, rank_list(profile_, matches_, collective), number(timing.order.front()),
                   number(timing.last()), since_start(timing.last_start), wait(timing.skew), wait(timing.waited),
                   wait(timing.marginal), wait(timing.transfer), timing.end_spread, bandwidth(1),
                   bandwidth(bus_factor(kind, size))});
    bool first = true;
    std::vector<CollectiveArrival> arrivals = arrivals_of(matches_, collective, timing);
    std::ranges::sort(arrivals, {}, &CollectiveArrival::rank);
    for (const CollectiveArrival& arrival : arrivals) {
      const CommunicationEvent& event = matches_.event(arrival.event);
      arrivals_.add_row({c, profile_.ranks[arrival.rank]->number, since_start(arrival.time.begin),
                         since_start(arrival.time.end), wait(arrival.wait), wait(arrival.transfer)});
      KindSum& sum = sum_of(event, bytes, collective.count);
      sum.collectives += first;
      first = false;
      ++sum.kernels;
      sum.time = saturating_add(sum.time, event.time.length());
      if (!timing.waits) continue;
      ++sum.matched;
      sum.wait = saturating_add(sum.wait, event.time.length() - arrival.transfer);
      sum.transfer = saturating_add(sum.transfer, arrival.transfer);
    }
  }

  void add_unmatched(std::uint32_t e) {
    const CommunicationEvent& event = matches_.event(e);
    KindSum& sum = sum_of(event, bytes_of(event), 0);
    ++sum.kernels;
    sum.time = saturating_add(sum.time, event.time.length());
  }

  Table by_kind() const {
    Table table("by-kind", "Communication by process group, kind and size",
                {{"group", "", ColumnKind::text},
                 {"kind", "", ColumnRole::kind},
                 {"type", "", ColumnKind::text},
                 {"bytes", "", ColumnRole::bytes},
                 {"members", "", ColumnKind::integer},
                 {"calls", "", ColumnRole::count},
                 {"collectives", "", ColumnRole::collectives},
                 {"total bytes", "", ColumnKind::bytes},
                 {"time", "", ColumnRole::total, {}, 1, 0, 1},
                 {"transfer", "", ColumnRole::transfer, {}, 1, 0, 1},
                 {"waiting", "", ColumnRole::waiting, {}, 1, 0, 1},
                 {"waiting share", "", ColumnRole::share},
                 {"algorithm bandwidth", "B/s", ColumnKind::bytes},
                 {"bus bandwidth", "B/s", ColumnKind::bytes}});
    std::vector<const KindSum*> order;
    for (const auto& [key, sum] : kinds_) order.push_back(&sum);
    std::ranges::stable_sort(order, std::greater(), [](const KindSum* sum) { return sum->time; });
    for (const KindSum* sum : order) {
      const bool known = sum->matched > 0;
      const double calls = static_cast<double>(sum->kernels);
      table.add_row({sum->group, to_string(sum->kind), sum->type.empty() ? Cell() : Cell(sum->type),
                     sum->bytes < 0 ? Cell() : Cell(sum->bytes), sum->size > 0 ? Cell(sum->size) : Cell(), sum->kernels,
                     sum->collectives > 0 ? Cell(sum->collectives) : Cell(),
                     sum->bytes < 0 ? Cell() : Cell(calls * static_cast<double>(sum->bytes)), sum->time,
                     known ? Cell(sum->transfer) : Cell(), known ? Cell(sum->wait) : Cell(),
                     known ? share_of(sum->wait, sum->transfer + sum->wait) : Cell(), sum->bandwidth(1),
                     sum->bandwidth(bus_factor(sum->kind, sum->size))});
    }
    return table;
  }

  [[nodiscard]] std::string waiting_answer() const {
    Ns wait = 0;
    Ns transfer = 0;
    for (const auto& [key, sum] : kinds_) {
      wait = saturating_add(wait, sum.wait);
      transfer = saturating_add(transfer, sum.transfer);
    }
    const Ns all = saturating_add(wait, transfer);
    if (all == 0) return "";
    return fmt::format("Of {} in matched collectives, ranks spend {} ({}) waiting for the last one to arrive.",
                       format_duration(all), format_duration(wait),
                       format_share(static_cast<double>(wait) / static_cast<double>(all)));
  }

  [[nodiscard]] std::string alone_note() const {
    if (!matches_.collectives.empty() || kinds_.empty()) return "";
    return fmt::format(
        "Wait time is unknown: {}. Kernel durations include wait time, so the bandwidths are lower bounds.",
        matches_.compared.size() < 2 ? "it requires traces from several ranks, but only one is loaded"
                                     : "no collectives match across ranks");
  }

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  const RankComparison& comparison_;
  const JobCollectives& matches_;
  ClockChoice clocks_;
  std::map<std::tuple<std::string, CollectiveKind, std::int64_t, std::string>, KindSum> kinds_;
  Table each_;
  Table arrivals_;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  return Report(input, *comparison, clock_choice(input.values)).tables();
}

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};

constexpr std::array kTimes{ChartSeries{ColumnRole::transfer}, ChartSeries{ColumnRole::waiting}};
constexpr std::array kCharts{ChartSpec{
    .table = "by-kind", .kind = ChartKind::columns, .title = "Time in collectives, all ranks", .series = kTimes}};

}  // namespace

extern const Analysis kAnalysis{
    "collectives",
    "Collectives",
    "Communication cost by process group, kind and size: calls, bytes per call, time spent moving data, and time spent "
    "waiting for the last rank to arrive. Also lists each collective and each rank's arrival. Bandwidth is computed "
    "from the last arrival to the end. Bytes are the larger of a rank's input and output, as in nccl-tests. Bus "
    "bandwidth can be compared with link speeds. Counts only steps that lie entirely within the range.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::collectives
