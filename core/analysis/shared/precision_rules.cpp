#include <array>

#include "core/analysis/shared/precision.hpp"

namespace warpscope::analysis {

namespace {

using enum Precision;

// Narrow types precede wide ones, for names with several types. Data movement comes first, because its names may
// contain any type.
constexpr std::array kRules{
    // Data movement, whatever the type
    PrecisionRule{"|nccl*allgather", unknown},  // NCCL gathers bytes as int8_t
    PrecisionRule{"|nccl*broadcast", unknown},  // NCCL broadcasts bytes as int8_t
    PrecisionRule{"|nccl*sendrecv", unknown},   // NCCL sends bytes as int8_t
    PrecisionRule{"|nccl*alltoall", unknown},   // RCCL sends bytes
    PrecisionRule{"opaquetype<", unknown},      // PyTorch copies elements by size, regardless of type
    PrecisionRule{"deviceradixsort", unknown},  // CUB radix sort compares keys; values are only moved
    // FP4, FP8
    PrecisionRule{"e2m1", fp4},        // 4-bit float, 2 exponent bits
    PrecisionRule{"nvfp4", fp4},       // NVIDIA's 4-bit float
    PrecisionRule{"mxfp4", fp4},       // 4-bit float with shared scales
    PrecisionRule{"e4m3", fp8},        // 8-bit float, 4 exponent bits
    PrecisionRule{"e5m2", fp8},        // 8-bit float, 5 exponent bits
    PrecisionRule{"fp8", fp8},         // cuBLAS, FBGEMM, Transformer Engine: FP8 kernels
    PrecisionRule{"float8", fp8},      // PyTorch's Float8 types
    PrecisionRule{"|cijk_*_f8", fp8},  // Tensile: F8 inputs
    PrecisionRule{"|cijk_*_b8", fp8},  // Tensile: B8 inputs
    PrecisionRule{"|nvjet_*qq", fp8},  // cuBLAS on Hopper and later: q is FP8
    PrecisionRule{"qgmma", fp8},       // Hopper: 8-bit float instructions
    // Integer matrix products
    PrecisionRule{"|imma", int8},          // integer tensor core instructions
    PrecisionRule{"i8816", int8},          // CUTLASS: INT8 tensor core shape
    PrecisionRule{"i16816", int8},         // CUTLASS: INT8 tensor core shape
    PrecisionRule{"i16832", int8},         // CUTLASS: INT8 tensor core shape
    PrecisionRule{"s8s8", int8},           // CUTLASS, cuBLAS: two INT8 operands
    PrecisionRule{"|i8i32", int8},         // cuBLAS: INT8 accumulated in INT32
    PrecisionRule{"i8i8", int8},           // cuBLAS: two INT8 operands
    PrecisionRule{"|igemm_*_int8", int8},  // MIOpen: INT8 implicit GEMM
    PrecisionRule{"|cijk_*_i8", int8},     // Tensile: INT8 inputs
    PrecisionRule{"|cijk_*_4xi8", int8},   // Tensile: INT8 inputs, packed by four
    PrecisionRule{"int8", int8},           // 8-bit integers
    // BF16, FP16
    PrecisionRule{"bf16", bf16},           // cuBLAS, cuDNN, CUTLASS, MIOpen, NCCL
    PrecisionRule{"bfloat16", bf16},       // c10::BFloat16, __nv_bfloat16, cutlass::bfloat16_t
    PrecisionRule{"|cijk_*_bbs_", bf16},   // Tensile: BF16 in and out, computed in single precision
    PrecisionRule{"|cijk_*_bss_", bf16},   // Tensile: BF16 in, single out
    PrecisionRule{"|cijk_*_bb_", bf16},    // Tensile: BF16 in and out
    PrecisionRule{"|cijk_*_hhs_", fp16},   // Tensile: half in and out, computed in single precision
    PrecisionRule{"|cijk_*_hss_", fp16},   // Tensile: half in, single out
    PrecisionRule{"|cijk_*_hb_", fp16},    // Tensile: half
    PrecisionRule{"|cijk_*_hh_", fp16},    // Tensile: half in and out
    PrecisionRule{"|nvjet_*tst_", bf16},   // cuBLAS on Hopper and later: t is BF16
    PrecisionRule{"|nvjet_*tss_", bf16},   // cuBLAS on Hopper and later: t is BF16, single out
    PrecisionRule{"|nvjet_*hsh_", fp16},   // cuBLAS on Hopper and later: h is half
    PrecisionRule{"|nvjet_*hss_", fp16},   // cuBLAS on Hopper and later: h is half, single out
    PrecisionRule{"|_zn2ck*ttf", bf16},    // Composable Kernel: bhalf_t is mangled as t
    PrecisionRule{"|_zn2ck*df16_", fp16},  // Composable Kernel: _Float16 is mangled as DF16_
    PrecisionRule{"tfloat32", tf32},       // cutlass::tfloat32_t
    PrecisionRule{"tf32", tf32},           // cuBLAS, cuDNN: TF32 on tensor cores
    PrecisionRule{"xf32", tf32},           // Tensile: AMD's counterpart of TF32
    PrecisionRule{"half", fp16},           // c10::Half, __half, cutlass::half_t
    PrecisionRule{"fp16", fp16},           // cuBLAS, cuDNN, MIOpen
    PrecisionRule{"|f16", fp16},           // cuBLAS, CUTLASS, NCCL
    PrecisionRule{"hgemm", fp16},          // BLAS: H is half
    PrecisionRule{"hcudnn", fp16},         // cuDNN: h is half
    PrecisionRule{"h884", fp16},           // Volta: half tensor core shape
    PrecisionRule{"h1688", fp16},          // Turing: half tensor core shape
    PrecisionRule{"h16816", fp16},         // Ampere: half tensor core shape
    PrecisionRule{"|hmma", fp16},          // half tensor core instructions
    PrecisionRule{"s884", fp16},           // CUTLASS: Volta's tensor cores support only half
    PrecisionRule{"s16816", fp16},         // CUTLASS: this tensor core shape is half by default
    // TF32 recognized only by its shape
    PrecisionRule{"tensorop_s1688", tf32},  // CUTLASS: single in and out on tensor cores means TF32
    PrecisionRule{"s1688tf", tf32},         // CUTLASS: TF32 tensor core shape
    PrecisionRule{"s1688", tf32},           // CUTLASS: single on tensor cores means TF32
    // FP32, FP64
    PrecisionRule{"fp32", fp32},          // cuDNN, MIOpen
    PrecisionRule{"|f32", fp32},          // cuBLAS, CUTLASS, NCCL
    PrecisionRule{"float", fp32},         // templates on float, float2, float4
    PrecisionRule{"sgemm", fp32},         // BLAS: S is single
    PrecisionRule{"sgemv", fp32},         // BLAS: S is single
    PrecisionRule{"scudnn", fp32},        // cuDNN: s is single
    PrecisionRule{"cgemm", fp32},         // BLAS: C is single complex
    PrecisionRule{"|cijk_*_sb_", fp32},   // Tensile: single
    PrecisionRule{"|cijk_*_ss_", fp32},   // Tensile: single
    PrecisionRule{"|cijk_*_s_b_", fp32},  // Tensile: single
    PrecisionRule{"|cijk_*_cb_", fp32},   // Tensile: single complex
    PrecisionRule{"|cijk_*_db_", fp64},   // Tensile: double
    PrecisionRule{"|cijk_*_dd_", fp64},   // Tensile: double
    PrecisionRule{"|cijk_*_zb_", fp64},   // Tensile: double complex
    PrecisionRule{"d884", fp64},          // CUTLASS: double tensor core shape
    PrecisionRule{"|dmma", fp64},         // double tensor core instructions
    PrecisionRule{"|dgemm", fp64},        // BLAS: D is double
    PrecisionRule{"|zgemm", fp64},        // BLAS: Z is double complex
    PrecisionRule{"fp64", fp64},          // cuDNN, MIOpen
    PrecisionRule{"|f64", fp64},          // cuBLAS, CUTLASS, NCCL
    PrecisionRule{"|double|", fp64},      // templates on double; does not match DoubleBuffer
    PrecisionRule{"|double2|", fp64},     // templates on double2, including complex numbers
    // Integers used in computations; indices and sizes are integers in every kernel
    PrecisionRule{"const::{lambda(unsigned char", int8},  // PyTorch: elementwise op on bytes
    PrecisionRule{"const::{lambda(signed char", int8},    // PyTorch: elementwise op on bytes
    PrecisionRule{"const::{lambda(bool)", int8},          // PyTorch: elementwise op on bool, 1 byte per element
    PrecisionRule{"const::{lambda(bool, bool", int8},     // PyTorch: elementwise op on bool, 1 byte per element
    PrecisionRule{"const::{lambda(bool, int", int32},     // PyTorch: selection of int elements
    PrecisionRule{"const::{lambda(bool, long", int64},    // PyTorch: selection of long elements
    PrecisionRule{"const::{lambda(int", int32},           // PyTorch: elementwise op on int
    PrecisionRule{"const::{lambda(long", int64},          // PyTorch: elementwise op on long
    PrecisionRule{"functor*<bool", int8},                 // PyTorch: functor on bool, 1 byte per element
    PrecisionRule{"functor*<unsigned char", int8},        // PyTorch: functor on bytes
    PrecisionRule{"functor*<int", int32},                 // PyTorch: functor on int
    PrecisionRule{"functor*<long", int64},                // PyTorch: functor on long
    PrecisionRule{"reduceop<bool", int8},                 // PyTorch: bool reduction, 1 byte per element
    PrecisionRule{"reduceop<unsigned char", int8},        // PyTorch: byte reduction
    PrecisionRule{"reduceop<int", int32},                 // PyTorch: int reduction
    PrecisionRule{"reduceop<long", int64},                // PyTorch: long reduction
    PrecisionRule{"compare_scalar_kernel<int", int32},    // PyTorch: int comparison
    PrecisionRule{"compare_scalar_kernel<long", int64},   // PyTorch: long comparison
    PrecisionRule{"batchedcopy<int", int32},              // PyTorch: concatenation of int tensors
    PrecisionRule{"batchedcopy<long", int64},             // PyTorch: concatenation of long tensors
    PrecisionRule{"scantilestate<int", int32},            // CUB: int scan
    PrecisionRule{"scantilestate<long", int64},           // CUB: long scan
    PrecisionRule{"sum_int32", int32},                    // NCCL: int reduction
    PrecisionRule{"sum_uint32", int32},                   // NCCL: int reduction
    PrecisionRule{"sum_int64", int64},                    // NCCL: long reduction
    PrecisionRule{"sum_uint64", int64},                   // NCCL: long reduction
    PrecisionRule{"|nccl*_i32", int32},                   // NCCL: int reduction
    PrecisionRule{"|nccl*_u32", int32},                   // NCCL: int reduction
    PrecisionRule{"|nccl*_i64", int64},                   // NCCL: long reduction
    PrecisionRule{"|nccl*_u64", int64},                   // NCCL: long reduction
};

}  // namespace

std::span<const PrecisionRule> precision_rules() { return kRules; }

}  // namespace warpscope::analysis
