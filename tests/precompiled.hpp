// Compiled once ahead of all tests (tests/CMakeLists.txt): what core's precompiled header has, and Catch2.
#include "core/precompiled.hpp"
#include "tests/catch.hpp"
