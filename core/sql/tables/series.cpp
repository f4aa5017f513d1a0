// counter and sample: counters of ranks and system metrics of nodes.
#include <cmath>
#include <string>
#include <vector>

#include "core/sql/part_table.hpp"
#include "core/sql/tables.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::sql {

namespace {

using enum FieldType;

/// A series and where it is from.
struct Series {
  const trace::Counter* counter;
  std::uint32_t rank = trace::Node::kNone;  // index
  std::uint32_t node = trace::Node::kNone;
};

/// Returns the counters of all ranks, then the system metrics of all nodes. A series' number is its place.
std::vector<Series> all_series(const trace::Profile& profile) {
  std::vector<Series> all;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r)
    for (const trace::Counter& counter : profile.ranks[r]->counters)
      all.push_back({&counter, r, profile.node_of_rank[r]});
  for (std::uint32_t n = 0; n < profile.nodes.size(); ++n) {
    const std::uint32_t metrics = profile.nodes[n].metrics;
    if (metrics == trace::Node::kNone) continue;
    for (const trace::MetricSeries& series : profile.metrics[metrics]->series())
      all.push_back({&series.counter, trace::Node::kNone, n});
  }
  return all;
}

class Counters : public PlainTable<Counters> {
 public:
  explicit Counters(Context& context) : PlainTable(context), all_(all_series(profile())) {}
  [[nodiscard]] std::size_t count() const { return all_.size(); }
  [[nodiscard]] const Series& at(Place at) const { return all_[at.row]; }

 private:
  std::vector<Series> all_;
};

Cell limit(const Counters& table, Place at, double (trace::Counter::*which)() const) {
  const trace::Counter& counter = *table.at(at).counter;
  return counter.size() == 0 ? Cell() : Cell((counter.*which)());
}

constexpr PartField<Counters> kCounterColumns[]{
    {"id", integer, [](const Counters&, Place at) -> Cell { return at.row; }, "Number of the counter"},
    {"rank", integer,
     [](const Counters& t, Place at) -> Cell {
       return t.at(at).rank == trace::Node::kNone ? Cell() : Cell(t.rank(t.at(at).rank).number);
     },
     "Rank; NULL for metrics of a node"},
    {"node", text, [](const Counters& t, Place at) -> Cell { return t.profile().nodes[t.at(at).node].label; },
     "Node: node.node"},
    {"name", text, [](const Counters& t, Place at) -> Cell { return t.at(at).counter->name(); }, "Name"},
    {"unit", text, [](const Counters& t, Place at) -> Cell { return t.at(at).counter->unit(); }, "Unit, if known"},
    {"samples", integer, [](const Counters& t, Place at) -> Cell { return t.at(at).counter->size(); }, "Samples"},
    {"min", real, [](const Counters& t, Place at) { return limit(t, at, &trace::Counter::min); }, "Smallest value"},
    {"max", real, [](const Counters& t, Place at) { return limit(t, at, &trace::Counter::max); }, "Largest value"},
};

class Samples : public PlainTable<Samples> {
 public:
  enum : std::uint32_t { kCounter, kStart };
  explicit Samples(Context& context) : PlainTable(context), all_(all_series(profile())) {}

  struct Search {
    IndexRange counters{};
    Bounds start{};
  };
  [[nodiscard]] Search search(const Query& query) const {
    const auto count = static_cast<std::int64_t>(all_.size());
    const Bounds& wanted = query.bounds[kCounter];
    const std::int64_t first = std::clamp<std::int64_t>(wanted.least, 0, count);
    const std::int64_t last = wanted.most < first ? first : std::min(wanted.most, count - 1) + 1;
    return {{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)}, query.bounds[kStart]};
  }
  [[nodiscard]] IndexRange parts(const Search& search) const { return search.counters; }
  /// O(log samples).
  [[nodiscard]] IndexRange rows(std::uint32_t part, const Search& search) const {
    const trace::Counter& counter = *all_[part].counter;
    const auto first_from = [&](std::int64_t time) {
      std::size_t low = 0;
      for (std::size_t high = counter.size(); low < high;) {
        const std::size_t middle = (low + high) / 2;
        if (start(counter, middle) < time)
          low = middle + 1;
        else
          high = middle;
      }
      return static_cast<std::uint32_t>(low);
    };
    const bool ends = search.start.most != std::numeric_limits<Ns>::max();
    return {first_from(search.start.least),
            ends ? first_from(search.start.most + 1) : static_cast<std::uint32_t>(counter.size())};
  }
  [[nodiscard]] double size() const {
    double sum = 0;
    for (const Series& each : all_) sum += static_cast<double>(each.counter->size());
    return sum;
  }
  [[nodiscard]] Estimate estimate(const Plan& plan, const std::vector<Field>& fields) const {
    return usual_estimate(plan, fields, size());
  }
  [[nodiscard]] Cell start(Place at) const { return start(*all_[at.part].counter, at.row); }
  [[nodiscard]] Cell value(Place at) const {
    return static_cast<double>(all_[at.part].counter->value(at.row));  // NaN is missing
  }

 private:
  [[nodiscard]] Ns start(const trace::Counter& counter, std::size_t i) const {
    return saturating_difference(counter.time(i), profile().span.begin);
  }
  std::vector<Series> all_;
};

constexpr PartField<Samples> kSampleColumns[]{
    {"counter", integer, [](const Samples&, Place at) -> Cell { return at.part; }, "Series: counter.id", "", Key::range,
     30},
    {"start", integer, [](const Samples& t, Place at) { return t.start(at); },
     "Time of the sample, since the start of the profile; the value holds until the next one", "ns", Key::range, 1e4},
    {"value", real, [](const Samples& t, Place at) { return t.value(at); }, "Value; NULL if unknown from here on"},
};

}  // namespace

std::unique_ptr<Relation> tables::counter(Context& context) {
  return relation_of<Counters>("counter", "Sampled series: counters of ranks and system metrics of nodes.", context,
                               kCounterColumns);
}
std::unique_ptr<Relation> tables::sample(Context& context) {
  return relation_of<Samples>("sample", "Samples of counters.", context, kSampleColumns);
}

}  // namespace warpscope::sql
