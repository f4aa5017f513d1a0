#pragma once

namespace warpscope::tests {

/// True in the test programs whose code under test was built with sanitizers. The tests themselves are the same objects
/// in both, so this is a question at run time.
[[nodiscard]] bool sanitized();

}  // namespace warpscope::tests
