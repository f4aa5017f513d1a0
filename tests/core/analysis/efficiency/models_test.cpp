// FLOPs and bytes of operators, computed by hand.
#include "core/analysis/efficiency/device_peaks.hpp"
#include "core/analysis/efficiency/problem.hpp"
#include "core/ingest/format/event_text.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

namespace {

struct Inputs {
  std::string dims, types, values;
};

std::optional<Problem> problem_of(std::string_view op, const Inputs& inputs) {
  const ProblemModel* const model = find_model(op);
  REQUIRE(model != nullptr);
  const ingest::EventText event{
      {{"args.Input Dims", inputs.dims}, {"args.Input type", inputs.types}, {"args.Concrete Inputs", inputs.values}}};
  return model->problem(Operands::read(event));
}

const std::string kHalf3 = R"(["c10::Half", "c10::Half", "c10::Half"])";

}  // namespace

TEST_CASE("matrix multiplications count two operations per multiply-add, and each operand once") {
  const auto mm = problem_of("aten::mm", {"[[8, 4], [4, 2]]", kHalf3, ""});
  REQUIRE(mm);
  CHECK(mm->flops == 2 * 8 * 4 * 2);
  CHECK(mm->bytes == 2 * (8 * 4 + 4 * 2 + 8 * 2));
  CHECK(mm->dims == "M=8 N=2 K=4");
  CHECK(mm->dtype == "fp16");
  const auto addmm = problem_of("aten::addmm", {"[[2], [8, 4], [4, 2], [], []]", kHalf3, ""});
  REQUIRE(addmm);
  CHECK(addmm->flops == 2 * 8 * 4 * 2 + 8 * 2);
  CHECK(addmm->bytes == mm->bytes + 2 * 2);
  const auto linear = problem_of("aten::linear", {"[[3, 5, 4], [2, 4], [2]]", kHalf3, ""});
  REQUIRE(linear);
  CHECK(linear->dims == "M=15 N=2 K=4");
  CHECK(linear->flops == 2 * 15 * 2 * 4 + 15 * 2);
  const auto baddbmm = problem_of("aten::baddbmm", {"[[3, 8, 2], [3, 8, 4], [3, 4, 2]]", kHalf3, ""});
  REQUIRE(baddbmm);
  CHECK(baddbmm->dims == "B=3 M=8 N=2 K=4");
  CHECK(baddbmm->flops == 3 * (2 * 8 * 2 * 4 + 8 * 2));
  CHECK(baddbmm->bytes == 2.0 * 3 * (8 * 4 + 4 * 2 + 8 * 2 + 8 * 2));
  // fp8 in, bf16 out.
  const auto scaled =
      problem_of("aten::_scaled_mm",
                 {"[[8, 4], [4, 2], [], [], [], [], [], []]",
                  R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "Scalar", "Scalar"])",
                  R"(["", "", "", "", "", "", "15", "True"])"});
  REQUIRE(scaled);
  CHECK(scaled->flops == 2 * 8 * 4 * 2);
  CHECK(scaled->bytes == 8 * 4 + 4 * 2 + 2 * 8 * 2);
  const auto grouped = problem_of("aten::_grouped_mm", {"[[8, 4], [3, 4, 2], [3]]", kHalf3, ""});
  REQUIRE(grouped);
  CHECK(grouped->flops == 2 * 8 * 4 * 2);
  CHECK(grouped->bytes == 2 * (8 * 4 + 3 * 4 * 2 + 8 * 2));
  CHECK_FALSE(problem_of("aten::mm", {"[[8, 4]]", kHalf3, ""}));
  CHECK_FALSE(problem_of("aten::mm", {"[]", "", ""}));
  CHECK_FALSE(problem_of("aten::mm", {"{broken", "[", "x"}));
}

TEST_CASE("convolutions count the output, its kernel and the channels of its group") {
  const std::string types = R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "Scalar"])";
  // 32 × 32 with stride 2 and padding 1 → 16 × 16.
  const Inputs plain{"[[2, 4, 32, 32], [8, 4, 3, 3], [8], [], [], [], []]", types,
                     R"x(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"])x"};
  const auto forward = problem_of("aten::convolution", plain);
  REQUIRE(forward);
  const double out = 2 * 8 * 16 * 16;
  CHECK(forward->flops == 2 * out * 4 * 9 + out);
  CHECK(forward->bytes == 4 * (2 * 4 * 32 * 32 + 8 * 4 * 9 + 8 + out));
  CHECK(forward->dims == "in=2x4x32x32 weight=8x4x3x3 out=2x8x16x16");
  // Two groups: each output channel sees half of the input channels.
  const auto grouped =
      problem_of("aten::convolution", {"[[2, 4, 32, 32], [8, 2, 3, 3], [], [], [], [], []]",
                                       R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
                                       R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2"])"});
  REQUIRE(grouped);
  CHECK(grouped->flops == 2 * out * 2 * 9);
  // Transposed: 16 × 16 with stride 2, padding 1 and output padding 1 → 32 × 32.
  const auto transposed =
      problem_of("aten::convolution", {"[[2, 8, 16, 16], [8, 4, 3, 3], [], [], [], [], []]",
                                       R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
                                       R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[1, 1]", "1"])"});
  REQUIRE(transposed);
  CHECK(transposed->dims == "in=2x8x16x16 weight=8x4x3x3 out=2x4x32x32");
  CHECK(transposed->flops == 2.0 * (2 * 8 * 16 * 16) * 4 * 9);
  // The strides are not recorded.
  CHECK_FALSE(problem_of("aten::convolution", {plain.dims, types, ""}));

  const auto backward = [&](const std::string& mask) {
    return problem_of(
        "aten::convolution_backward",
        {"[[2, 8, 16, 16], [2, 4, 32, 32], [8, 4, 3, 3], [], [], [], [], [], [], [], []]",
         R"(["float", "float", "float"])",
         R"(["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", ")" + mask + "\"]"});
  };
  CHECK(backward("[True, True, False]")->flops == 2 * 2 * out * 4 * 9);
  CHECK(backward("[False, True, False]")->flops == 2 * out * 4 * 9);
  CHECK(backward("[True, False, False]")->bytes == 4 * (out + 2 * 4 * 32 * 32 + 8 * 4 * 9));
}

TEST_CASE("attention counts two products, its backward pass five, and a causal mask halves them") {
  const auto attention = [&](std::string_view op, const std::string& dims, const std::string& values) {
    return problem_of(op, {dims, R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "c10::BFloat16"])", values});
  };
  const std::string heads_first = "[[2, 4, 16, 8], [2, 2, 32, 8], [2, 2, 32, 8]]";
  const double scores = 2 * 4 * 16 * 32;
  const auto full = attention("aten::_scaled_dot_product_flash_attention", heads_first, R"(["","","","0.","False"])");
  const auto causal = attention("aten::_scaled_dot_product_flash_attention", heads_first, R"(["","","","0.","True"])");
  const auto unknown = attention("aten::_scaled_dot_product_flash_attention", heads_first, "");
  REQUIRE((full && causal && unknown));
  CHECK(full->flops == 2 * scores * 8 * 2);
  CHECK(causal->flops == full->flops / 2);
  CHECK(unknown->flops == full->flops);
  CHECK(full->dims == "B=2 H=4 Nq=16 Nkv=32 d=8");
  CHECK(causal->dims == "B=2 H=4 Nq=16 Nkv=32 d=8 causal");
  CHECK(unknown->dims == "B=2 H=4 Nq=16 Nkv=32 d=8 mask not recorded");
  // Grouped queries: keys and values have fewer heads.
  CHECK(full->bytes == 2.0 * (2 * (2 * 4 * 16 * 8) + 2 * (2 * 2 * 32 * 8)));
  const auto tokens_first = attention("aten::_flash_attention_forward", "[[2, 16, 4, 8], [2, 32, 2, 8], [2, 32, 2, 8]]",
                                      R"(["","","","","","16","32","0.","False"])");
  REQUIRE(tokens_first);
  CHECK(tokens_first->flops == full->flops);
  CHECK(tokens_first->dims == full->dims);
  const auto backward = attention("aten::_scaled_dot_product_flash_attention_backward",
                                  "[[2, 4, 16, 8], [2, 4, 16, 8], [2, 2, 32, 8], [2, 2, 32, 8]]",
                                  R"(["","","","","","","","","16","32","0.","False"])");
  REQUIRE(backward);
  CHECK(backward->flops == 2 * scores * 8 * 5);
  CHECK(backward->bytes == 2.0 * (4 * (2 * 4 * 16 * 8) + 4 * (2 * 2 * 32 * 8)));
}

TEST_CASE("other operators count the bytes they read and write") {
  const auto broadcast = problem_of("aten::mul", {"[[4, 3], [4, 1]]", R"(["float", "float"])", ""});
  REQUIRE(broadcast);
  CHECK(broadcast->flops == 12);
  CHECK(broadcast->bytes == 4 * (12 + 4 + 12));
  CHECK(problem_of("aten::eq", {"[[4, 3], [4, 3]]", R"(["float", "float"])", ""})->bytes == 4 * 24 + 12);
  // In-place addition of fp32 to bf16.
  CHECK(problem_of("aten::add_", {"[[4], [4]]", R"(["c10::BFloat16", "float"])", ""})->bytes == 8 + 16 + 8);
  // The tensor after the input is `out`.
  const auto clamped = problem_of("aten::clamp_min", {"[[4, 3], [], [4, 3]]", R"(["float", "Float", "float"])", ""});
  CHECK((clamped->bytes == 4 * 24 && clamped->dims == "4x3"));
  CHECK_FALSE(problem_of("aten::mul", {"[[4, 3], [4, 2]]", R"(["float", "float"])", ""}));
  const auto copy = problem_of("aten::copy_", {"[[10], [10]]", R"(["c10::BFloat16", "float"])", ""});
  CHECK((copy->flops == 0 && copy->bytes == 60 && copy->dtype == "bf16, fp32"));
  const auto sum = [&](const std::string& dim) {
    return problem_of("aten::sum", {"[[4, 6], [], []]", R"(["float", "ScalarList", "Scalar"])",
                                    R"(["", ")" + dim + R"(", "False"])"});
  };
  CHECK(sum("[0]")->bytes == 4 * (24 + 6));
  CHECK(sum("[-1]")->bytes == 4 * (24 + 4));
  CHECK(sum("[0, 1]")->bytes == 4 * (24 + 1));
  CHECK(problem_of("aten::sum", {"[[4, 6], []]", R"(["float", ""])", R"(["", ""])"})->bytes == 4 * 25);
  const auto norm = problem_of(
      "aten::native_layer_norm",
      {"[[8, 16], [], [16], [16], []]", R"(["c10::Half", "ScalarList", "c10::Half", "c10::Half", "Scalar"])", ""});
  CHECK(norm->bytes == 2 * (2 * 8 * 16 + 2 * 16));
  const auto embedding = problem_of("aten::embedding", {"[[100, 16], [5, 7]]", R"(["float", "long int"])", ""});
  CHECK((embedding->flops == 0 && embedding->bytes == 8 * 35 + 2 * 35 * 16 * 4));
  const auto lists = problem_of(
      "aten::_foreach_add_", {"[[[8, 4], [3]], [[8, 4], [3]], []]", R"(["TensorList", "TensorList", "Scalar"])", ""});
  CHECK((lists->flops == 35 && lists->bytes == 35 * 4 * 3 && lists->dims == "2 tensors, 35 elements"));
  CHECK(find_model("aten::unknown") == nullptr);
}

TEST_CASE("peak rates are looked up by words in the GPU model's name and can be overridden") {
  CHECK(peaks_of("NVIDIA H100 80GB HBM3")->half == 989.4);
  CHECK(peaks_of("NVIDIA H100 PCIe")->half == 756);
  CHECK(peaks_of("NVIDIA H200")->memory == 4.8);
  CHECK(peaks_of("NVIDIA A10G")->half == 70);
  CHECK(peaks_of("NVIDIA A100-SXM4-80GB")->memory == 2.04);
  CHECK(peaks_of("Tesla V100-SXM2-32GB")->half == 125);
  CHECK(peaks_of("AMD Instinct MI300X VF")->memory == 5.3);
  CHECK(peaks_of("NVIDIA L40S")->half == 362);
  CHECK(peaks_of("NVIDIA L4")->half == 121);
  CHECK_FALSE(peaks_of("AMD Radeon Graphics"));
  CHECK_FALSE(peaks_of(""));
  DevicePeaks peaks = *peaks_of("NVIDIA A100-SXM4-80GB");
  CHECK(peaks.of_products("fp32", false) == 19.5);
  CHECK(peaks.of_products("fp32", true) == 156);
  CHECK(peaks.of_products("bf16", true) == 312);
  CHECK(peaks.of_products("int64", true) == 0);
  CHECK_FALSE(set_peaks(peaks, "bf16=300, memory=1.5"));
  CHECK((peaks.half == 300 && peaks.memory == 1.5));
  for (const char* const wrong : {"bf16", "bf16=", "bf16=x", "bf16=-1", "bf17=3", "memory=inf"}) {
    CAPTURE(wrong);
    CHECK(set_peaks(peaks, wrong));
  }
}
