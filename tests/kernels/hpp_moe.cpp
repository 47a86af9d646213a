/* The C++ wrapper of mixtures of experts: the bits of the C API, and every size that it refuses.
 * The mixture is that of tests/examples/experts.lua. */
#include "ffn_file.h"
#include "ffn_moe.hpp"
#include "moes.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace {

static_assert(std::is_nothrow_move_constructible_v<ffn::mixture>);
static_assert(!std::is_copy_constructible_v<ffn::mixture>);

int passed, failed;

/* NULL: no problem is expected. */
void expect_problem(const char *problem, const char *part, const char *what) {
  const bool fine = part ? problem && std::strstr(problem, part) : !problem;
  (fine ? passed : failed)++;
  if (!fine)
    std::printf("FAILED: %s: %s\n", what, problem ? problem : "no problem");
}

constexpr std::size_t D = 256, EXPERTS = 16, TOP_K = 4, TOKENS = 7;

std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
  std::vector<float> made(count);
  for (float &number : made) {
    seed = seed * 1664525u + 1013904223u;
    number = static_cast<float>(seed >> 8) / 67108864.0f - 0.125f;
  }
  return made;
}

ffn::result<ffn::layer> layer_of(const ffn_kernel &kernel, std::uint32_t seed) {
  std::vector<std::vector<float>> own;
  ffn::weights weights;
  ffn::linear *const fields[] = {&weights.gate, &weights.up, &weights.down};
  std::vector<ffn::linear> chain(kernel.hidden ? 0 : kernel.stage_count);
  for (std::size_t i = 0; i < 3 && kernel.hidden; i++)
    own.push_back(numbers(D * kernel.hidden, seed + static_cast<std::uint32_t>(i)));
  for (std::size_t i = 0; i < own.size(); i++)
    fields[i]->weight = own[i];
  for (std::size_t s = 0; s < chain.size(); s++)
    own.push_back(numbers(D * kernel.stages[s].outputs, seed + static_cast<std::uint32_t>(s)));
  for (std::size_t s = 0; s < chain.size(); s++)
    chain[s].weight = own[s];
  weights.chain = chain;
  return ffn::layer::make(&kernel, weights);
}

} // namespace

int main() {
  ffn_moe_parts parts{};
  expect_problem(ffn::mixture::make(ffn_moe_mine, parts).problem(), "is missing", "no kernels");
  if (!ffn_moe_find(&ffn_moe_mine, 0, ffn_cpu(), &parts))
    return 1;
  ffn_moe_parts other = parts;
  other.shared_kernel = nullptr;
  expect_problem(ffn::mixture::make(ffn_moe_mine, other).problem(), "shared_kernel is missing",
                 "no kernel of the shared expert");
  auto made = ffn::mixture::make(ffn_moe_mine, parts);
  expect_problem(made.problem(), nullptr, "make");
  std::vector<ffn::layer> experts;
  for (std::uint32_t e = 0; e < EXPERTS; e++)
    experts.push_back(*layer_of(made->expert_kernel(), 10 * e));
  auto router = layer_of(made->router_kernel(), 1000);
  auto shared = layer_of(*made->shared_kernel(), 2000);

  const std::vector<float> x = numbers(TOKENS * D, 3000);
  std::vector<float> y(TOKENS * D), expected(TOKENS * D), alone(D);
  auto work = ffn::workspace::make(made->work_bytes(1, TOKENS));
  expect_problem(made->run(y, x, *work), "the router has no weights", "no router");
  expect_problem(made->set_router(*shared), "the layer is not the router", "another router");
  expect_problem(made->set_router(*router), nullptr, "the router");
  expect_problem(made->run(y, x, *work), "the shared expert has no weights", "no shared expert");
  expect_problem(made->set_shared(*router), "is not the shared expert", "another shared expert");
  expect_problem(made->set_shared(*shared), nullptr, "the shared expert");
  expect_problem(made->set_expert(EXPERTS, experts[0]), "there is no such expert: 16 of 16", "16");
  expect_problem(made->set_expert(0, *shared), "the layer is no expert of these", "no expert");
  expect_problem(made->run(y, x, *work), "is not in memory: ", "no experts");

  std::size_t fetched = 0;
  while (made->run(y, x, *work) && fetched++ < EXPERTS) {
    const std::size_t e = made->tell(*work, TOKENS).expert;
    expect_problem(made->set_expert(e, experts[e]), nullptr, "an expert");
  }
  std::vector<const void *> packed;
  for (const ffn::layer &expert : experts)
    packed.push_back(expert.packed());
  parts.experts = packed.data(), parts.router = router->packed(), parts.shared = shared->packed();
  ffn_moe_run(&ffn_moe_mine, &parts, expected.data(), D, x.data(), D, TOKENS, nullptr, work->data(),
              work->bytes(), nullptr);
  expect_problem(std::memcmp(y.data(), expected.data(), y.size() * sizeof(float)) ? "bits"
                                                                                  : nullptr,
                 nullptr, "the bits of C");
  for (std::size_t e = 0; e < EXPERTS; e++)
    expect_problem(made->set_expert(e, experts[e]), nullptr, "all experts");

  /* What a host hands over. */
  const auto logits = numbers(TOKENS * (EXPERTS + 1), 4000),
             weights = numbers(TOKENS * TOP_K, 5000);
  std::vector<std::int32_t> chosen(TOKENS * TOP_K);
  for (std::size_t i = 0; i < chosen.size(); i++)
    chosen[i] = static_cast<std::int32_t>(i * 5 % EXPERTS);
  const ffn_moe_given given = {logits.data(), EXPERTS + 1, chosen.data(), weights.data()};
  ffn_moe_run(&ffn_moe_mine, &parts, expected.data(), D, x.data(), D, TOKENS, &given, work->data(),
              work->bytes(), nullptr);
  ffn::routing host;
  host.logits = logits, host.numbers = chosen, host.weights = weights;
  std::vector<float> wide(TOKENS * 300);
  expect_problem(made->run(ffn::rows<float>{wide, TOKENS, 300},
                           ffn::rows<const float>{x, TOKENS, D}, *work, host),
                 nullptr, "what a host hands over");
  for (std::size_t t = 0; t < TOKENS; t++)
    expect_problem(std::memcmp(&wide[t * 300], &expected[t * D], D * sizeof(float)) ? "bits"
                                                                                    : nullptr,
                   nullptr, "the bits of C");

  /* What is refused. */
  expect_problem(made->run(y, ffn::span<const float>(x.data(), 3), *work), "x is no whole", "x");
  expect_problem(made->run(ffn::span<float>(y.data(), 3), x, *work), "y is no whole", "y");
  expect_problem(made->run(alone, x, *work), "y has not one row for each row of x: 1, not 7", "y");
  expect_problem(
      made->run(ffn::rows<float>{y, TOKENS, 200}, ffn::rows<const float>{x, TOKENS, D}, *work),
      "rows of y overlap by their stride: 200, not 256", "stride");
  expect_problem(
      made->run(ffn::rows<float>{y, TOKENS, 257}, ffn::rows<const float>{x, TOKENS, D}, *work),
      "y is too small for its rows: 1792 floats, not 1798", "a small y");
  expect_problem(
      made->run(ffn::rows<float>{y, TOKENS, D}, ffn::rows<const float>{x, TOKENS, 257}, *work),
      "x is too small for its rows: 1792 floats, not 1798", "a small x");
  auto small = ffn::workspace::make(64);
  expect_problem(made->run(y, x, *small), "the work memory is too small", "work memory");
  ffn::routing wrong = host;
  wrong.logits = ffn::span<const float>(logits.data(), TOKENS * EXPERTS);
  expect_problem(made->run(y, x, *work, wrong), "there are not all logits: 112, not 119", "logits");
  wrong = host, wrong.numbers = ffn::span<const std::int32_t>(chosen.data(), 27);
  expect_problem(made->run(y, x, *work, wrong), "not top_k numbers for each token: 27", "numbers");
  wrong = host, wrong.weights = ffn::span<const float>(weights.data(), 27);
  expect_problem(made->run(y, x, *work, wrong), "not top_k weights for each token: 27", "weights");
  wrong.numbers = {};
  expect_problem(made->run(y, x, *work, wrong), "weights without the numbers", "no numbers");
  chosen[6] = 16;
  expect_problem(made->run(y, x, *work, host), "is no expert, or twice in a token: 16, token 1",
                 "a number");
  chosen[6] = 3, chosen[7] = -1;
  made->forget_expert(3);
  expect_problem(made->run(y, x, *work, host), "not in memory: 3, token ",
                 "an expert that is gone");

  ffn_file file{};
  for (std::size_t e = 0; e < EXPERTS; e++)
    expect_problem(made->set_expert(e, experts[e]), nullptr, "all experts again");
  expect_problem(made->open(file, 0), "no such layer", "an open file of nothing");
  expect_problem(made->run(y, x, *work), "the router has no weights", "what no file gave");
  expect_problem(made->set_router(*router), nullptr, "the router again");
  expect_problem(made->set_shared(*shared), nullptr, "the shared expert again");
  expect_problem(made->run(y, x, *work), "is not in memory: ", "experts that no file gave");
  ffn::mixture moved = *std::move(made);
  expect_problem(made->set_expert(0, experts[0]), "was moved away", "a mixture that was moved");
  expect_problem(made->run(y, x, *work), "was moved away", "a mixture that was moved");
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
