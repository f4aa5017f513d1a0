// libFuzzer entry point of one target.
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const warpscope::fuzz::Target* const target = warpscope::fuzz::find_target(WARPSCOPE_FUZZ_TARGET);
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
