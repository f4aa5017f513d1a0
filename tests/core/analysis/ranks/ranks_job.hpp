#pragma once
// Small jobs of several communicating ranks. Their files are kept, because analyses read arguments from them.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

namespace warpscope::tests {

inline bool says(const std::string& note, std::string_view part) { return note.find(part) != std::string::npos; }

struct TinyCollective {
  double begin = 0;   ///< ms
  double length = 0;  ///< ms
  std::string_view operation = "allreduce";
  std::string_view group = "0";
  std::string_view ranks = "[0, 1]";
  int sequence = -1;         ///< -1: none
  int elements = 1'000'000;  ///< of BFloat16, in and out
  int stream = 20;
  std::string more{};  ///< further arguments, as JSON
  double launch = -1;  ///< ms; -1: just before it starts
};

class RanksJob {
 public:
  /// `world`: as recorded; 0: the number of ranks.
  explicit RanksJob(std::size_t ranks, int world = 0)
      : events_(ranks), runs_(ranks, 0), clocks_(ranks, 0), world_(world == 0 ? static_cast<int>(ranks) : world) {}

  /// Sets a rank's clock ahead by that many ms for all events added afterwards.
  RanksJob& clock(std::size_t rank, double ahead) {
    clocks_[rank] = ahead;
    return *this;
  }
  RanksJob& step(std::size_t rank, int number, double begin, double length) {
    events_[rank].step(number, 1000 * (begin + clocks_[rank]), 1000 * length);
    return *this;
  }
  RanksJob& collective(std::size_t rank, const TinyCollective& each) {
    std::string arguments = fmt::format(
        R"("Collective name":"{}","In msg nelems":{},"Out msg nelems":{},"dtype":"BFloat16","Group size":{},)"
        R"("Process Group Name":"{}","Process Group Ranks":"{}")",
        each.operation, each.elements, each.elements, 1 + std::ranges::count(each.ranks, ','), each.group, each.ranks);
    if (each.sequence >= 0) arguments += fmt::format(R"(,"Seq":{})", each.sequence);
    if (!each.more.empty()) arguments += "," + each.more;
    return kernel(rank, "ncclDevKernel_Generic", each.begin, each.length, each.stream, arguments,
                  each.launch < 0 ? each.begin - 0.02 : each.launch);
  }
  /// Adds a kernel launched at `launch`; times in ms.
  RanksJob& kernel(std::size_t rank, std::string_view name, double begin, double length, int stream,
                   const std::string& arguments, double launch) {
    const int correlation = ++runs_[rank];
    events_[rank].launch(1000 * (launch + clocks_[rank]), correlation);
    events_[rank].run({.name = name,
                       .begin = 1000 * (begin + clocks_[rank]),
                       .length = 1000 * length,
                       .correlation = correlation,
                       .stream = stream,
                       .device = static_cast<int>(rank),
                       .arguments = arguments});
    return *this;
  }
  RanksJob& kernel(std::size_t rank, std::string_view name, double begin, double length) {
    return kernel(rank, name, begin, length, 7, "", begin - 0.02);
  }
  TinyEvents& events(std::size_t rank) { return events_[rank]; }

  const trace::Profile& profile() {
    if (profile_) return *profile_;
    for (std::size_t r = 0; r < events_.size(); ++r)
      folder_.write(fmt::format("rank{}.json", r),
                    trace_of(events_[r].text(),
                             fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": {}}})", r, world_)));
    profile_ = load(folder_.path());
    return *profile_;
  }
  std::vector<Table> tables(std::string_view analysis, std::vector<analysis::Setting> settings = {}) {
    return tables_of(profile(), analysis, std::move(settings));
  }

 private:
  TestFolder folder_;
  std::vector<TinyEvents> events_;
  std::vector<int> runs_;
  std::vector<double> clocks_;
  int world_;
  std::shared_ptr<const trace::Profile> profile_;
};

}  // namespace warpscope::tests
