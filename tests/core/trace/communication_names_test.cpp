// Every row of the table matches a name that no earlier row matches; no row matches names of ordinary kernels.
#include "core/trace/names/communication_names.hpp"

#include <set>
#include <string>

#include "core/trace/category.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::trace;

namespace {

struct KnownKernel {
  std::string_view part;  // the row that matches it
  std::string_view name;
};

constexpr KnownKernel kCommunicating[] = {
    {"|nccl", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)"},
    {"|nccl", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
    {"|nccl", "ncclSymkDevKernel_AllReduce_AGxLLMC_R(ncclSymkDevWorkArgs4K const*)"},
    {"|nccl", "void nccl_symmetric::reduce<float>(float*)"},
    {"nccl_kernel", "_Z30ncclKernel_SendRecv_RING_SIMPLE11ncclDevComm"},
    {"nccl_dev_kernel", "_Z21ncclDevKernel_Generic24ncclDevKernelArgsStorage"},
    {"nccl_sym_dev_kernel", "_Z33ncclSymDevKernel_AllGather_STMCv"},
    {"nccl_symk_dev_kernel", "_Z34ncclSymkDevKernel_AllGather_STMCv"},
    {"|rccl", "rcclKernel_AllReduce"},
    {"oneccl", "typeinfo name for oneccl_allreduce_large"},
    {"|ccl_", "ccl_allreduce_topo_kernel"},
    {"|hccl", "hccl_all_reduce"},
    {"|hcom_all", "hcom_allReduce__867_0_1"},
    {"|hcom_reduce", "hcom_reduceScatter__867_1_1"},
    {"|hcom_broadcast", "hcom_broadcast__867_2_1"},
    {"|msccl", "mscclKernel_Sum_half_Simple(int)"},
    {"msccl_kernel", "_Z26mscclKernel_Sum_float_LL"},
    {"mscclpp", "_ZN7mscclpp9allreduceIfEEvPT_"},
    {"|ucc", "void executor_kernel<false>(ucc_ec_cuda_executor_t*, int)"},
    {"|ucc", "void uccl::ep::dispatch<true>(void*)"},
    {"nvshmem", "void c10d::nvshmem_extension::allToAllV_2d<false>(void*, void*)"},
    {"nvshmem", "nvshmemi_reduce_kernel"},
    {"rocshmem", "rocshmem_put_kernel"},
    {"deep_ep::", "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*, int*)"},
    {"deep_ep::", "void deep_ep::internode_ll::combine<false, 7168, 9, 128>(void*, void*)"},
    {"deep_ep::", "void deep_ep::internode::notify_dispatch<false, 4>(int const*, int*, int)"},
    {"7deep_ep", "_ZN7deep_ep9intranode8dispatchILi8ELi768EEEvP4int4Pf"},
    {"hybrid_ep::", "void hybrid_ep::dispatch_kernel<float>(int)"},
    {"::internode", "void primus_turbo::ep::internode::combine<8>(int4*)"},
    {"::intranode", "void fork::ep::intranode::dispatch<8>(int4*)"},
    {"9internode", "_ZN4fork2ep9internode8dispatchILb0EEEvP4int4"},
    {"9intranode", "_ZN4fork2ep9intranode7combineI13__nv_bfloat16EEvPT_"},
    {"12internode_ll", "_ZN4fork2ep12internode_ll8dispatchILb1EEEvPv"},
    {"notify_dispatch", "void cached_notify_dispatch<8>(int*)"},
    {"notify_combine", "void cached_notify_combine(void**, int*)"},
    {"|ep_dispatch_int", "mori::moe::EpDispatchInterNodeKernel<hip_bfloat16>"},
    {"|ep_combine_int", "EpCombineIntraNodeKernel_bf16"},
    {"moe_a2a", "void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<8>(int)"},
    {"moe_all_to_all", "void tensorrt_llm::kernels::moeAllToAllKernel(int)"},
    {"|kernel_dispatch_token", "kernel_dispatch_token_intra_node"},
    {"|kernel_combine_token", "kernel_combine_token"},
    {"cross_device_reduce", "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, int)"},
    {"cross_device_reduce", "void aiter::cross_device_reduce_2stage_naive<bf16, 8>(aiter::RankData*)"},
    {"reduce_scatter_cross_device", "void aiter::reduce_scatter_cross_device_store<bf16, 8>(aiter::RankData*)"},
    {"quickreduce::", "void quickreduce::twoshot<quickreduce::CodecQ4>(half*)"},
    {"all_reduce_prototype", "void allreduce_prototype_twoshot<CodecFP<half>>(half*)"},
    {"all_reduce_kernel", "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)"},
    {"all_reduce_kernel", "void (anonymous namespace)::one_shot_all_reduce_kernel<float, 16, 8, true>(float**)"},
    {"all_reduce_kernel", "void (anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, 16, 8>(void**)"},
    {"all_reduce_kernel", "void tensorrt_llm::kernels::oneShotAllReduceKernel<half, 8>(AllReduceParams)"},
    {"all_reduce_kernel", "allreduce_kernel_vec32(unsigned int*)"},
    {"all_reduce_fusion",
     "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<half, 8>(int)"},
    {"one_shot_all_reduce", "lamport_style_one_shot_all_reduce_norm"},
    {"two_shot_all_reduce", "twoshotAllreduce_mnnvl"},
    {"all_reduce_one_shot", "allreduce_one_shot_multimem_intra_node"},
    {"all_reduce_two_shot", "allreduce_two_shot_push_intra_node"},
    {"all_reduce_double_tree", "allreduce_double_tree_intra_node"},
    {"prenorm_all_reduce", "one_shot_prenorm_all_reduce_norm"},
    {"multimem_all_reduce", "multimem_all_reduce_inline"},
    {"multimem_all_gather", "void (anonymous namespace)::multimem_all_gather<16>(char*)"},
    {"multimem_reduce_scatter", "multimem_reduce_scatter_columns"},
    {"all_gather_kernel", "fused_allreduce_allgather_kernel"},
    {"all_gather_push", "all_gather_push_2d"},
    {"kernel_ag_intra_node", "kernel_ag_intra_node_nvlink_small_msg_split_rank"},
    {"reduce_scatter_kernel", "reduce_scatter_kernel_scalar32(float*)"},
    {"reduce_scatter_ring", "reduce_scatter_ring_push_1d_intra_node"},
    {"kernel_ring_reduce", "kernel_ring_reduce_tma"},
    {"all_to_all_kernel", "all_to_all_kernel"},
    {"all_to_all_v", "all_to_all_v_2d_inter_node"},
    {"all_to_all_single", "all_to_all_single_2d"},
    {"all2all", "void bytedance::flux::post_attn_all2all_transpose_kernel<half>(half*)"},
    {"a2a_kernel", "void bytedance::flux::pre_attn_qkv_pack_a2a_kernel<half>(half*)"},
    {"a2a_single_kernel", "void bytedance::flux::a2a_single_kernel_v2<half>(half*)"},
    {"ag_a2a_mode", "void bytedance::flux::ag_a2a_mode_kernel<half>(half*)"},
    {"packed_ring_reduction", "void bytedance::flux::packed_ring_reduction<half>(half*)"},
    {"topk_gather_rs", "void bytedance::flux::ep_topk_gather_rs_kernel<half>(half*)"},
    {"inter_node_p2p", "kernel_inter_node_p2p_for_same_local_rank"},
    {"userbuffers", "void transformer_engine::userbuffers_fp16_sum_inplace_gpu_rw<8>(int)"},
    {"userbuffers", "kuserbuffers_pushsend(int*, int)"},
    {"symm_mem::", "void symm_mem::put(float*)"},
    {"c10d::symmetric_memory", "c10d::symmetric_memory::barrier_kernel(unsigned int**, unsigned long)"},
    {"intra_node_comm", "_ZN4c10d15intra_node_comm6reduceEPPf"},
    {"exchange_split_and_offset", "void exchangeSplitAndOffset_2d<true>(long*, long*)"},
    {"put_signal_kernel", "put_signal_kernel(unsigned int**)"},
    {"wait_signal_kernel", "wait_signal_kernel(unsigned int**)"},
    {"barrier_all_kernel", "barrier_all_kernel_v2"},
    {"barrier_all_intra", "barrier_all_intra_node_atomic_cas"},
    {"barrier_all_ipc", "local_copy_and_barrier_all_ipc"},
    {"cuda_ipc_barrier_all", "void bytedance::flux::CudaIpcBarrierAllRingModeKernel(int**, int, int)"},
};

constexpr std::string_view kOrdinary[] = {
    "volta_sgemm_128x64_nn",
    "Memcpy HtoD",
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, at::detail::Array<char*, 1> >",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float> > >",
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor>",
    "void at::native::vectorized_elementwise_kernel<4, all_equal_functor<float> >",
    "void at::native::vectorized_gather_kernel<16, long>(char*, char*)",
    "void at::native::_scatter_gather_elementwise_kernel<128, 8>",
    "void at::native::batch_norm_collect_statistics_kernel<float>",
    "void at::native::type_specialized_broadcast_kernel_launcher<1>",
    "void cub::DeviceReduceByKeyKernel<cub::DispatchReduceByKey<long*, long*>::PtxReduceByKeyPolicy>",
    "cudnn_turing_scudnn_128x64_stridedB_splitK_xregs_large_nn_v1",
    "void cutlass::device_kernel<HybridEpilogue<float> >",
    "void cutlass::Kernel2<bytedance::flux::GemmRs<half> >",
    "void LayerNormForward<float, WarpAllReduce<SumOp, float>, BlockAllReduce<float> >",
    "void PointerNodeVisitor<int>(PrinterNode*)",
    "void string_reduction_kernel<int>(int*)",
    "kernel_gemm_rs_producer_persistent",
    "kernel_fused_gemm_allreduce",
    "mega_kernel_dispatch_token_moe_grouped_gemm",
    "moe_gather_ar_grouped_gemm_kernel",
    "splitk_reduce_kernel",
    "_combined_routing_compute",
    "success_rate_kernel(int)",
    "reduce_sum-dtype_Float",
    "triton_red_fused_all_any_0",
    "",
    "_",
};

}  // namespace

TEST_CASE("each row of communication names matches its own kernels") {
  std::set<std::string_view> tried;
  for (const auto& [part, name] : kCommunicating) {
    INFO(name);
    const CommunicationName* row = communication_name(name);
    REQUIRE(row != nullptr);
    CHECK(row->part == part);
    CHECK(is_communication_name(name));
    tried.insert(row->part);
  }
  for (const CommunicationName& row : communication_names()) {
    INFO(row.part);
    CHECK(tried.contains(row.part));
    CHECK_FALSE(row.library.empty());
  }
}

TEST_CASE("ordinary kernels have no communication name") {
  for (const std::string_view name : kOrdinary) {
    INFO(name);
    CHECK(communication_name(name) == nullptr);
  }
}

TEST_CASE("only the first 512 characters of a communication name count") {
  CHECK(communication_name(std::string(500, 'x') + " nccl") != nullptr);
  CHECK(communication_name(std::string(508, 'x') + " nccl") == nullptr);
  CHECK(communication_name(std::string(100'000, '_') + "nccl") == nullptr);
}
