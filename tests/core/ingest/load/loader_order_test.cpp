// Equal input produces byte-identical stores, whatever the number of reading and writing threads.
#include <fstream>

#include "core/base/natural_order.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/store/verified.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::string saved(const fs::path& traces, unsigned threads, const fs::path& file, const fs::path& stores = {}) {
  ingest::LoadOptions options;
  options.threads = threads;
  options.store.use = !stores.empty();
  options.store.folder = stores;
  ingest::Loader loader(traces.string(), options);
  loader.wait();
  REQUIRE_FALSE(loader.failure());
  const CancelToken cancel;
  const Failure failure = loader.save(file.string(), cancel);
  INFO((failure ? failure->message() : std::string()));
  REQUIRE_FALSE(failure);
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a saved profile has the same bytes for any number of threads") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  options.nodes = 2;
  options.gpus = 3;
  options.slices = 60'000;
  options.format = tracegen::Format::gz;
  options.metrics_interval_ns = 500'000'000;
  (void)tracegen::generate(options, folder.path() / "traces");
  // Ranks with other sizes and names, input that causes diagnostics, and files that are not ranks.
  const std::string event = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5})";
  folder.write("traces/rank70.json", trace_of(event + "," + event + R"(,{"ph":"X","name":"a\q","ts":2,"dur":-1})"));
  folder.write("traces/rank71.json", trace_of(event).substr(0, 60));
  folder.write("traces/empty.json", "");
  folder.write("traces/other.json", "{\"a\": 1}");

  // The first file takes by far the longest, so the others overtake it.
  std::string many = event;
  for (int i = 0; i < 100'000; ++i)
    many += R"(,{"ph":"X","cat":"cpu_op","name":"n)" + std::to_string(i % 1000) + R"(","pid":1,"tid":2,"ts":)" +
            std::to_string(10 * i) + R"(,"dur":5,"args":{"a":)" + std::to_string(i) + "}}";
  folder.write("traces/a.json", trace_of(many));
  // The same names in reverse order, so their ids depend on which of the two files is read first.
  std::string backwards = event;
  for (int i = 1000; i-- > 0;)
    backwards += R"(,{"ph":"X","cat":"c)" + std::to_string(i % 9) + R"(","name":"n)" + std::to_string(i) +
                 R"(","pid":1,"tid":2,"ts":)" + std::to_string(10'000 - i) + R"(,"dur":0})";
  folder.write("traces/rank72.json", trace_of(backwards));

  const fs::path file = folder.path() / "x.wscope";
  const std::string first = saved(folder.path() / "traces", 1, file);
  CHECK((saved(folder.path() / "traces", 1, file) == first));
  for (int i = 0; i < 3; ++i) CHECK((saved(folder.path() / "traces", 4, file) == first));
  const auto sound = store::open_store(file.string());
  REQUIRE(sound.ok());
  CHECK_FALSE(fault_of(*sound));
  REQUIRE(sound->sources().size() == 13);
  for (std::size_t i = 1; i < sound->sources().size(); ++i)
    CHECK(natural_less(sound->sources()[i - 1].key.path, sound->sources()[i].key.path));

  // A copy of a converted profile belongs to its own path, and repeated copies are identical.
  const std::string copy = saved(file, 1, folder.path() / "copy.wscope");
  for (int i = 0; i < 2; ++i) CHECK((saved(file, 4, folder.path() / "copy.wscope") == copy));
}

TEST_CASE("a saved profile has the same bytes from traces and from their store", "[threads]") {
  const TraceSet set;
  const fs::path file = set.beside("x.wscope");
  const std::string read = saved(set.path(), 4, file);
  set.keep();
  CHECK((saved(set.path(), 4, file, set.stores()) == read));
}
