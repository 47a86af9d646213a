/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_train.hpp - ffn_train.h for C++17, as ffn.hpp is ffn.h: sizes are checked, memory frees
 * itself, nothing throws; grad() is held against the run() before it, memory against overlaps.
 *
 *     auto trainer = ffn::trainer::make(kernel, weights);          // of ffn.hpp
 *     if (!trainer)
 *       return puts(trainer.problem()), 1;
 *     ffn::gradients to;
 *     to.up.weight = d_up, to.down.weight = d_down; // std::vectors; empty: not wanted
 *     const char *problem = trainer->run(y, x);
 *     if (!problem)
 *       problem = trainer->grad(to, dy, x);
 *     if (!problem)
 *       problem = trainer->pack(weights); // after every change of them
 */
#ifndef FFN_TRAIN_HPP
#define FFN_TRAIN_HPP

#include "ffn.hpp"
/*@ header */
#include "ffn_train.h"
/*@ end */

#include <functional>

namespace ffn {

/* Where the gradients of a matrix [out][in] and its bias [out] go; empty where not wanted. */
struct linear_gradient {
  span<float> weight{}, bias{};
};

/* Where gradients go, as in ffn_gradients; dx has dense rows. They share no memory. */
struct gradients {
  span<float> dx{};
  linear_gradient gate{}, up{}, down{};
  span<const linear_gradient> chain{};
  span<float> parameters{};
  bool accumulate = false;
};

namespace detail {

inline const char *gradient_problem(
    sentence &said, const ffn_stage *stage, const linear_gradient &to) noexcept {
  const std::size_t weights = stage ? stage->outputs * stage->inputs : 0;
  const std::size_t biases = stage && stage->bias ? stage->outputs : 0;
  if (to.weight.size() != 0 && to.weight.size() != weights)
    return said.say(
        "a gradient has not the size of its matrix", to.weight.size(), " floats, not ", weights);
  if (to.bias.size() != 0 && to.bias.size() != biases)
    return said.say(
        "a gradient has not the size of its bias", to.bias.size(), " floats, not ", biases);
  return nullptr;
}

inline ffn_linear_gradient to_c(const linear_gradient &to) noexcept {
  return {to.weight.data(), to.bias.data()};
}

inline const char *gradients_problem(
    sentence &said, const ffn_training &training, const gradients &to) noexcept {
  const linear_gradient *const fields[] = {&to.gate, &to.up, &to.down};
  const ffn_stage *used[FFN_MATRIX_CHAIN + 1] = {}; /* which stage a matrix is for */
  for (std::size_t s = 0; s < training.stage_count; ++s)
    for (std::size_t b = 0; b < training.stages[s].branches; ++b)
      used[training.stages[s].matrix[b]] = &training.stages[s];
  for (std::size_t matrix = 0; matrix < FFN_MATRIX_CHAIN; ++matrix)
    if (const char *problem = gradient_problem(said, used[matrix], *fields[matrix]))
      return problem;
  const std::size_t stages = used[FFN_MATRIX_CHAIN] ? training.stage_count : 0;
  if (to.chain.size() != 0 && to.chain.size() != stages)
    return said.say("gradients.chain has not one linear for each stage of the kernel",
        to.chain.size(), ", not ", stages);
  for (std::size_t s = 0; s < to.chain.size(); ++s)
    if (const char *problem = gradient_problem(said, &training.stages[s], to.chain[s]))
      return problem;
  if (to.parameters.size() != 0 && to.parameters.size() != training.runtime_parameters)
    return said.say("gradients.parameters are not as many as the kernel takes with its weights",
        to.parameters.size(), ", not ", training.runtime_parameters);
  return nullptr;
}

inline bool overlap(span<const float> a, span<const float> b) noexcept {
  const std::less<const float *> before;
  return a.size() != 0 && b.size() != 0 && before(a.data(), b.data() + b.size()) &&
         before(b.data(), a.data() + a.size());
}

/* What grad() writes, in any order, while it reads x and dy. */
class written {
public:
  const char *take(const gradients &to, span<const float> dy, span<const float> x) noexcept {
    if (overlap(to.dx, x) || overlap(to.dx, dy))
      return "dx overlaps x or dy";
    add(to.dx), add(to.parameters);
    for (const linear_gradient *field : {&to.gate, &to.up, &to.down})
      add(field->weight), add(field->bias);
    for (const linear_gradient &linear : to.chain)
      add(linear.weight), add(linear.bias);
    for (std::size_t i = 0; i < count_; ++i) {
      if (overlap(spans_[i], x) || overlap(spans_[i], dy))
        return "a gradient overlaps x or dy";
      for (std::size_t j = 0; j < i; ++j)
        if (overlap(spans_[i], spans_[j]))
          return "a gradient overlaps another one";
    }
    return nullptr;
  }

private:
  void add(span<float> given) noexcept {
    if (given.size() != 0)
      spans_[count_++] = given;
  }

  std::array<span<const float>, 2 + 2 * (std::size_t{FFN_MATRIX_CHAIN} + FFN_MAX_STAGES)> spans_{};
  std::size_t count_ = 0;
};

/* What run() dropped, which grad() has to drop again. */
inline bool drops_alike(
    const ffn_training &training, const ffn_dropout *a, const ffn_dropout *b) noexcept {
  if (training.dropout_count == 0 || (!a && !b))
    return true;
  return a && b && a->seed == b->seed && a->first_token == b->first_token && a->layer == b->layer &&
         a->step == b->step && (a->masks == nullptr) == (b->masks == nullptr);
}

} // namespace detail

/* A kernel's training with its packed weights and all memory of it: for one thread at a time. */
class trainer {
public:
  /* kernel: of ffn_find() or ffn_find_layer(), NULL included; threads: those of run() and grad().
   */
  static result<trainer> make(
      const ffn_kernel *kernel, const weights &given, std::size_t threads = 1) noexcept {
    if (!kernel)
      return "no linked kernel fits";
    const ffn_training *training = ffn_training_of(kernel);
    if (!training)
      return "no training of the kernel is linked: does its spec say backward = true?";
    detail::memory packed(ffn_alloc(training->packed_bytes));
    detail::memory work(ffn_alloc(ffn_train_work_bytes(training, threads)));
    detail::sentence said;
    if (!packed)
      return said.say("no memory for the packed weights", training->packed_bytes, " bytes");
    if (!work)
      return said.say(
          "no work memory of that size", ffn_train_work_bytes(training, threads), " bytes");
    trainer made(kernel, training, threads, std::move(packed), std::move(work));
    if (const char *problem = made.pack(given))
      return problem;
    return made;
  }

  const ffn_kernel &kernel() const noexcept { return *kernel_; }
  const ffn_training &training() const noexcept { return *training_; }
  const void *packed() const noexcept { return packed_.get(); } /* kernel().run() takes it, too */

  /* Packs weights anew: run() comes before grad() then. */
  [[nodiscard]] const char *pack(const weights &given) noexcept {
    detail::c_weights c;
    if (!packed_)
      return "the trainer was moved away";
    if (const char *problem = c.take(said_, kernel_, given))
      return problem;
    ran_ = false;
    training_->pack_train(packed_.get(), &c.all);
    return nullptr;
  }

  /* y <- layer(x), dense rows; keeps what grad() needs. Returns the problem: then y is as it was.
   */
  [[nodiscard]] const char *run(span<float> y, span<const float> x,
      const ffn_dropout *dropout = nullptr, const ffn_parallel *parallel = nullptr) noexcept {
    const std::size_t tokens = x.size() / training_->inputs;
    if (const char *problem = sizes_problem(tokens, x, y.size(), parallel))
      return problem;
    if (detail::overlap(y, x))
      return "y overlaps x";
    if (!reserve(tokens))
      return said_.say(
          "no memory for what backward needs", ffn_saved_bytes(training_, tokens), " bytes");
    tokens_ = tokens;
    ran_ = true, drops_ = dropout != nullptr;
    dropped_ = drops_ ? *dropout : ffn_dropout{};
    ffn_run_train(training_, y.data(), training_->outputs, x.data(), training_->inputs, tokens,
        saved_.get(), packed_.get(), work_.get(), dropout, parallel);
    return nullptr;
  }

  /* The gradients for dy, of the x and dropout that run() had last, with the same content. Any
   * number of times. */
  [[nodiscard]] const char *grad(const gradients &to, span<const float> dy, span<const float> x,
      const ffn_dropout *dropout = nullptr, const ffn_parallel *parallel = nullptr) noexcept {
    std::array<ffn_linear_gradient, FFN_MAX_STAGES> chain{};
    if (const char *problem = sizes_problem(tokens_, x, dy.size(), parallel))
      return problem;
    if (!ran_)
      return "run() comes before grad(), with the weights that are packed";
    if (!detail::drops_alike(*training_, dropout, drops_ ? &dropped_ : nullptr))
      return "dropout is not what run() had";
    if (const char *problem = detail::gradients_problem(said_, *training_, to))
      return problem;
    if (to.dx.size() != 0 && to.dx.size() != x.size())
      return said_.say("dx has not the size of x", to.dx.size(), " floats, not ", x.size());
    if (const char *problem = detail::written().take(to, dy, x))
      return problem;
    for (std::size_t s = 0; s < to.chain.size(); ++s)
      chain[s] = detail::to_c(to.chain[s]);
    ffn_gradients c{};
    c.dx = to.dx.data(), c.dx_stride = training_->inputs;
    c.gate = detail::to_c(to.gate), c.up = detail::to_c(to.up), c.down = detail::to_c(to.down);
    c.chain = to.chain.size() != 0 ? chain.data() : nullptr;
    c.parameters = to.parameters.data();
    c.accumulate = to.accumulate;
    ffn_grad(training_, &c, dy.data(), training_->outputs, x.data(), training_->inputs, tokens_,
        saved_.get(), packed_.get(), work_.get(), dropout, parallel);
    return nullptr;
  }

private:
  trainer(const ffn_kernel *kernel, const ffn_training *training, std::size_t threads,
      detail::memory &&packed, detail::memory &&work) noexcept
      : kernel_(kernel), training_(training), threads_(threads), packed_(std::move(packed)),
        work_(std::move(work)) {}

  const char *sizes_problem(std::size_t tokens, span<const float> x, std::size_t outputs,
      const ffn_parallel *parallel) noexcept {
    if (!packed_)
      return "the trainer was moved away";
    if (x.size() != tokens * training_->inputs)
      return said_.say("x is no whole number of rows, or not what run() had", x.size(),
          " floats, not ", tokens * training_->inputs);
    if (outputs % training_->outputs != 0 || outputs / training_->outputs != tokens)
      return said_.say("y or dy has not one row for each row of x", outputs, " floats, not ",
          tokens * training_->outputs);
    if (parallel && parallel->threads > (threads_ == 0 ? 1 : threads_))
      return said_.say(
          "the trainer was made for fewer threads", parallel->threads, ", not ", threads_);
    return nullptr;
  }

  bool reserve(std::size_t tokens) noexcept {
    const std::size_t bytes = ffn_saved_bytes(training_, tokens);
    if (bytes > saved_bytes_) {
      saved_.reset(ffn_alloc(bytes));
      saved_bytes_ = saved_ ? bytes : 0;
      tokens_ = 0, ran_ = false;
    }
    return bytes <= saved_bytes_;
  }

  const ffn_kernel *kernel_;
  const ffn_training *training_;
  std::size_t threads_, tokens_ = 0, saved_bytes_ = 0;
  bool ran_ = false, drops_ = false; /* run(), with the weights that are packed; with dropout */
  ffn_dropout dropped_{}; /* its masks are the caller's, and may be gone */
  detail::memory packed_, work_, saved_;
  detail::sentence said_;
};

} // namespace ffn
#endif
