#include "core/trace/names/communication_names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>

#include "core/trace/category.hpp"

namespace warpscope::trace {

namespace {

constexpr std::array kTable{
    // Collective libraries
    CommunicationName{"|nccl", "NCCL, RCCL"},
    CommunicationName{"nccl_kernel", "NCCL, RCCL, mangled"},
    CommunicationName{"nccl_dev_kernel", "NCCL, RCCL, mangled"},
    CommunicationName{"nccl_sym_dev_kernel", "NCCL with symmetric memory, mangled"},
    CommunicationName{"nccl_symk_dev_kernel", "NCCL with symmetric memory, mangled"},
    CommunicationName{"|rccl", "RCCL"},
    CommunicationName{"oneccl", "oneCCL"},
    CommunicationName{"|ccl_", "oneCCL"},
    CommunicationName{"|hccl", "HCCL"},
    CommunicationName{"|hcom_all", "HCCL of Ascend"},
    CommunicationName{"|hcom_reduce", "HCCL of Ascend"},
    CommunicationName{"|hcom_broadcast", "HCCL of Ascend"},
    CommunicationName{"|msccl", "MSCCL"},
    CommunicationName{"msccl_kernel", "MSCCL, mangled"},
    CommunicationName{"mscclpp", "MSCCL++"},
    CommunicationName{"|ucc", "UCC, UCCL"},
    CommunicationName{"nvshmem", "NVSHMEM, and PyTorch and Triton kernels that use it"},
    CommunicationName{"rocshmem", "rocSHMEM"},
    // Expert parallelism
    CommunicationName{"deep_ep::", "DeepEP"},
    CommunicationName{"7deep_ep", "DeepEP, mangled"},
    CommunicationName{"hybrid_ep::", "DeepEP"},
    CommunicationName{"::internode", "DeepEP's forks"},
    CommunicationName{"::intranode", "DeepEP's forks"},
    CommunicationName{"9internode", "DeepEP's forks, mangled"},
    CommunicationName{"9intranode", "DeepEP's forks, mangled"},
    CommunicationName{"12internode_ll", "DeepEP's forks, mangled"},
    CommunicationName{"notify_dispatch", "DeepEP and its forks"},
    CommunicationName{"notify_combine", "DeepEP and its forks"},
    CommunicationName{"|ep_dispatch_int", "MORI"},
    CommunicationName{"|ep_combine_int", "MORI"},
    CommunicationName{"moe_a2a", "TensorRT-LLM, FlashInfer"},
    CommunicationName{"moe_all_to_all", "TensorRT-LLM, FlashInfer"},
    CommunicationName{"|kernel_dispatch_token", "Triton-distributed"},
    CommunicationName{"|kernel_combine_token", "Triton-distributed"},
    // Hand-written all-reduce
    CommunicationName{"cross_device_reduce", "vLLM, SGLang, AITER"},
    CommunicationName{"reduce_scatter_cross_device", "AITER"},
    CommunicationName{"quickreduce::", "vLLM, SGLang"},
    CommunicationName{"all_reduce_prototype", "vLLM, SGLang: quick all-reduce"},
    CommunicationName{"all_reduce_kernel", "PyTorch, TensorRT-LLM, UCC, Triton-distributed"},
    CommunicationName{"all_reduce_fusion", "TensorRT-LLM, FlashInfer"},
    CommunicationName{"one_shot_all_reduce", "PyTorch, TensorRT-LLM, FlashInfer"},
    CommunicationName{"two_shot_all_reduce", "PyTorch, TensorRT-LLM, FlashInfer"},
    CommunicationName{"all_reduce_one_shot", "Triton-distributed"},
    CommunicationName{"all_reduce_two_shot", "Triton-distributed"},
    CommunicationName{"all_reduce_double_tree", "Triton-distributed"},
    CommunicationName{"prenorm_all_reduce", "TensorRT-LLM"},
    CommunicationName{"multimem_all_reduce", "PyTorch"},
    CommunicationName{"multimem_all_gather", "PyTorch"},
    CommunicationName{"multimem_reduce_scatter", "PyTorch"},
    // Other hand-written collectives
    CommunicationName{"all_gather_kernel", "FlashInfer, Triton-distributed"},
    CommunicationName{"all_gather_push", "Triton-distributed"},
    CommunicationName{"kernel_ag_intra_node", "Triton-distributed"},
    CommunicationName{"reduce_scatter_kernel", "FlashInfer, UCC"},
    CommunicationName{"reduce_scatter_ring", "Triton-distributed"},
    CommunicationName{"kernel_ring_reduce", "Triton-distributed"},
    CommunicationName{"all_to_all_kernel", "Triton-distributed, TensorRT-LLM"},
    CommunicationName{"all_to_all_v", "PyTorch, Triton-distributed"},
    CommunicationName{"all_to_all_single", "Triton-distributed"},
    CommunicationName{"all2all", "FLUX, Triton-distributed"},
    CommunicationName{"a2a_kernel", "FLUX, FlashInfer"},
    CommunicationName{"a2a_single_kernel", "FLUX"},
    CommunicationName{"ag_a2a_mode", "FLUX"},
    CommunicationName{"packed_ring_reduction", "FLUX"},
    CommunicationName{"topk_gather_rs", "FLUX"},
    CommunicationName{"inter_node_p2p", "Triton-distributed"},
    CommunicationName{"userbuffers", "Transformer Engine"},
    // Symmetric memory and waits between ranks
    CommunicationName{"symm_mem::", "PyTorch"},
    CommunicationName{"c10d::symmetric_memory", "PyTorch"},
    CommunicationName{"intra_node_comm", "PyTorch"},
    CommunicationName{"exchange_split_and_offset", "PyTorch"},
    CommunicationName{"put_signal_kernel", "PyTorch"},
    CommunicationName{"wait_signal_kernel", "PyTorch"},
    CommunicationName{"barrier_all_kernel", "Triton-distributed"},
    CommunicationName{"barrier_all_intra", "Triton-distributed"},
    CommunicationName{"barrier_all_ipc", "Triton-distributed"},
    CommunicationName{"cuda_ipc_barrier_all", "FLUX"},
};

constexpr std::size_t kLongest = 512;  // maximum number of characters of a name that are searched
constexpr std::size_t kWords = 2;
static_assert(kTable.size() <= 64 * kWords);

/// A table part in the form used for searching: without "|" and "_".
struct Part {
  std::array<char, 32> text{};
  std::size_t size = 0;
  bool word = false;

  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size}; }
};

constexpr auto kParts = [] {
  std::array<Part, kTable.size()> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const char c : kTable[i].part) {
      if (c == '|')
        parts[i].word = true;
      else if (c != '_')
        parts[i].text[parts[i].size++] = c;
    }
  }
  return parts;
}();

using PartSet = std::array<std::uint64_t, kWords>;  // bit k of word w: row 64 w + k

/// Parts by the character at each of their first kPlaces positions.
constexpr std::size_t kPlaces = 3;
constexpr auto kPartsWith = [] {
  std::array<std::array<PartSet, 256>, kPlaces> sets{};
  for (std::size_t i = 0; i < kParts.size(); ++i)
    for (std::size_t place = 0; place < kPlaces; ++place)
      sets[place][static_cast<unsigned char>(kParts[i].text[place])][i / 64] |= std::uint64_t{1} << (i % 64);
  return sets;
}();
static_assert(std::ranges::all_of(kParts, [](const Part& part) { return part.size >= kPlaces; }));

/// A name in lowercase and without "_", with the positions at which words start.
struct FoldedName {
  std::array<char, kLongest> text;
  std::size_t size = 0;
  std::bitset<kLongest> word_starts{};

  explicit FoldedName(std::string_view name) {
    bool in_word = false;
    for (const char c : name.substr(0, kLongest)) {
      const char folded = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (folded != '_') {
        word_starts[size] = !in_word;
        text[size++] = folded;
      }
      in_word = folded == '_' || (folded >= 'a' && folded <= 'z') || (folded >= '0' && folded <= '9');
    }
  }
  [[nodiscard]] bool has(const Part& part, std::size_t at) const {
    return (!part.word || word_starts[at]) && std::string_view(text.data(), size).substr(at).starts_with(part.view());
  }
};

}  // namespace

std::span<const CommunicationName> communication_names() { return kTable; }

const CommunicationName* communication_name(std::string_view kernel) {
  const FoldedName name(kernel);
  std::size_t best = kParts.size();
  for (std::size_t at = 0; at + kPlaces <= name.size; ++at) {
    for (std::size_t w = 0; w < kWords; ++w) {
      const auto with = [&](std::size_t place) {
        return kPartsWith[place][static_cast<unsigned char>(name.text[at + place])][w];
      };
      for (std::uint64_t left = with(0) & with(1) & with(2); left != 0; left &= left - 1) {
        const std::size_t i = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        if (i < best && name.has(kParts[i], at)) best = i;
      }
    }
  }
  return best < kParts.size() ? &kTable[best] : nullptr;
}

bool is_communication_name(std::string_view name) { return communication_name(name) != nullptr; }

}  // namespace warpscope::trace
