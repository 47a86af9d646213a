// A SwiGLU layer from C++, all tokens at once and one after the other:
//     cc -O2 -c -DFFN_NO_MAIN kernels/*.c
//     c++ -O2 -std=c++17 -Ikernels layer.cpp *.o -lm && ./a.out
#include "ffn.hpp"

#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t d = 512, f = 1365, tokens = 7;
  std::vector<float> gate(f * d), up(f * d), down(d * f), x(tokens * d), y(x.size()), z(x.size());
  std::size_t i = 0;
  for (std::vector<float> *list : {&gate, &up, &down, &x})
    for (float &number : *list)
      number = static_cast<float>(i++ * 7919 % 2003) / 2003 - 0.5f;

  ffn_query query{};
  query.variant = FFN_SWIGLU, query.d_model = d, query.d_ff = f, query.cpu = ffn_cpu();
  ffn::weights weights;
  weights.gate.weight = gate, weights.up.weight = up, weights.down.weight = down;
  auto layer = ffn::layer::make(ffn_find(&query), weights);
  if (!layer)
    return std::puts(layer.problem()), 1;
  auto work = ffn::workspace::make(layer->work_bytes());
  const char *problem = work ? layer->run(y, x, *work) : work.problem();
  for (std::size_t t = 0; t < tokens && !problem; ++t)
    problem = layer->run({&z[t * d], d}, {&x[t * d], d}, *work);
  if (problem)
    return std::puts(problem), 1;

  std::printf("%s from C++: %s\n", layer->kernel().name, y == z ? "the same bits" : "OTHER BITS");
  return y == z ? 0 : 1;
}
