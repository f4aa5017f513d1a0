// collective and arrival: collectives matched across ranks, on aligned clocks, as in the analysis `collectives`.
#include <numeric>

#include "core/sql/part_table.hpp"
#include "core/sql/tables.hpp"

namespace warpscope::sql {

namespace {

using enum FieldType;

/// The collectives, computed on first use.
template <class Derived>
class OfCollectives : public PlainTable<Derived> {
 public:
  using PlainTable<Derived>::PlainTable;
  [[nodiscard]] Failure prepare() { return this->context_.prepare_collectives(); }
  [[nodiscard]] const Context::Collectives& all() const { return this->context_.collectives(); }
  [[nodiscard]] const analysis::JobCollectives& matches() const { return all().comparison->matches(); }
  [[nodiscard]] double size() const { return 1e4; }  // unknown before they are computed
};

class Collectives : public OfCollectives<Collectives> {
 public:
  using OfCollectives::OfCollectives;
  [[nodiscard]] std::size_t count() const { return matches().collectives.size(); }
  [[nodiscard]] const analysis::JobCollective& at(Place at) const { return matches().collectives[at.row]; }
  [[nodiscard]] const analysis::CollectiveTiming& timing(Place at) const { return all().timings[at.row]; }
  [[nodiscard]] std::int64_t bytes(Place place) const {
    std::int64_t most = -1;
    for (const std::uint32_t event : matches().members_of(at(place)))
      most = std::max(most, analysis::bytes_of(matches().event(event)));
    return most;
  }
  [[nodiscard]] Cell waited(Place at, Ns analysis::CollectiveTiming::*which) const {
    return timing(at).waits ? Cell(timing(at).*which) : Cell();
  }
};

constexpr PartField<Collectives> kCollectiveColumns[]{
    {"id", integer, [](const Collectives&, Place at) -> Cell { return at.row; }, "Number of the collective"},
    {"kind", text,
     [](const Collectives& t, Place at) -> Cell { return to_string(t.matches().signature(t.at(at)).kind); },
     "Kind, such as allreduce"},
    {"group", text, [](const Collectives& t, Place at) -> Cell { return t.matches().group(t.at(at)).name; },
     "Process group, or the stream if groups are not recorded"},
    {"type", text,
     [](const Collectives& t, Place at) -> Cell {
       const std::string& type = t.matches().signature(t.at(at)).type;
       return type.empty() ? Cell() : Cell(type);
     },
     "Type of the elements"},
    {"bytes", integer,
     [](const Collectives& t, Place at) -> Cell { return t.bytes(at) < 0 ? Cell() : Cell(t.bytes(at)); },
     "Size, as in nccl-tests: the larger of input and output of a rank", "bytes"},
    {"ranks", integer, [](const Collectives& t, Place at) -> Cell { return t.at(at).count; },
     "Ranks with a kernel of it"},
    {"step", text,
     [](const Collectives& t, Place at) -> Cell {
       const std::string_view step = t.all().comparison->step_of(t.at(at));
       return step.empty() ? Cell() : Cell(step);
     },
     "Step of its first rank"},
    {"start", integer, [](const Collectives& t, Place at) { return t.since_start(t.timing(at).last_start); },
     "Start on the last rank to arrive, since the start of the profile", "ns"},
    {"dur", integer, [](const Collectives& t, Place at) -> Cell { return t.timing(at).transfer; },
     "From there to the first end", "ns"},
    {"skew_ns", integer, [](const Collectives& t, Place at) { return t.waited(at, &analysis::CollectiveTiming::skew); },
     "From the first start to the last; NULL if the clocks do not allow it", "ns"},
    {"waited_ns", integer,
     [](const Collectives& t, Place at) { return t.waited(at, &analysis::CollectiveTiming::waited); },
     "Time that its ranks wait for the last one, summed", "ns"},
};

class Arrivals : public OfCollectives<Arrivals> {
 public:
  using OfCollectives::OfCollectives;
  struct Search {
    IndexRange collectives{};
  };
  [[nodiscard]] Search search(const Query& query) const {
    const auto count = static_cast<std::int64_t>(all().timings.size());
    const std::int64_t first = std::clamp<std::int64_t>(query.bounds[0].least, 0, count);
    const std::int64_t last = std::clamp<std::int64_t>(query.bounds[0].most, first - 1, count - 1) + 1;
    return {{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)}};
  }
  [[nodiscard]] IndexRange parts(const Search& search) const { return search.collectives; }
  [[nodiscard]] IndexRange rows(std::uint32_t part, const Search& /*search*/) const {
    return {all().first[part], all().first[part + 1]};
  }
  [[nodiscard]] Estimate estimate(const Plan& plan, const std::vector<Field>& fields) const {
    return usual_estimate(plan, fields, 8 * size());
  }
  [[nodiscard]] const analysis::CollectiveArrival& at(Place at) const { return all().arrivals[at.row]; }
  [[nodiscard]] std::int64_t slice(Place place) const {
    return slice_id({at(place).rank, matches().event(at(place).event).slice});
  }
};

constexpr PartField<Arrivals> kArrivalColumns[]{
    {"collective", integer, [](const Arrivals&, Place at) -> Cell { return at.part; }, "collective.id", "", Key::range,
     1e4},
    {"rank", integer, [](const Arrivals& t, Place at) -> Cell { return t.rank(t.at(at).rank).number; }, "Rank"},
    {"slice", integer, [](const Arrivals& t, Place at) -> Cell { return t.slice(at); }, "Its kernel: slice.id"},
    {"start", integer, [](const Arrivals& t, Place at) { return t.since_start(t.at(at).time.begin); },
     "Start of the kernel on the common clock, since the start of the profile", "ns"},
    {"dur", integer, [](const Arrivals& t, Place at) -> Cell { return t.at(at).time.length(); },
     "Duration of the kernel", "ns"},
    {"wait_ns", integer, [](const Arrivals& t, Place at) -> Cell { return t.at(at).wait; },
     "From its start to the start of the last rank", "ns"},
    {"transfer_ns", integer, [](const Arrivals& t, Place at) -> Cell { return t.at(at).transfer; },
     "The rest of its duration", "ns"},
    {"last", integer, [](const Arrivals& t, Place at) -> Cell { return t.at(at).last ? 1 : 0; },
     "1 if the others wait for it"},
};

}  // namespace

std::unique_ptr<Relation> tables::collective(Context& context) {
  return relation_of<Collectives>("collective",
                                  "Collectives matched across ranks, on the common clock of the analysis collectives.",
                                  context, kCollectiveColumns);
}
std::unique_ptr<Relation> tables::arrival(Context& context) {
  return relation_of<Arrivals>("arrival", "Arrival of each rank at each collective, by start.", context,
                               kArrivalColumns);
}

}  // namespace warpscope::sql
