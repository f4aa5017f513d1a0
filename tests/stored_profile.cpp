#include "tests/stored_profile.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/core/store/store_files.hpp"
#include "tests/test_folder.hpp"

namespace warpscope::tests {

StoredProfile stored(const trace::Profile& profile, bool rows) {
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(profile, path);
  const auto bytes = std::make_shared<const CountedBytes>(bytes_of_file(path));
  const auto file = store::open_store(bytes, true);
  REQUIRE(file.ok());
  const auto dictionary = std::make_shared<trace::Dictionary>();
  auto ranks = ranks_of(*file, dictionary, 1);
  REQUIRE(ranks.ok());
  for (const auto& rank : *ranks)
    if (rows) static_cast<void>(rank->rows.get());
  bytes->forget();
  return {trace::assemble_profile(profile.path, dictionary, std::move(*ranks), {}, true), bytes};
}

test::RankSpec dense_rank(std::uint32_t kernels) {
  test::RankSpec spec;
  test::LaneSpec runs, calls;
  for (std::uint32_t i = 0; i < kernels; ++i) {
    const Ns at = i + 1 < kernels ? Ns{i} * 1000 : Ns{kernels} * 100'000;
    const bool communicates = i % 7 == 0;
    runs.slices.push_back({at + 400, i % 3 == 0 ? 600 : 1000,
                           communicates ? "ncclAllReduce"
                           : i % 2 == 0 ? "gemm"
                                        : "add",
                           communicates ? trace::Family::communication : trace::Family::computation});
    calls.slices.push_back({at, 300, "cudaLaunchKernel", trace::Family::runtime, "cuda_runtime"});
    spec.launches.push_back({{1, 0, i}, {0, 0, i}});
  }
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {std::move(runs)}});
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {std::move(calls)}});
  return spec;
}

}  // namespace warpscope::tests
