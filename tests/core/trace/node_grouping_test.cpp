// The order of nodes.
#include "core/trace/node_grouping.hpp"

#include <memory>
#include <string>
#include <vector>

#include "core/trace/rank.hpp"
#include "tests/catch.hpp"

namespace warpscope::trace {
namespace {

std::shared_ptr<const Rank> rank_on(std::string host, std::string path, std::int64_t number) {
  auto rank = std::make_shared<Rank>();
  rank->host = std::move(host);
  rank->source.path = std::move(path);
  rank->number = number;
  Device device;
  device.id = 0;
  rank->devices.push_back(std::move(device));
  return rank;
}

std::vector<std::string> keys_of(const std::vector<std::shared_ptr<const Rank>>& ranks) {
  std::vector<std::string> keys;
  for (const NodeGroup& group : group_ranks_by_node(ranks, "/job")) keys.push_back(group.key);
  return keys;
}

TEST_CASE("hosts are in natural order", "[nodes]") {
  CHECK(keys_of({rank_on("ip-10-0-16-100", "/job/a.json", 0), rank_on("ip-10-0-16-11", "/job/b.json", 1),
                 rank_on("ip-10-0-16-9", "/job/c.json", 2)}) ==
        std::vector<std::string>{"host:ip-10-0-16-9", "host:ip-10-0-16-11", "host:ip-10-0-16-100"});
}

TEST_CASE("folders of unknown hosts are in natural order", "[nodes]") {
  CHECK(keys_of({rank_on("", "/job/node10/a.json", 0), rank_on("", "/job/node9/b.json", 1)}) ==
        std::vector<std::string>{"folder:node9", "folder:node10"});
}

TEST_CASE("SageMaker's folders are ordered by number", "[nodes]") {
  CHECK(keys_of({rank_on("", "/job/algo-10/a.json", 0), rank_on("", "/job/algo-2/b.json", 1),
                 rank_on("", "/job/algo-1/c.json", 2)}) == std::vector<std::string>{"algo-1", "algo-2", "algo-10"});
}

}  // namespace
}  // namespace warpscope::trace
