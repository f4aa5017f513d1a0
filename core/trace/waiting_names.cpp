#include "core/trace/waiting_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace warpscope::trace {

namespace {

// Lowercase, without "_", "-" and spaces.
constexpr std::array<std::string_view, 20> kWaits{
    "wait",          "barrier",          "eventwait",        "waitevent",         "waitforevent",
    "streamwait",    "waitstream",       "streamwaitevent",  "waitforstream",     "semaphorewait",
    "waitsemaphore", "waitforsemaphore", "devicewait",       "hostwait",          "fencewait",
    "eventsync",     "streamsync",       "eventsynchronize", "streamsynchronize", "devicesynchronize"};

}  // namespace

bool is_waiting_name(std::string_view name) {
  name = name.substr(0, name.find("-dtype"));
  constexpr std::size_t kLongest = 24;
  if (name.size() > kLongest) return false;
  std::string bare;
  for (const char each : name)
    if (each != '_' && each != '-' && each != ' ')
      bare += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return std::ranges::find(kWaits, bare) != kWaits.end();
}

}  // namespace warpscope::trace
