#pragma once
// Compares everything that the interface of two ranks exposes. Names and categories are compared as strings, since the
// ranks may have different dictionaries.
#include <string>

#include "core/trace/profile.hpp"

namespace warpscope::tests {

/// Returns the first difference between the ranks; empty if equal.
std::string difference(const trace::Rank& a, const trace::Dictionary& names_a, const trace::Rank& b,
                       const trace::Dictionary& names_b);

}  // namespace warpscope::tests
