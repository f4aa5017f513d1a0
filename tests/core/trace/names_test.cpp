#include <string>
#include <thread>

#include "core/base/natural_order.hpp"
#include "core/ingest/bytes/file_name.hpp"
#include "core/ingest/events/interner.hpp"
#include "core/trace/annotation_family.hpp"
#include "core/trace/category.hpp"
#include "core/trace/string_table.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::trace;

TEST_CASE("an annotation's family is its name without the number") {
  CHECK(annotation_family("step_12") == "step");
  CHECK(annotation_family("ProfilerStep#7") == "ProfilerStep");
  CHECK(annotation_family("Forward") == "Forward");
  CHECK(annotation_family("123") == "123");
  CHECK(annotation_family("epoch 3") == "epoch");
  CHECK(annotation_family("layer4") == "layer");
  CHECK(annotation_family("") == "");
}

TEST_CASE("the step family is PyTorch's if it exists, otherwise the user's") {
  CHECK(step_family({{"ProfilerStep", 3}, {"step", 90}}) == "ProfilerStep");
  CHECK(step_family({{"Forward", 3}, {"step", 3}}) == "step");
  CHECK(step_family({{"Optimizer.step#Adam.step", 50}, {"train_step", 5}}) == "train_step");
  CHECK(step_family({{"Forward", 3}}) == "");
}

TEST_CASE("communication kernels are recognized by old and new names") {
  for (const char* name :
       {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "ncclDevKernel_AllGather_RING_LL", "void nvshmem::put",
        "mscclKernel_Sum_half", "deep_ep::intranode::dispatch", "void vllm::cross_device_reduce_1stage<half>"})
    CHECK(is_communication_name(name));
  for (const char* name : {"volta_sgemm_128x64_nn", "void at::native::vectorized_elementwise_kernel<4>", "Memcpy HtoD"})
    CHECK_FALSE(is_communication_name(name));
}

TEST_CASE("categories keep their ids, and those beyond the limit share the last id") {
  Categories categories;
  const CategoryId kernel = categories.intern("kernel");
  CHECK(categories.role(kernel) == Role::kernel);
  for (int i = 0; i < 300; ++i) (void)categories.intern("category " + std::to_string(i));
  CHECK(categories.intern("kernel") == kernel);
  CHECK(categories.intern("one more") == Categories::kOverflow);
  CHECK(categories.role(categories.intern("xpu_runtime")) == Role::other);
  CHECK(role_of_category("xpu_runtime") == Role::launch);
}

TEST_CASE("a string table gives one id per string, from many threads", "[threads]") {
  StringTable table;
  CHECK(table.view(0).empty());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) (void)table.intern("name " + std::to_string(i));
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(table.size() == 5001);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = "name " + std::to_string(i);
    NameId id = 0;
    REQUIRE(table.find(text, id));
    REQUIRE(table.view(id) == text);
    REQUIRE(table.hash(id) == stable_hash(text));
  }
  // Colors depend on it, so it must not change between releases.
  CHECK(stable_hash("gemm") == 1960107388u);
  CHECK(stable_hash("") == 2238767700u);
}

TEST_CASE("an interner finds its strings after growing, including long ones") {
  ingest::Interner interner;
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i)
    texts.push_back(std::string(static_cast<std::size_t>(i % 300), 'x') + std::to_string(i));
  texts.push_back(std::string(200'000, 'y'));
  for (std::uint32_t i = 0; i < texts.size(); ++i) REQUIRE(interner.intern(texts[i]) == i);
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    REQUIRE(interner.intern(texts[i]) == i);
    REQUIRE(interner.view(i) == texts[i]);
  }
}

TEST_CASE("a full interner gives all further names the same id") {
  ingest::Interner interner(3);
  CHECK(interner.intern("a") == 0);
  CHECK(interner.intern("b") == 1);
  CHECK_FALSE(interner.full());
  CHECK(interner.intern("c") == 2);
  CHECK(interner.full());
  CHECK(interner.intern("d") == 2);
  CHECK(interner.intern("c") == 2);
  CHECK(interner.intern("b") == 1);
  CHECK(interner.view(2) == StringTable::kFurther);
}

TEST_CASE("ranks and hosts are parsed from file names") {
  using ingest::host_in_file_name;
  using ingest::rank_in_file_name;
  CHECK(rank_in_file_name("rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz") == 0);
  CHECK(rank_in_file_name("worker3_step_12.1694128201557.pt.trace.json") == 3);
  CHECK(rank_in_file_name("worker0.1623213129365.pt.trace.json.gz") == 0);
  CHECK(rank_in_file_name("sampled_rank-17.json") == 17);
  CHECK(rank_in_file_name("mtia_rank_5.json.gz") == 5);
  CHECK_FALSE(rank_in_file_name("trace.json"));
  CHECK_FALSE(rank_in_file_name("frankfurt.json"));
  const auto host = host_in_file_name("ip-10-0-3-7_4045.1694128201557.pt.trace.json.gz");
  REQUIRE(host);
  CHECK(host->host == "ip-10-0-3-7");
  CHECK(host->process == 4045);
  CHECK_FALSE(host_in_file_name("trace.json"));
}

TEST_CASE("names are sorted in natural order") {
  CHECK(natural_less("rank2", "rank10"));
  CHECK_FALSE(natural_less("rank10", "rank2"));
  CHECK(natural_less("rank1", "rank01") != natural_less("rank01", "rank1"));
  CHECK(natural_less("a", "b"));
  CHECK_FALSE(natural_less("a", "a"));
  CHECK(natural_less("a9b", "a10"));
  CHECK(natural_less("Alpha", "beta"));
  CHECK(natural_less("a", "ab"));
  CHECK(natural_less("a007b", "a8b"));
  CHECK(natural_less("a07", "a7"));  // the same number: decided by the bytes, one way only
  CHECK_FALSE(natural_less("a7", "a07"));
}
