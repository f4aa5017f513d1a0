#include "tests/sanitized.hpp"

bool warpscope::tests::sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}
