#include "tests/tracegen/place.hpp"

#include <fmt/format.h>

#include "tests/tracegen/output.hpp"
#include "tests/tracegen/random.hpp"

namespace warpscope::tracegen {
namespace {

// Start of the job of `seed`: a time when the dialect was in use.
std::int64_t job_start(const Options& options) {
  constexpr std::int64_t kAutumn2025 = 1'758'000'000;
  constexpr std::int64_t kSpring2023 = 1'681'000'000;
  constexpr std::int64_t kSpring2021 = 1'617'000'000;
  const std::int64_t era = options.generation == Generation::current ? kAutumn2025
                           : options.generation == Generation::y2023 ? kSpring2023
                                                                     : kSpring2021;
  Random random(options.seed ^ 0x5742);
  return (era + random.below(1'000'000)) * kSecond + random.below(kSecond);
}

}  // namespace

std::int64_t base_time(std::int64_t ns) {
  constexpr std::int64_t kThreeMonths = 7'889'238;
  return ns / kSecond / kThreeMonths * kThreeMonths * kSecond;
}

std::vector<Place> places(const Options& options) {
  const std::int64_t start = job_start(options);
  Random random(options.seed ^ 0x706C);
  std::vector<Place> result;
  for (int node = 0; node < options.nodes; ++node) {
    const std::string host = fmt::format("ip-10-0-{}-{}", 16 + node / 200, 11 + node % 200);
    std::int64_t pid = 1100 + random.below(900);
    for (int device = 0; device < options.gpus; ++device) {
      Place place;
      place.rank = static_cast<int>(result.size());
      place.node = node;
      place.device = device;
      place.host = host;
      pid += 1 + random.below(4);
      place.pid = pid;
      const std::int64_t threads = pid + 900 + 40 * device + random.below(30);
      place.tids = {threads + 3, pid, threads + 1, threads + 2};
      place.start_ns = start + random.below(400'000);
      place.defects = defects_of(options.defects, place.rank, options.world());
      place.written_rank = place.defects.has(Defect::duplicate_rank) ? (place.rank + 1) % options.world() : place.rank;
      const std::int64_t exported = start + 41 * kSecond + random.below(2 * kSecond);
      const std::int64_t stamp = options.generation == Generation::current ? exported : exported / 1'000'000;
      place.file = fmt::format("{}{}_{}.{}{}", options.host_folders ? host + "/" : "", host, pid, stamp,
                               file_ending(options.format));
      // Only the names of PyTorch's files end in ".pt.trace.json".
      if (options.writer == Writer::jax || options.writer == Writer::generic)
        place.file.erase(place.file.rfind(".pt.trace"), 3);
      result.push_back(std::move(place));
    }
  }
  return result;
}

}  // namespace warpscope::tracegen
