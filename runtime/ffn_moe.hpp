/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_moe.hpp - ffn_moe.h for C++17, as ffn.hpp is ffn.h: sizes are checked, memory frees itself,
 * nothing throws.
 *
 *     auto mine = ffn::mixture::make(ffn_moe_mine, parts); // whose kernels ffn_moe_find() found
 *     if (!mine)
 *       return puts(mine.problem()), 1;
 *     auto router = ffn::layer::make(&mine->router_kernel(), router_weights);
 *     auto first = ffn::layer::make(&mine->expert_kernel(), weights); // and the others
 *     const char *problem = mine->set_router(*router);
 *     if (!problem)
 *       problem = mine->set_expert(0, *first);
 *     auto work = ffn::workspace::make(mine->work_bytes(1, tokens));
 *     if (!problem)
 *       problem = work ? mine->run(y, x, *work) : work.problem();
 *
 * A mixture keeps no weights: the layers that it is given outlive it, or the mapped file does. An
 * expert that it is not given is not in memory. */
#ifndef FFN_MOE_HPP
#define FFN_MOE_HPP

#include "ffn.hpp"
/*@ header */
#include "ffn_moe.h"
/*@ end */

namespace ffn {

/* What a host has instead of the router's results, dense, as in ffn_moe_given; empty where the
 * router gives it. */
struct routing {
  span<const float> logits{};
  span<const std::int32_t> numbers{};
  span<const float> weights{};
};

/* A mixture of experts. Calls of several threads each have a workspace of their own. */
class mixture {
public:
  /* Over the kernels of parts, and its correction and expert_scale where the layer has some, which
   * outlive the mixture. What else parts has is not looked at. */
  static result<mixture> make(const ffn_moe &moe, const ffn_moe_parts &parts) noexcept {
    if (!parts.expert_kernel || !parts.router_kernel)
      return "the kernel of the experts or of the router is missing";
    detail::memory experts(ffn_alloc(moe.rule.experts * sizeof(const void *)));
    if (!experts)
      return "no memory for the pointers to the experts";
    auto **const pointers = static_cast<const void **>(experts.get());
    std::fill(pointers, pointers + moe.rule.experts, nullptr);
    ffn_moe_parts own = parts;
    own.experts = pointers;
    own.router = own.shared = nullptr;
    if (const char *problem = ffn_moe_problem(&moe, &own))
      return problem;
    return mixture(moe, own, std::move(experts));
  }

  const ffn_moe &moe() const noexcept { return *moe_; }
  const ffn_kernel &expert_kernel() const noexcept { return *parts_.expert_kernel; }
  const ffn_kernel &router_kernel() const noexcept { return *parts_.router_kernel; }
  /* NULL: there is no shared expert. */
  const ffn_kernel *shared_kernel() const noexcept { return parts_.shared_kernel; }

  /* The weights of a part are those of a layer from now on. */
  [[nodiscard]] const char *set_expert(std::size_t expert, const layer &given) noexcept {
    if (!experts_)
      return moved;
    if (expert >= moe_->rule.experts)
      return said_.say("there is no such expert", expert, " of ", moe_->rule.experts);
    return set(experts()[expert], parts_.expert_kernel, given, "the layer is no expert of these");
  }
  [[nodiscard]] const char *set_router(const layer &given) noexcept {
    return set(parts_.router, parts_.router_kernel, given, "the layer is not the router");
  }
  [[nodiscard]] const char *set_shared(const layer &given) noexcept {
    if (!parts_.shared_kernel)
      return "there is no shared expert";
    return set(parts_.shared, parts_.shared_kernel, given, "the layer is not the shared expert");
  }

  /* An expert is in memory no more. */
  void forget_expert(std::size_t expert) noexcept {
    if (experts_ && expert < moe_->rule.experts)
      experts()[expert] = nullptr;
  }

#ifdef FFN_FILE_H
  /* All weights are those of a model's layer in an open file, which outlives the mixture. Where
   * there is a problem the mixture has no weights. */
  [[nodiscard]] const char *open(const ffn_file &file, std::uint32_t layer_number) noexcept {
    if (!experts_)
      return moved;
    const ffn_file_status status = ffn_moe_open(moe_, &file, layer_number, &parts_, experts());
    if (!status)
      return nullptr;
    parts_.router = parts_.shared = nullptr;
    std::fill(experts(), experts() + moe_->rule.experts, nullptr);
    return ffn_file_status_text(status);
  }
#endif

  std::size_t work_bytes(std::size_t threads, std::size_t tokens) const noexcept {
    return ffn_moe_work_bytes(moe_, &parts_, threads, tokens);
  }

  /* y <- mixture(x), dense rows. Returns the problem: then y is as it was. */
  [[nodiscard]] const char *run(span<float> y, span<const float> x, workspace &work,
      const routing &given = {}, const ffn_parallel *parallel = nullptr) const noexcept {
    const std::size_t inputs = moe_->inputs, outputs = moe_->outputs;
    if (x.size() % inputs != 0)
      return work.said_.say(
          "x is no whole number of rows", x.size(), " floats, not a multiple of ", inputs);
    if (y.size() % outputs != 0)
      return work.said_.say(
          "y is no whole number of rows", y.size(), " floats, not a multiple of ", outputs);
    return run(rows<float>{y, y.size() / outputs, outputs},
        rows<const float>{x, x.size() / inputs, inputs}, work, given, parallel);
  }

  [[nodiscard]] const char *run(rows<float> y, rows<const float> x, workspace &work,
      const routing &given = {}, const ffn_parallel *parallel = nullptr) const noexcept {
    if (const char *problem = problem_of(y, x, work, given, parallel))
      return problem;
    ffn_moe_given c{};
    c.logits = given.logits.size() != 0 ? given.logits.data() : nullptr;
    c.logits_stride = logits();
    c.numbers = given.numbers.size() != 0 ? given.numbers.data() : nullptr;
    c.weights = given.weights.size() != 0 ? given.weights.data() : nullptr;
    const ffn_moe_status status =
        ffn_moe_run(moe_, &parts_, y.floats.data(), y.stride, x.floats.data(), x.stride, x.count,
            c.logits || c.numbers ? &c : nullptr, work.data(), work.bytes(), parallel);
    if (status == FFN_MOE_OK)
      return nullptr;
    const ffn_moe_told told = tell(work, x.count);
    return work.said_.say(status == FFN_MOE_ABSENT ? "an expert that a token takes is not in memory"
                                                   : "a number is no expert, or twice in a token",
        told.expert, ", token ", told.token);
  }

  /* What the last run() with this work memory and so many tokens knows. */
  ffn_moe_told tell(workspace &work, std::size_t tokens) const noexcept {
    return ffn_moe_tell(moe_, work.data(), tokens);
  }

private:
  static constexpr const char *moved = "the mixture was moved away";

  mixture(const ffn_moe &moe, const ffn_moe_parts &parts, detail::memory &&experts) noexcept
      : moe_(&moe), parts_(parts), experts_(std::move(experts)) {}

  const void **experts() noexcept { return static_cast<const void **>(experts_.get()); }
  std::size_t logits() const noexcept {
    return moe_->rule.experts + (moe_->shared == FFN_MOE_SHARED_SIGMOID ? 1 : 0);
  }

  const char *set(const void *&to, const ffn_kernel *kernel, const layer &given,
      const char *otherwise) noexcept {
    if (!experts_)
      return moved;
    if (!given.packed() || !ffn_packed_fits(kernel, given.packed()))
      return otherwise;
    to = given.packed();
    return nullptr;
  }

  const char *problem_of(rows<float> y, rows<const float> x, workspace &work, const routing &given,
      const ffn_parallel *parallel) const noexcept {
    detail::sentence &said = work.said_;
    if (!experts_)
      return moved;
    if (!parts_.router)
      return "the router has no weights: set_router() gives it some";
    if (parts_.shared_kernel && !parts_.shared)
      return "the shared expert has no weights: set_shared() gives it some";
    if (y.count != x.count)
      return said.say("y has not one row for each row of x", y.count, ", not ", x.count);
    if (y.count > 0 && y.stride < moe_->outputs)
      return said.say("rows of y overlap by their stride", y.stride, ", not ", moe_->outputs);
    std::size_t extent = detail::extent(x, moe_->inputs);
    if (x.floats.size() < extent)
      return said.say("x is too small for its rows", x.floats.size(), " floats, not ", extent);
    extent = detail::extent(y, moe_->outputs);
    if (y.floats.size() < extent)
      return said.say("y is too small for its rows", y.floats.size(), " floats, not ", extent);
    if (const char *problem = problem_of(said, given, x.count))
      return problem;
    const std::size_t bytes = work_bytes(parallel ? parallel->threads : 1, x.count);
    if (work.bytes() < bytes)
      return said.say("the work memory is too small for the mixture, the threads and the tokens",
          work.bytes(), " bytes, not ", bytes);
    return nullptr;
  }

  const char *problem_of(
      detail::sentence &said, const routing &given, std::size_t tokens) const noexcept {
    const std::size_t wanted = tokens * logits(), pairs = tokens * moe_->rule.top_k;
    if (given.logits.size() != 0 && given.logits.size() != wanted)
      return said.say("there are not all logits", given.logits.size(), ", not ", wanted);
    if (given.numbers.size() != 0 && given.numbers.size() != pairs)
      return said.say(
          "there are not top_k numbers for each token", given.numbers.size(), ", not ", pairs);
    if (given.weights.size() != 0 && given.numbers.size() == 0)
      return "there are weights without the numbers that they belong to";
    if (given.weights.size() != 0 && given.weights.size() != pairs)
      return said.say(
          "there are not top_k weights for each token", given.weights.size(), ", not ", pairs);
    return nullptr;
  }

  const ffn_moe *moe_;
  ffn_moe_parts parts_; /* whose experts are those of experts_ */
  detail::memory experts_;
  detail::sentence said_; /* of set_expert() */
};

} // namespace ffn
#endif
