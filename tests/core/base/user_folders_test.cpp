#include "core/base/user_folders.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/catch.hpp"

using namespace warpscope;

namespace {

/// A variable of the environment with another value (null: none), for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("the user's folders are where XDG puts them") {
  const Variable home("HOME", "/home/u");
  {
    const Variable cache("XDG_CACHE_HOME", "/big/cache");
    const Variable config("XDG_CONFIG_HOME", nullptr);
    CHECK(user_cache_folder() == "/big/cache/warpscope");
    CHECK(user_config_folder() == "/home/u/.config/warpscope");
  }
  // What is no absolute path is no folder, as the specification has it.
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
