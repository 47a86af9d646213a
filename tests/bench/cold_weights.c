#include "cold_weights.h"

size_t bench_rest_owed(const bench_rest *rest, const bench_rested *memory) {
  const size_t rested = rest->read - memory->at;
  return memory->at == 0 || rested >= rest->wanted ? 0 : rest->wanted - rested;
}

void bench_rest_used(bench_rest *rest, bench_rested *memory, size_t bytes) {
  rest->read += bytes;
  memory->at = rest->read;
}
