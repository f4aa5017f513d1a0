#include "core/analysis/efficiency/operands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ingest/format/event_text.hpp"

namespace warpscope::analysis {

namespace {

struct ElementType {
  std::string_view recorded;
  std::string_view shown;
  double size;
};

constexpr std::array kElementTypes{ElementType{"float", "fp32", 4},
                                   ElementType{"double", "fp64", 8},
                                   ElementType{"c10::Half", "fp16", 2},
                                   ElementType{"c10::BFloat16", "bf16", 2},
                                   ElementType{"long int", "int64", 8},
                                   ElementType{"long", "int64", 8},
                                   ElementType{"int", "int32", 4},
                                   ElementType{"short", "int16", 2},
                                   ElementType{"signed char", "int8", 1},
                                   ElementType{"char", "int8", 1},
                                   ElementType{"unsigned char", "uint8", 1},
                                   ElementType{"bool", "bool", 1},
                                   ElementType{"c10::qint8", "int8", 1},
                                   ElementType{"c10::quint8", "uint8", 1},
                                   ElementType{"c10::Float8_e4m3fn", "fp8", 1},
                                   ElementType{"c10::Float8_e5m2", "fp8", 1},
                                   ElementType{"c10::Float8_e4m3fnuz", "fp8", 1},
                                   ElementType{"c10::Float8_e5m2fnuz", "fp8", 1},
                                   ElementType{"c10::Float8_e8m0fnu", "fp8", 1},
                                   ElementType{"c10::Float4_e2m1fn_x2", "fp4", 1},
                                   ElementType{"c10::complex<float>", "complex64", 8},
                                   ElementType{"c10::complex<double>", "complex128", 16}};

const ElementType* find_type(std::string_view recorded) {
  const auto* const found = std::ranges::find(kElementTypes, recorded, &ElementType::recorded);
  return found == kElementTypes.end() ? nullptr : found;
}

/// Returns the numbers in an array; nullopt if it contains anything else.
std::optional<Dims> dims_in(const simdjson::dom::array& array) {
  Dims dims;
  for (const simdjson::dom::element each : array) {
    std::int64_t value = 0;
    if (each.get(value) != simdjson::SUCCESS || value < 0) return std::nullopt;
    dims.push_back(value);
  }
  return dims;
}

/// Calls take(index, element) for each element of a JSON array; no-op if the text is not an array.
template <class Take>
void for_each_element(const std::string* text, Take take) {
  if (text == nullptr) return;
  simdjson::dom::parser parser;
  simdjson::dom::array array;
  if (parser.parse(*text).get(array) != simdjson::SUCCESS) return;
  std::size_t index = 0;
  for (const simdjson::dom::element each : array) take(index++, each);
}

const std::string* find_any(const ingest::EventText& event, std::string_view path, std::string_view old_path) {
  const std::string* const found = event.find(path);
  return found == nullptr ? event.find(old_path) : found;
}

}  // namespace

double elements_of(const Dims& dims) {
  double count = 1;
  for (const std::int64_t size : dims) count *= static_cast<double>(size);
  return count;
}

std::string text_of(const Dims& dims) { return dims.empty() ? "scalar" : fmt::format("{}", fmt::join(dims, "x")); }

double size_of_type(std::string_view short_type) {
  const auto* const found = std::ranges::find(kElementTypes, short_type, &ElementType::shown);
  return found == kElementTypes.end() ? 0 : found->size;
}

std::string Operand::short_type() const {
  const ElementType* const found = find_type(type);
  return found == nullptr ? std::string() : std::string(found->shown);
}

double Operand::element_size() const {
  const ElementType* const found = find_type(type);
  return found == nullptr ? 0 : found->size;
}

std::optional<bool> Operand::flag() const {
  if (value == "True" || value == "true" || value == "1") return true;
  if (value == "False" || value == "false" || value == "0") return false;
  return std::nullopt;
}

std::optional<Dims> Operand::integers() const {
  Dims found;
  const char* at = value.data();
  const char* const end = at + value.size();
  while (at < end) {
    if (*at == '[' || *at == ']' || *at == ',' || *at == ' ') {
      ++at;
      continue;
    }
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    found.push_back(number);
    at = next;
  }
  if (value.empty()) return std::nullopt;
  return found;
}

Operands Operands::read(const ingest::EventText& event) {
  Operands operands;
  auto& all = operands.all_;
  for_each_element(find_any(event, "args.Input Dims", "args.Input dims"),
                   [&](std::size_t, const simdjson::dom::element& each) {
                     Operand& operand = all.emplace_back();
                     simdjson::dom::array array;
                     if (each.get(array) != simdjson::SUCCESS) return;
                     if (auto dims = dims_in(array)) {
                       operand.dims = std::move(*dims);
                       return;
                     }
                     for (const simdjson::dom::element inner : array) {
                       simdjson::dom::array shape;
                       if (inner.get(shape) != simdjson::SUCCESS) continue;
                       if (auto dims = dims_in(shape)) operand.list.push_back(std::move(*dims));
                     }
                   });
  const auto text_into = [&](const std::string* source, std::string Operand::*field) {
    for_each_element(source, [&](std::size_t index, const simdjson::dom::element& each) {
      std::string_view text;
      if (each.get(text) != simdjson::SUCCESS) return;
      if (index >= all.size()) all.resize(index + 1);
      all[index].*field = text;
    });
  };
  text_into(find_any(event, "args.Input type", "args.Input Type"), &Operand::type);
  text_into(find_any(event, "args.Concrete Inputs", "args.Concrete inputs"), &Operand::value);
  return operands;
}

Operands Operands::first_tensors(std::size_t count) const {
  Operands first;
  for (const Operand& each : all_)
    if (each.is_tensor() && first.all_.size() < count) first.all_.push_back(each);
  return first;
}

const Operand& Operands::operator[](std::size_t index) const {
  static const Operand kAbsent;
  return index < all_.size() ? all_[index] : kAbsent;
}

}  // namespace warpscope::analysis
