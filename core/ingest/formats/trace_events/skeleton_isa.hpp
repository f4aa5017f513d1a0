#pragma once
// The skeleton matchers of each instruction set; skeleton_matcher() chooses one. See skeleton_kernel.hpp.
#include "core/ingest/formats/trace_events/skeleton.hpp"

namespace warpscope::ingest::json {

namespace plain {
[[nodiscard]] const char* match(SkeletonTable& table, const char* at, const char* end, RawEvent& event);
}

#if defined(__x86_64__)
namespace avx2 {
/// Only on machines that have AVX2, BMI, BMI2, POPCNT and PCLMULQDQ.
[[nodiscard]] const char* match(SkeletonTable& table, const char* at, const char* end, RawEvent& event);
}  // namespace avx2
#endif

}  // namespace warpscope::ingest::json
