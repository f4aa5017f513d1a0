#pragma once
// Recognizes files in which a tool merged the traces of several ranks, and reads the labels such tools write. Each tool
// puts the rank in a specific part of each event, which defines the file's layout:
//
//   process       "pid": "[TP00-DP01] 83"             SGLang's profile merger
//   name          "name": "[R3] aten::mm"             VeOmni; also the names of metadata events
//   argument      "args": {"rank": 3, "pid_raw": 83}  TraceLens' trace fusion
//   process_name  process_name "Rank 3"               transformer_nuggets, and files merged by hand
//
// Ranks are determined by labels, never by process ids, because tools leave ids unchanged or add offsets that the file
// does not contain.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::ingest::merged {

enum class Layout : std::uint8_t { none, process, name, argument, process_name };

/// A rank of a merged file. The text is a label accepted by is_rank_label() (core/base/file_group.hpp).
struct RankLabel {
  std::string text;
  std::optional<std::int64_t> number;  ///< the global rank; nullopt for a position on parallelism axes
};
[[nodiscard]] RankLabel label_of(std::int64_t rank);

/// A string split into a label and the rest.
struct AxesBefore {
  std::string_view axes;  ///< "TP00-DP01"; "" if there is none
  std::string_view rest;
};
/// Splits "[TP00-DP01] 83".
[[nodiscard]] AxesBefore split_axes(std::string_view process);

struct RankBefore {
  std::int64_t rank = 0;
  std::string_view rest;
};
/// Splits "[R3] aten::mm"; nullopt for other names.
[[nodiscard]] std::optional<RankBefore> split_rank(std::string_view name);

/// Returns the label in a process name such as "Rank 3", "RANK 3 - GPU" or "[TP00] python".
[[nodiscard]] std::optional<RankLabel> label_in_name(std::string_view process_name);

/// Arguments that TraceLens adds.
struct FusedArguments {
  std::optional<std::int64_t> rank;
  std::string_view process;  ///< the "pid" before it was offset; "" if missing
};
[[nodiscard]] FusedArguments fused_arguments(std::string_view arguments);

/// Returns the layout of a merged PyTorch trace file, detected from its first events; Layout::none for any other file.
/// `of_pytorch`: the file is known to be from PyTorch. Most other files are ruled out by a search for labels, so few
/// files are parsed. O(bytes).
[[nodiscard]] Layout layout_of(std::string_view head, bool of_pytorch = false);

}  // namespace warpscope::ingest::merged
