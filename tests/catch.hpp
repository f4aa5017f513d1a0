#pragma once

// Includes Catch2 in the system's version: Debian 12 has 2, Debian 13 and Ubuntu 24.04 have 3.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
