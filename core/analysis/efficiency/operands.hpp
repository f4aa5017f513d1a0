#pragma once
// The recorded inputs of an operator: shapes, types and values, from the arguments "Input Dims", "Input type" and
// "Concrete Inputs" that torch.profiler writes with record_shapes=True.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ingest {
struct EventText;
}

namespace warpscope::analysis {

using Dims = std::vector<std::int64_t>;

/// Event arguments that Operands::read() uses, including the spellings in older traces.
inline constexpr std::array<std::string_view, 6> kInputRows{"args.Input Dims",      "args.Input dims",
                                                            "args.Input type",      "args.Input Type",
                                                            "args.Concrete Inputs", "args.Concrete inputs"};

/// Returns the number of elements; 1 for scalars. The result is a double, because malicious sizes could overflow an
/// integer.
[[nodiscard]] double elements_of(const Dims& dims);
/// Returns a string such as "16x559x1024"; "scalar" without dimensions.
[[nodiscard]] std::string text_of(const Dims& dims);

struct Operand {
  Dims dims;
  std::vector<Dims> list;  ///< shapes of a list of tensors
  std::string type;        ///< as recorded: "c10::BFloat16", "Scalar"; "" if the operand is absent
  std::string value;       ///< of numbers and lists of numbers: "1", "[2, 2]"; "" if not recorded

  /// Returns the short name of the element type, such as "bf16" for "c10::BFloat16"; "" for non-tensors.
  [[nodiscard]] std::string short_type() const;
  /// Returns the element size in bytes; 0 for non-tensors and unknown types.
  [[nodiscard]] double element_size() const;
  [[nodiscard]] bool is_tensor() const { return element_size() > 0; }
  [[nodiscard]] double elements() const { return elements_of(dims); }
  [[nodiscard]] double bytes() const { return elements() * element_size(); }
  /// Returns true for "True"; nullopt if not recorded.
  [[nodiscard]] std::optional<bool> flag() const;
  /// Returns the integers in "[2, 2]" or "2"; nullopt if not recorded or not integers.
  [[nodiscard]] std::optional<Dims> integers() const;
};

/// Returns the element size of a type (short name) in bytes; 0 if unknown.
[[nodiscard]] double size_of_type(std::string_view short_type);

class Operands {
 public:
  /// Parses an event's arguments; the result is empty if no operands are recorded.
  [[nodiscard]] static Operands read(const ingest::EventText& event);

  [[nodiscard]] std::size_t size() const { return all_.size(); }
  /// Returns the operand at an index, or an absent operand if the index is out of range.
  [[nodiscard]] const Operand& operator[](std::size_t index) const;
  /// Returns the first `count` tensors.
  [[nodiscard]] Operands first_tensors(std::size_t count) const;
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::vector<Operand> all_;
};

}  // namespace warpscope::analysis
