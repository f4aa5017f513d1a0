// Members of the document itself: any value is either used or counted as unreadable.
#include <array>

#include "core/ingest/build/metadata.hpp"
#include "core/ingest/json/compact.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

void run_metadata(std::string_view input) {
  constexpr std::array<std::string_view, 6> kKeys{"distributedInfo", "deviceProperties", "baseTimeNanoseconds",
                                                  "host_name",       "schemaVersion",    "other"};
  Controls controls(input, 1);
  const std::string_view key = kKeys[controls.below(kKeys.size())];
  ingest::FileMetadata metadata;
  Diagnostics diagnostics;
  ingest::add_metadata(metadata, key, input, diagnostics, "file");
  require(diagnostics.all().size() <= 1, "at most one diagnostic");
  if (diagnostics.empty()) return;
  const ingest::FileMetadata untouched;
  require(metadata.rank == untouched.rank && metadata.base_time == untouched.base_time &&
              metadata.devices == untouched.devices && metadata.host == untouched.host,
          "an unreadable value changes nothing");
}

}  // namespace warpscope::fuzz
