#include "tests/sanitized.hpp"

bool warpscope::tests::sanitized() {
#ifdef __SANITIZE_ADDRESS__
  return true;
#else
  return false;
#endif
}
