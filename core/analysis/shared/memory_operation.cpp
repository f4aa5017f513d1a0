#include "core/analysis/shared/memory_operation.hpp"

#include <array>
#include <string>

#include "core/base/ascii.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::analysis {

namespace {

struct DirectionWord {
  std::string_view word;
  MemoryOperation operation;
};

constexpr std::array kDirectionWords{
    DirectionWord{"htod", MemoryOperation::host_to_device},
    DirectionWord{"hosttodevice", MemoryOperation::host_to_device},
    DirectionWord{"h2d", MemoryOperation::host_to_device},
    DirectionWord{"dtoh", MemoryOperation::device_to_host},
    DirectionWord{"devicetohost", MemoryOperation::device_to_host},
    DirectionWord{"d2h", MemoryOperation::device_to_host},
    DirectionWord{"ptop", MemoryOperation::peer_to_peer},
    DirectionWord{"peertopeer", MemoryOperation::peer_to_peer},
    DirectionWord{"p2p", MemoryOperation::peer_to_peer},
    DirectionWord{"dtod", MemoryOperation::device_to_device},
    DirectionWord{"devicetodevice", MemoryOperation::device_to_device},
    DirectionWord{"d2d", MemoryOperation::device_to_device},
    DirectionWord{"htoh", MemoryOperation::host_to_host},
    DirectionWord{"hosttohost", MemoryOperation::host_to_host},
    DirectionWord{"h2h", MemoryOperation::host_to_host},
};

}  // namespace

std::string_view to_string(MemoryOperation operation) {
  static constexpr std::array<std::string_view, 7> kWords{"HtoD", "DtoH",   "DtoD",      "PtoP",
                                                          "HtoH", "memset", "other copy"};
  return word_at(kWords, operation);
}

MemoryOperation copy_direction(std::string_view name) {
  const std::string folded = lower(name.substr(0, 256));
  for (const DirectionWord& known : kDirectionWords)
    if (folded.find(known.word) != std::string::npos) return known.operation;
  return MemoryOperation::other_copy;
}

}  // namespace warpscope::analysis
