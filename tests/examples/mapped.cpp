/* Packed weights in a file: packed once, then mapped, by as many processes as like. On POSIX:
 *     c++ -O2 -std=c++17 -DFFN_NO_MAIN -IKERNELS mapped.cpp *.o -lm -o mapped && ./mapped FILE */
#include "ffn.hpp"

#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

static constexpr std::size_t d = 512, f = 1365;

static const ffn_kernel *kernel() {
  ffn_query query{};
  query.variant = FFN_SWIGLU, query.d_model = d, query.d_ff = f, query.cpu = ffn_cpu();
  return ffn_find(&query);
}

/* What a product does once, where it has the weights. */
static ffn::result<ffn::layer> pack(const char *path) {
  std::vector<float> gate(f * d), up(f * d), down(d * f);
  std::size_t i = 0;
  for (std::vector<float> *list : {&gate, &up, &down})
    for (float &number : *list)
      number = static_cast<float>(i++ * 7919 % 2003) / 2003 - 0.5f;
  ffn::weights weights;
  weights.gate.weight = gate, weights.up.weight = up, weights.down.weight = down;
  auto layer = ffn::layer::make(kernel(), weights);
  if (!layer)
    return layer;
  std::FILE *file = std::fopen(path, "wb");
  if (!file)
    return "the file cannot be written";
  const std::size_t bytes = layer->kernel().packed_bytes;
  const bool whole = std::fwrite(layer->packed(), 1, bytes, file) == bytes;
  if (std::fclose(file) != 0 || !whole)
    return "the file was not written whole";
  return layer;
}

/* What it does at every start. A mapping begins at a page, which is aligned enough, and lives until
 * the process ends. */
static ffn::result<ffn::layer> map(const char *path) {
  const int file = open(path, O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0)
    return "the file cannot be read";
  const auto bytes = static_cast<std::size_t>(about.st_size);
  void *packed = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (packed == MAP_FAILED)
    return "the file cannot be mapped";
  return ffn::layer::wrap(kernel(), packed, bytes);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "packed_weights";
  auto packed = pack(path), mapped = map(path);
  if (!packed || !mapped)
    return std::puts(packed ? mapped.problem() : packed.problem()), 1;
  const std::vector<float> x(d, 0.25f);
  std::vector<float> y(d), z(d);
  auto work = ffn::workspace::make(packed->work_bytes());
  const char *problem = work ? packed->run(y, x, *work) : work.problem();
  if (!problem)
    problem = mapped->run(z, x, *work);
  if (problem)
    return std::puts(problem), 1;
  std::printf("%s over mapped weights: %s\n", mapped->kernel().name,
              y == z ? "the same bits" : "OTHER BITS");
  return y == z ? 0 : 1;
}
