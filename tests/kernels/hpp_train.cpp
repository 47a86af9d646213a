/* ffn_train.hpp over a trained kernel: the bits of the C calls, memory for batches of any size, and
 * what is refused. */
#include "ffn_train.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t D = 20, F = 24, TOKENS = 131;

std::vector<float> numbers(std::size_t count, std::size_t from) {
  std::vector<float> list(count);
  for (float &number : list)
    number = static_cast<float>(from++ * 7919 % 2003) / 2003 - 0.5f;
  return list;
}

int failed = 0;
void expect(const char *what, bool holds) {
  if (!holds)
    std::printf("FAILED: %s\n", what), failed = 1;
}

bool says(const char *problem, const char *words) {
  return problem && std::strstr(problem, words) != nullptr;
}

/* A batch by the C calls. */
void by_c(const ffn_training *t, const ffn_weights &weights, const ffn_gradients &to, float *y,
          const float *x, const float *dy, std::size_t tokens) {
  void *packed = ffn_alloc(t->packed_bytes), *work = ffn_alloc(ffn_train_work_bytes(t, 1));
  void *saved = ffn_alloc(ffn_saved_bytes(t, tokens));
  t->pack_train(packed, &weights);
  ffn_run_train(t, y, D, x, D, tokens, saved, packed, work, nullptr, nullptr);
  ffn_grad(t, &to, dy, D, x, D, tokens, saved, packed, work, nullptr, nullptr);
  ffn_free(packed), ffn_free(work), ffn_free(saved);
}

/* Rows whose outputs are 0 modulo 2^64: of so many nothing may be written. */
void expect_sizes_that_wrap() {
  const std::vector<float> column = numbers(16, 1);
  const ffn::linear linear[] = {{column, {}}};
  ffn::weights weights;
  weights.chain = linear;
  auto trainer = ffn::trainer::make(ffn_find_layer("linear_d1_o16_f32", ffn_cpu()), weights);
  const std::size_t rows = static_cast<std::size_t>(-1) / 16 + 1;
  expect("outputs beyond counting",
         trainer && says(trainer->run({}, {column.data(), rows}), "y or dy has not one row"));
}

/* grad() drops what run() dropped. */
void expect_dropout_alike() {
  const std::vector<float> first = numbers(16 * 10, 1), second = numbers(16, 2), x = numbers(30, 3),
                           dy = numbers(3, 4);
  const ffn::linear linears[] = {{first, {}}, {second, {}}};
  ffn::weights weights;
  weights.chain = linears;
  const char *name = "mlp_10_tanh16_identity1_dropout0p25_hidden_f32";
  auto trainer = ffn::trainer::make(ffn_find_layer(name, ffn_cpu()), weights);
  std::vector<float> y(3), dx(30);
  ffn::gradients to;
  to.dx = dx;
  const float *const masks[] = {first.data()};
  ffn_dropout one{};
  one.seed = 1, one.step = 2, one.layer = 3, one.first_token = 4;
  ffn_dropout others[5] = {one, one, one, one, one};
  others[0].seed++, others[1].step++, others[2].layer++, others[3].first_token++;
  others[4].masks = masks;
  expect("run with dropout", trainer && trainer->run(y, x, &one) == nullptr);
  const ffn_dropout same = one;
  expect("the same", trainer->grad(to, dy, x, &same) == nullptr);
  one.step++; /* the caller's, after run() */
  for (const ffn_dropout &other : others)
    expect("another", says(trainer->grad(to, dy, x, &other), "dropout is not what run() had"));
  expect("none", says(trainer->grad(to, dy, x), "dropout is not what run() had"));
  expect("run without", trainer->run(y, x) == nullptr);
  expect("grad without", trainer->grad(to, dy, x) == nullptr);
  expect("one more", says(trainer->grad(to, dy, x, &same), "dropout is not what run() had"));
}

} // namespace

int main() {
  const ffn_kernel *kernel = ffn_find_layer("ffn_swish_bias_d20_f24_f32", ffn_cpu());
  const std::vector<float> up = numbers(F * D, 1), down = numbers(D * F, 5),
                           up_bias = numbers(F, 9), down_bias = numbers(D, 3),
                           x = numbers(TOKENS * D, 7), dy = numbers(TOKENS * D, 11);
  ffn::weights weights;
  weights.up = {up, up_bias}, weights.down = {down, down_bias};
  weights.parameters[0] = 1.25f;
  auto trainer = ffn::trainer::make(kernel, weights);
  if (!trainer)
    return std::puts(trainer.problem()), 1;

  for (const std::size_t tokens : {std::size_t{3}, TOKENS, std::size_t{0}, std::size_t{5}}) {
    std::vector<float> y(tokens * D), z(y), dx(y), ex(y), g(F * D + F + 1), h(g);
    const ffn::span<const float> rows(x.data(), tokens * D), arrives(dy.data(), tokens * D);
    ffn::gradients to;
    to.dx = dx, to.up.weight = {g.data(), F * D}, to.up.bias = {&g[F * D], F};
    to.parameters = {&g[F * D + F], 1};
    expect("run", trainer->run(y, rows) == nullptr);
    expect("grad", trainer->grad(to, arrives, rows) == nullptr);
    ffn_weights c{};
    c.up.weight = up.data(), c.up.bias = up_bias.data();
    c.down.weight = down.data(), c.down.bias = down_bias.data();
    c.parameters[0] = 1.25f;
    ffn_gradients c_to{};
    c_to.dx = ex.data(), c_to.dx_stride = D, c_to.up = {h.data(), &h[F * D]};
    c_to.parameters = &h[F * D + F];
    by_c(&trainer->training(), c, c_to, z.data(), x.data(), dy.data(), tokens);
    expect("the bits of y and dx", y == z && dx == ex);
    expect("the bits of gradients", g == h && (tokens == 0 || g[0] != 0));
  }

  std::vector<float> y(5 * D), small(3);
  const ffn::span<const float> five(x.data(), 5 * D), six(x.data(), 6 * D);
  ffn::gradients to;
  expect("rows of run() alone", says(trainer->grad(to, six, six), "not what run() had"));
  expect("dy of other size", says(trainer->grad(to, six, five), "y or dy has not one row"));
  to.down.weight = small;
  expect("a small gradient", says(trainer->grad(to, five, five), "the size of its matrix"));
  to.down = {}, to.gate.bias = small;
  expect("a gradient of nothing", says(trainer->grad(to, five, five), "the size of its bias"));
  to.gate = {}, to.dx = small;
  expect("a small dx", says(trainer->grad(to, five, five), "dx has not the size"));
  to.dx = {}, to.parameters = small;
  expect("many parameters", says(trainer->grad(to, five, five), "gradients.parameters"));
  expect("no kernel", says(ffn::trainer::make(nullptr, weights).problem(), "no linked kernel"));
  const ffn_kernel *plain = ffn_find_layer("linear_d10_o3_f32", ffn_cpu());
  expect("no training", says(ffn::trainer::make(plain, weights).problem(), "backward = true"));
  to.parameters = {}, to.chain = {};

  /* grad() is held against the run() before it. */
  std::vector<float> dx(5 * D);
  to.dx = dx;
  expect("nothing packed since", trainer->grad(to, five, five) == nullptr);
  expect("packed anew", trainer->pack(weights) == nullptr);
  expect("weights of no run()", says(trainer->grad(to, five, five), "run() comes before grad()"));
  expect("run() again", trainer->run(y, five) == nullptr);
  expect("and grad()", trainer->grad(to, five, five) == nullptr);
  const ffn_dropout unused{};
  expect("nothing that drops", trainer->grad(to, five, five, &unused) == nullptr);

  /* What is written overlaps nothing. */
  std::vector<float> shared(F * D + F + 5 * D);
  const ffn::span<float> first(shared.data(), F * D), behind(&shared[F * D], F),
      across(&shared[F * D - 1], F), row(&shared[F * D - 1], 5 * D);
  to.up = {first, behind};
  expect("neighbours", trainer->grad(to, five, five) == nullptr);
  to.up = {first, across};
  expect("two gradients", says(trainer->grad(to, five, five), "overlaps another one"));
  to.up.bias = {}, to.dx = row;
  expect("dx and a gradient", says(trainer->grad(to, five, five), "overlaps another one"));
  expect("dx and dy", says(trainer->grad(to, row, five), "dx overlaps x or dy"));
  expect("dx and x", says(trainer->grad(to, five, row), "dx overlaps x or dy"));
  to.dx = {};
  expect("a gradient and dy", says(trainer->grad(to, row, five), "a gradient overlaps x or dy"));
  expect("a gradient and x", says(trainer->grad(to, five, row), "a gradient overlaps x or dy"));
  expect("y and x", says(trainer->run(row, row), "y overlaps x"));

  expect_sizes_that_wrap();
  expect_dropout_alike();

  weights.up.weight = small;
  expect("other weights", says(trainer->pack(weights), "weights.up"));
  const auto taken = std::move(*trainer);
  expect("moved away", says(trainer->run(y, five), "moved away")); // NOLINT: that is the question
  expect("the one that has it", taken.packed() != nullptr);
  return failed;
}
