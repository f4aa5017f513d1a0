// Ranks are assigned to the same hosts as by a plain linear search, for any number of ranks.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "core/trace/node_grouping.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using trace::Rank;

namespace {

using Ranks = std::vector<std::shared_ptr<const Rank>>;
using Hosts = std::vector<std::vector<std::uint32_t>>;

void add(Ranks& ranks, std::int64_t number, const std::vector<std::int64_t>& devices) {
  auto rank = std::make_shared<Rank>();
  rank->number = number;
  for (const std::int64_t device : devices) rank->devices.emplace_back().id = device;
  ranks.push_back(std::move(rank));
}

Hosts split(const Ranks& ranks) {
  std::vector<std::uint32_t> members(ranks.size());
  std::iota(members.begin(), members.end(), 0u);
  return trace::split_by_devices(ranks, members);
}

Hosts split_plainly(const Ranks& ranks) {
  Hosts hosts;
  std::vector<std::map<std::int64_t, std::int64_t>> taken;
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    std::size_t host = 0;
    const auto is_taken = [&](const trace::Device& device) {
      const auto by = taken[host].find(device.id);
      return by != taken[host].end() && by->second != ranks[i]->number;
    };
    while (host < hosts.size() && std::any_of(ranks[i]->devices.begin(), ranks[i]->devices.end(), is_taken)) ++host;
    if (host == hosts.size()) {
      hosts.emplace_back();
      taken.emplace_back();
    }
    hosts[host].push_back(i);
    for (const trace::Device& device : ranks[i]->devices) taken[host].emplace(device.id, ranks[i]->number);
  }
  return hosts;
}

}  // namespace

TEST_CASE("device hosts: a repeated device starts another host, except for files of one rank") {
  Ranks ranks;
  CHECK(split(ranks).empty());
  add(ranks, 0, {});
  CHECK(split(ranks) == Hosts{{0}});
  add(ranks, 0, {0});
  add(ranks, 0, {0});
  add(ranks, 1, {0});
  add(ranks, 1, {1});
  add(ranks, 2, {1});
  CHECK(split(ranks) == Hosts{{0, 1, 2, 4}, {3, 5}});
}

TEST_CASE("device hosts: any devices are split as by a plain search") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    Ranks ranks;
    const auto devices = static_cast<std::int64_t>(1 + random() % 9);
    for (std::int64_t number = 0; ranks.size() < 80; number += static_cast<std::int64_t>(random() % 3)) {
      std::vector<std::int64_t> own(random() % 4);
      for (std::int64_t& device : own) device = static_cast<std::int64_t>(random()) % devices - 1;
      add(ranks, number, own);
    }
    INFO("round " << round);
    REQUIRE(split(ranks) == split_plainly(ranks));
  }
}

TEST_CASE("device hosts: tens of thousands of ranks are split correctly") {
  constexpr std::uint32_t kMany = 40'000;
  Ranks same;
  Ranks eight;
  Ranks own;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    add(same, i, {0});
    add(eight, i, {i % 8});
    add(own, i, {i});
  }
  const Hosts single = split(same);
  REQUIRE(single.size() == kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) REQUIRE(single[i] == std::vector{i});
  const Hosts nodes = split(eight);
  REQUIRE(nodes.size() == kMany / 8);
  for (std::uint32_t i = 0; i < kMany; ++i) REQUIRE(nodes[i / 8][i % 8] == i);
  CHECK(split(own).size() == 1);
}
