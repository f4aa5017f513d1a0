// Precompiled for all tests (tests/CMakeLists.txt): core's precompiled header and Catch2.
#include "core/precompiled.hpp"
#include "tests/catch.hpp"
