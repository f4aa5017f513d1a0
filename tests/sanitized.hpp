#pragma once

namespace warpscope::tests {

/// True in test programs whose code under test was built with sanitizers. Test programs with and without sanitizers
/// link the same test objects, so this is known only at run time.
[[nodiscard]] bool sanitized();

}  // namespace warpscope::tests
