#pragma once
// Loads a profile and waits.
#include <memory>
#include <string>

#include "core/ingest/load/loader.hpp"

namespace warpscope::tests {

Result<std::shared_ptr<const trace::Profile>> load_profile(const std::string& path, ingest::LoadOptions options = {});

}  // namespace warpscope::tests
