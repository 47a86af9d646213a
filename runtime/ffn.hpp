/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn.hpp - ffn.h for C++17: sizes are checked, memory frees itself, nothing throws.
 *
 *     ffn::weights weights;
 *     weights.gate.weight = wg, weights.up.weight = wu, weights.down.weight = wd; // std::vectors
 *     auto layer = ffn::layer::make(kernel, weights);
 *     if (!layer)
 *       return puts(layer.problem()), 1;
 *     auto work = ffn::workspace::make(layer->work_bytes());
 *     if (const char *problem = work ? layer->run(y, x, *work) : work.problem())
 *       return puts(problem), 1;
 *
 * where `kernel` is what ffn_find() or another function of ffn.h gave, NULL included.
 * ffn::layer::wrap() takes weights that are packed already, mapped from a file, say.
 *
 * A problem is a sentence in English, sizes included, or NULL where there is none. It belongs to
 * what it came from, a result, a workspace or a trainer, and lives as long, or until the next
 * problem of the same. Rows of x may lie over each other: rows<const float>{signal, count, 1} are
 * windows.
 */
#ifndef FFN_HPP
#define FFN_HPP

#include "ffn.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace ffn {

namespace detail {

template <class sequence>
using element = std::remove_pointer_t<decltype(std::data(std::declval<sequence &>()))>;

/* Conversions of arrays of elements: they add const, but never look at a derived class's. */
template <class sequence, class number, class = void> struct holds_as : std::false_type {};
template <class sequence, class number>
struct holds_as<sequence, number, std::void_t<element<sequence>>>
    : std::is_convertible<element<sequence> (*)[], number (*)[]> {};

/* What may be written to outlives a view of it: it is no temporary, or one that is a view itself,
 * whose own const does not make its elements so. */
template <class sequence, class number>
using viewed_as =
    std::enable_if_t<holds_as<sequence, number>::value &&
                     (std::is_const_v<number> || std::is_lvalue_reference_v<sequence> ||
                         holds_as<const std::remove_reference_t<sequence>, number>::value)>;

} // namespace detail

/* A view of a sequence that someone else owns: what C++17 needs of C++20's std::span. It is made
 * from arrays and from all that has data() and size(); from a temporary only to read, or where that
 * is a view. */
template <class number> class span {
public:
  constexpr span() noexcept = default;
  constexpr span(number *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class sequence, class = detail::viewed_as<sequence, number>>
  constexpr span(sequence &&given) noexcept : data_(std::data(given)), size_(std::size(given)) {}

  constexpr number *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr number &operator[](std::size_t index) const noexcept { return data_[index]; }
  constexpr number *begin() const noexcept { return data_; }
  constexpr number *end() const noexcept { return data_ + size_; }

private:
  number *data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

/* A sentence with numbers in it. */
class sentence {
public:
  const char *say(const char *what) noexcept {
    length_ = 0;
    add(what);
    return text_.data();
  }

  /* "what: so many bytes". */
  const char *say(const char *what, std::size_t given, const char *unit) noexcept {
    say(what);
    add(": "), add(given), add(unit);
    return text_.data();
  }

  /* "what: so many floats, not as many as are wanted". */
  const char *say(
      const char *what, std::size_t given, const char *between, std::size_t wanted) noexcept {
    say(what, given, between);
    add(wanted);
    return text_.data();
  }

  const char *text() const noexcept { return text_.data(); }

private:
  void add(const char *words) noexcept {
    while (*words != 0 && length_ + 1 < text_.size())
      text_[length_++] = *words++;
    text_[length_] = 0;
  }

  void add(std::size_t count) noexcept {
    std::array<char, 24> digits{};
    *std::to_chars(digits.data(), digits.data() + digits.size() - 1, count).ptr = 0;
    add(digits.data());
  }

  std::array<char, 192> text_{};
  std::size_t length_ = 0;
};

} // namespace detail

/* What was asked for, or why there is none. */
template <class wanted> class result {
public:
  result(wanted &&value) noexcept : value_(std::move(value)) {}
  result(const char *problem) noexcept { said_.say(problem); }

  explicit operator bool() const noexcept { return value_.has_value(); }
  const char *problem() const noexcept { return value_ ? nullptr : said_.text(); }
  wanted &operator*() &noexcept { return *pointer(); }
  wanted &&operator*() &&noexcept { return std::move(*pointer()); }
  wanted *operator->() noexcept { return pointer(); }

private:
  wanted *pointer() noexcept {
    assert(value_);
    return &*value_;
  }

  std::optional<wanted> value_;
  detail::sentence said_;
};

/* A matrix [out][in] and its bias [out]; empty where the layer has none. A matrix is floats, or in
 * their place what `source` says, for a kernel whose weights are that: bits of bf16 or f16, or of
 * others `blocks`, the bytes of all rows, one after the other, as files have them. `scales` and
 * `zeros` are the bytes of the arrays that some sources have beside; zeros may be left out.
 * `scale_rows` and `operand_scale` are those of ffn_linear. */
struct linear {
  span<const float> weight{}, bias{};
  span<const std::uint16_t> bits{};
  ffn_source source = FFN_SOURCE_F32;
  span<const std::uint8_t> blocks{}, scales{}, zeros{};
  std::size_t scale_rows = 0;
  float operand_scale = 0;
};

/* The weights of a layer, as in ffn_weights. They are not needed after layer::make(). */
struct weights {
  linear gate{}, up{}, down{};
  span<const linear> chain{};
  std::array<float, FFN_MAX_PARAMETERS> parameters{};
};

/* Rows that need not be dense: row t begins at floats[t * stride]. Those of x may lie over each
 * other. */
template <class number> struct rows {
  span<number> floats;
  std::size_t count, stride;
};

namespace detail {

struct free_memory {
  void operator()(void *memory) const noexcept { ffn_free(memory); }
};
using memory = std::unique_ptr<void, free_memory>;

/* Packed weights that are the layer's own, or that someone else keeps. */
struct free_packed {
  bool is_own;
  void operator()(const void *packed) const noexcept {
    if (is_own)
      ffn_free(const_cast<void *>(packed));
  }
};
using packed_weights = std::unique_ptr<const void, free_packed>;

/* What a weight or a bias of the wrong size is told, by ffn_matrix. */
struct size_problem {
  const char *weight, *bias;
};
inline constexpr size_problem size_problems[] = {
    {"weights.gate.weight has not the size of the kernel's",
        "weights.gate.bias has not the size of the kernel's"},
    {"weights.up.weight has not the size of the kernel's",
        "weights.up.bias has not the size of the kernel's"},
    {"weights.down.weight has not the size of the kernel's",
        "weights.down.bias has not the size of the kernel's"},
    {"a weight of weights.chain has not the size of its stage",
        "a bias of weights.chain has not the size of its stage"}};

/* stage: NULL where the kernel has no such matrix, which then must be empty. */
inline const char *linear_problem(
    sentence &said, const ffn_stage *stage, const linear &given, std::size_t matrix) noexcept {
  const std::size_t outputs = stage ? stage->outputs : 0, inputs = stage ? stage->inputs : 0;
  const std::size_t biases = stage && stage->bias ? outputs : 0;
  const ffn_block_size block = ffn_source_block(given.source);
  const std::size_t kind = given.source == FFN_SOURCE_F32 ? 0 : block.align > 1 ? 1 : 2;
  const std::size_t sizes[] = {given.weight.size(), given.bits.size(), given.blocks.size()};
  const std::size_t wanted[] = {
      outputs * inputs, outputs * inputs, outputs * ffn_source_row(given.source, inputs)};
  static const char *const units[] = {" floats, not ", " bits, not ", " bytes of blocks, not "};
  static const char *const others[] = {" floats beside what source says, not ",
      " bits beside what source says, not ", " bytes of blocks beside what source says, not "};
  const char *const problem = size_problems[matrix].weight;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == kind && sizes[i] != wanted[i])
      return said.say(problem, sizes[i], units[i], wanted[i]);
    if (i != kind && sizes[i] != 0)
      return said.say(problem, sizes[i], others[i], 0);
  }
  const std::size_t shared = ffn_matrix_scales(block, given.scale_rows, outputs, inputs);
  if (given.scales.size() != shared * block.scale)
    return said.say(problem, given.scales.size(), " bytes of scales, not ", shared * block.scale);
  if (given.zeros.size() != 0 && given.zeros.size() != shared * block.zero)
    return said.say(problem, given.zeros.size(), " bytes of zeros, not ", shared * block.zero);
  if (given.bias.size() != biases)
    return said.say(size_problems[matrix].bias, given.bias.size(), " floats, not ", biases);
  return nullptr;
}

/* Every size must be the kernel's, and 0 where it has no such matrix. */
inline const char *weights_problem(
    sentence &said, const ffn_kernel &kernel, const weights &given) noexcept {
  const linear *const fields[] = {&given.gate, &given.up, &given.down};
  const ffn_stage *used[FFN_MATRIX_CHAIN + 1] = {}; /* which stage a matrix is for */
  for (std::size_t s = 0; s < kernel.stage_count; ++s)
    for (std::size_t b = 0; b < kernel.stages[s].branches; ++b)
      used[kernel.stages[s].matrix[b]] = &kernel.stages[s];
  for (std::size_t matrix = 0; matrix < FFN_MATRIX_CHAIN; ++matrix)
    if (const char *problem = linear_problem(said, used[matrix], *fields[matrix], matrix))
      return problem;
  const std::size_t stages = used[FFN_MATRIX_CHAIN] ? kernel.stage_count : 0;
  if (given.chain.size() != stages)
    return said.say("weights.chain has not one linear for each stage of the kernel",
        given.chain.size(), ", not ", stages);
  for (std::size_t s = 0; s < given.chain.size(); ++s)
    if (const char *problem =
            linear_problem(said, &kernel.stages[s], given.chain[s], FFN_MATRIX_CHAIN))
      return problem;
  return nullptr;
}

inline ffn_linear to_c(const linear &given) noexcept {
  ffn_linear dense{};
  dense.weight = given.weight.data();
  if (given.source != FFN_SOURCE_F32 && given.bits.size() != 0)
    dense.weight = given.bits.data();
  if (given.source != FFN_SOURCE_F32 && given.blocks.size() != 0)
    dense.weight = given.blocks.data();
  dense.scales = given.scales.size() != 0 ? given.scales.data() : nullptr;
  dense.zeros = given.zeros.size() != 0 ? given.zeros.data() : nullptr;
  dense.scale_rows = given.scale_rows;
  dense.operand_scale = given.operand_scale;
  dense.source = given.source;
  dense.bias = given.bias.data();
  return dense;
}

/* Weights as C takes them. */
struct c_weights {
  std::array<ffn_linear, FFN_MAX_STAGES> chain{};
  ffn_weights all{};

  /* Takes them; or says what is wrong with them. */
  const char *take(sentence &said, const ffn_kernel *kernel, const weights &given) noexcept {
    if (const char *problem = weights_problem(said, *kernel, given))
      return problem;
    for (std::size_t s = 0; s < given.chain.size(); ++s)
      chain[s] = to_c(given.chain[s]);
    all.gate = to_c(given.gate);
    all.up = to_c(given.up);
    all.down = to_c(given.down);
    all.chain = chain.data();
    std::copy(given.parameters.begin(), given.parameters.end(), all.parameters);
    return ffn_weights_problem(kernel, &all);
  }
};

/* Floats of so many rows: from the first to behind the last. The largest size where there are no
 * such sizes. */
template <class number> std::size_t extent(const rows<number> &given, std::size_t width) noexcept {
  const std::size_t most = static_cast<std::size_t>(-1);
  if (given.count == 0)
    return 0;
  if (given.stride != 0 && given.count - 1 > (most - width) / given.stride)
    return most;
  return (given.count - 1) * given.stride + width;
}

} // namespace detail

/* Work memory: one for each thread that calls layer::run(), for as many layers as it likes. */
class workspace {
public:
  /* Of layer::work_bytes(), the largest where layers share it. */
  static result<workspace> make(std::size_t bytes) noexcept {
    detail::memory memory(ffn_alloc(bytes));
    detail::sentence said;
    if (!memory)
      return said.say("no work memory of that size", bytes, " bytes");
    return workspace(std::move(memory), bytes);
  }

  void *data() noexcept { return memory_.get(); }
  std::size_t bytes() const noexcept { return memory_ ? bytes_ : 0; }

private:
  friend class layer; /* whose problems it keeps */
  friend class mixture; /* of ffn_moe.hpp, likewise */

  workspace(detail::memory &&memory, std::size_t bytes) noexcept
      : memory_(std::move(memory)), bytes_(bytes) {}

  detail::memory memory_;
  std::size_t bytes_;
  detail::sentence said_;
};

/* Memory for all layers of a model, in one piece: small ones share huge pages then. It outlives the
 * layers that are made in it. */
class arena {
public:
  /* Of the kernels' packed_bytes, added up. */
  static result<arena> make(std::size_t bytes) noexcept {
    detail::memory memory(ffn_alloc(bytes));
    detail::sentence said;
    if (!memory)
      return said.say("no memory of that size for an arena", bytes, " bytes");
    return arena(std::move(memory), bytes);
  }

  /* The next bytes, aligned to FFN_ALIGNMENT; NULL where fewer are left, or it was moved away. */
  void *alloc(std::size_t bytes) noexcept {
    ffn_arena all = {memory_.get(), bytes_, used_};
    void *memory = ffn_arena_alloc(&all, bytes);
    used_ = all.used;
    return memory;
  }

private:
  arena(detail::memory &&memory, std::size_t bytes) noexcept
      : memory_(std::move(memory)), bytes_(bytes) {}

  detail::memory memory_;
  std::size_t bytes_, used_ = 0;
};

/* A kernel with its packed weights. Any number of threads may run it at once. */
class layer {
public:
  /* kernel: of ffn_find() or ffn_find_layer(), NULL included. */
  static result<layer> make(const ffn_kernel *kernel, const weights &given) noexcept {
    return make_in(kernel, given, nullptr);
  }

  /* The same in the memory of an arena, which is to outlive the layer. */
  static result<layer> make(
      const ffn_kernel *kernel, const weights &given, arena &memory) noexcept {
    return make_in(kernel, given, &memory);
  }

  /* Over weights that pack() made, now or long ago: mapped from a file, say. They are not copied:
   * whoever keeps them does so until the layer is gone. */
  static result<layer> wrap(
      const ffn_kernel *kernel, const void *packed, std::size_t bytes) noexcept {
    if (!kernel)
      return "no linked kernel fits";
    if (const char *problem = ffn_packed_problem(kernel, packed, bytes))
      return problem;
    return layer(kernel, detail::packed_weights(packed, detail::free_packed{false}));
  }

  const ffn_kernel &kernel() const noexcept { return *kernel_; }
  const void *packed() const noexcept { return packed_.get(); }
  /* Of run() with at most so many tokens; as it stands, with any number of them. */
  std::size_t work_bytes(
      std::size_t threads = 1, std::size_t tokens = static_cast<std::size_t>(-1)) const noexcept {
    return ffn_work_bytes(kernel_, threads, tokens);
  }

  /* y <- layer(x), dense rows. Returns the problem: then y is as it was. */
  [[nodiscard]] const char *run(span<float> y, span<const float> x, workspace &work,
      const ffn_parallel *parallel = nullptr) const noexcept {
    if (const char *problem = problem_of_dense(y, x, work))
      return problem;
    return run(dense(y, kernel_->outputs), dense(x, kernel_->inputs), work, parallel);
  }

  [[nodiscard]] const char *run(rows<float> y, rows<const float> x, workspace &work,
      const ffn_parallel *parallel = nullptr) const noexcept {
    if (const char *problem = problem_of(y, x, work, parallel))
      return problem;
    ffn_run(kernel_, y.floats.data(), y.stride, x.floats.data(), x.stride, x.count, packed_.get(),
        work.data(), work.bytes(), parallel);
    return nullptr;
  }

  /* y <- y + scale * layer(x), rounded once; dense rows, and others. */
  [[nodiscard]] const char *add(span<float> y, float scale, span<const float> x, workspace &work,
      const ffn_parallel *parallel = nullptr) const noexcept {
    if (const char *problem = problem_of_dense(y, x, work))
      return problem;
    return add(dense(y, kernel_->outputs), scale, dense(x, kernel_->inputs), work, parallel);
  }

  [[nodiscard]] const char *add(rows<float> y, float scale, rows<const float> x, workspace &work,
      const ffn_parallel *parallel = nullptr) const noexcept {
    if (const char *problem = problem_of(y, x, work, parallel))
      return problem;
    if (!kernel_->adds)
      return "the kernel was compiled without add()";
    ffn_add(kernel_, y.floats.data(), y.stride, scale, x.floats.data(), x.stride, x.count,
        packed_.get(), work.data(), work.bytes(), parallel);
    return nullptr;
  }

  /*@ outputs */
  /* Several outputs, each to rows of its own: to[i] as ffn_outputs_of() counts them. One without
   * floats is not wanted. Returns the problem: then all is as it was. */
  [[nodiscard]] const char *run_to(span<const rows<float>> to, rows<const float> x, workspace &work,
      const ffn_parallel *parallel = nullptr) const noexcept {
    std::array<ffn_destination, FFN_MAX_STAGES> c{};
    if (const char *problem = take(c, to, x, work, parallel))
      return problem;
    ffn_run_to(ffn_outputs_of(kernel_), c.data(), x.floats.data(), x.stride, x.count, packed_.get(),
        work.data(), work.bytes(), parallel);
    return nullptr;
  }

  /* to[i] <- to[i] + scale * output i, rounded once. */
  [[nodiscard]] const char *add_to(span<const rows<float>> to, float scale, rows<const float> x,
      workspace &work, const ffn_parallel *parallel = nullptr) const noexcept {
    std::array<ffn_destination, FFN_MAX_STAGES> c{};
    if (const char *problem = take(c, to, x, work, parallel))
      return problem;
    if (!kernel_->adds)
      return "the kernel was compiled without add()";
    ffn_add_to(ffn_outputs_of(kernel_), c.data(), scale, x.floats.data(), x.stride, x.count,
        packed_.get(), work.data(), work.bytes(), parallel);
    return nullptr;
  }
  /*@ end */

private:
  static result<layer> make_in(
      const ffn_kernel *kernel, const weights &given, arena *memory) noexcept {
    if (!kernel)
      return "no linked kernel fits";
    if (!kernel->pack)
      return "the kernel was compiled without pack()";
    detail::c_weights c;
    detail::sentence said;
    if (const char *problem = c.take(said, kernel, given))
      return problem;
    const std::size_t bytes = kernel->packed_bytes;
    void *packed = memory ? memory->alloc(bytes) : ffn_alloc(bytes);
    if (!packed)
      return said.say(memory ? "the arena has too few bytes left for the packed weights"
                             : "no memory for the packed weights",
          bytes, " bytes");
    kernel->pack(packed, &c.all);
    return layer(kernel, detail::packed_weights(packed, detail::free_packed{!memory}));
  }

  template <class number>
  static rows<number> dense(span<number> given, std::size_t width) noexcept {
    return {given, given.size() / width, width};
  }

  const char *problem_of_dense(span<float> y, span<const float> x, workspace &work) const noexcept {
    const std::size_t inputs = kernel_->inputs, outputs = kernel_->outputs;
    if (x.size() % inputs != 0)
      return work.said_.say(
          "x is no whole number of rows", x.size(), " floats, not a multiple of ", inputs);
    if (y.size() % outputs != 0 || y.size() / outputs != x.size() / inputs)
      return work.said_.say("y has not one row for each row of x", y.size(), " floats, not ",
          x.size() / inputs * outputs);
    return nullptr;
  }

  /*@ outputs */
  /* Destinations as C takes them; or what is wrong with them or the rest. */
  const char *take(std::array<ffn_destination, FFN_MAX_STAGES> &c, span<const rows<float>> to,
      rows<const float> x, workspace &work, const ffn_parallel *parallel) const noexcept {
    if (const char *problem = problem_of(x, work, parallel))
      return problem;
    detail::sentence &said = work.said_;
    const ffn_outputs *outputs = ffn_outputs_of(kernel_);
    if (!outputs)
      return "the kernel has one output, which run() gives";
    if (to.size() != outputs->count)
      return said.say(
          "there is not one destination for each output", to.size(), ", not ", outputs->count);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i].floats.size() == 0)
        continue;
      if (const char *problem = problem_of_output(said, to[i], x.count, outputs->outputs[i].width))
        return problem;
      c[i].y = to[i].floats.data();
      c[i].stride = to[i].stride;
    }
    return nullptr;
  }

  static const char *problem_of_output(detail::sentence &said, const rows<float> &to,
      std::size_t count, std::size_t width) noexcept {
    const std::size_t extent = detail::extent(to, width);
    if (to.count != count)
      return said.say("an output has not one row for each row of x", to.count, ", not ", count);
    if (to.count > 0 && to.stride < width)
      return said.say("rows of an output overlap by their stride", to.stride, ", not ", width);
    if (to.floats.size() < extent)
      return said.say(
          "an output is too small for its rows", to.floats.size(), " floats, not ", extent);
    return nullptr;
  }
  /*@ end */

  const char *problem_of(rows<float> y, rows<const float> x, workspace &work,
      const ffn_parallel *parallel) const noexcept {
    detail::sentence &said = work.said_;
    if (packed_ && y.count != x.count)
      return said.say("y has not one row for each row of x", y.count, ", not ", x.count);
    if (packed_ && y.count > 0 && y.stride < kernel_->outputs)
      return said.say("rows of y overlap by their stride", y.stride, ", not ", kernel_->outputs);
    if (const char *problem = problem_of(x, work, parallel))
      return problem;
    const std::size_t extent = detail::extent(y, kernel_->outputs);
    if (y.floats.size() < extent)
      return said.say("y is too small for its rows", y.floats.size(), " floats, not ", extent);
    return nullptr;
  }

  const char *problem_of(
      rows<const float> x, workspace &work, const ffn_parallel *parallel) const noexcept {
    if (!packed_)
      return "the layer was moved away";
    detail::sentence &said = work.said_;
    const std::size_t most = kernel_->max_tokens;
    if (most > 0 && x.count > most)
      return said.say("x has more rows than the kernel's max_tokens", x.count, ", not ", most);
    const std::size_t extent = detail::extent(x, kernel_->inputs);
    if (x.floats.size() < extent)
      return said.say("x is too small for its rows", x.floats.size(), " floats, not ", extent);
    const std::size_t bytes = work_bytes(parallel ? parallel->threads : 1, x.count);
    if (work.bytes() < bytes)
      return said.say("the work memory is too small for the layer, the threads and the tokens",
          work.bytes(), " bytes, not ", bytes);
    return nullptr;
  }

  layer(const ffn_kernel *kernel, detail::packed_weights &&packed) noexcept
      : kernel_(kernel), packed_(std::move(packed)) {}

  const ffn_kernel *kernel_;
  detail::packed_weights packed_;
};

} // namespace ffn
#endif
