#include "core/base/user_folders.hpp"

#include "tests/catch.hpp"
#include "tests/environment.hpp"

using namespace warpscope;
using warpscope::tests::Variable;

TEST_CASE("user folders follow XDG") {
  const Variable home("HOME", "/home/u");
  {
    const Variable cache("XDG_CACHE_HOME", "/big/cache");
    const Variable config("XDG_CONFIG_HOME", nullptr);
    CHECK(user_cache_folder() == "/big/cache/warpscope");
    CHECK(user_config_folder() == "/home/u/.config/warpscope");
  }
  // Paths that are not absolute are ignored, as the specification requires.
  for (const char* none : {"", "relative/cache"}) {
    const Variable cache("XDG_CACHE_HOME", none);
    CHECK(user_cache_folder() == "/home/u/.cache/warpscope");
    const Variable homeless("HOME", none);
    CHECK(user_cache_folder().empty());
  }
  const Variable cache("XDG_CACHE_HOME", nullptr);
  const Variable homeless("HOME", nullptr);
  CHECK(user_cache_folder().empty());
}
