#include "tests/load_profile.hpp"

#include <utility>

namespace warpscope::tests {

Result<std::shared_ptr<const trace::Profile>> load_profile(const std::string& path, ingest::LoadOptions options) {
  ingest::Loader loader(path, std::move(options));
  loader.wait();
  if (auto failure = loader.failure()) return *failure;
  return loader.profile();
}

}  // namespace warpscope::tests
