#include "core/rules/account.hpp"

#include "core/rules/facts.hpp"

namespace warpscope::rules {

std::vector<AccountPart> account_of(Facts& facts) {
  analysis::LabelTimes times{};
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g)
    analysis::add(times, facts.account(g).times);
  std::vector<AccountPart> parts;
  for (std::size_t l = 0; l < times.size(); ++l)
    if (times[l] > 0) parts.push_back({static_cast<analysis::TimeLabel>(l), times[l], facts.share(times[l])});
  return parts;
}

std::string_view rule_of(analysis::TimeLabel label) {
  using enum analysis::TimeLabel;
  switch (label) {
    case transfer:
      return "ExposedCommunication";
    case waiting:
      return "LateRank";
    case data_loader:
      return "DataLoader";
    case compilation:
      return "Recompilation";
    case allocation:
      return "AllocatorChurn";
    case host_callback:
    case collection:
    case checkpoint:
    case stall:
      return "HostStall";
    case sync:
      return "HostSync";
    case launch:
    case host:
    case latency:
      return "LaunchBound";
    default:
      return "";
  }
}

}  // namespace warpscope::rules
