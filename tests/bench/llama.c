/* The example of a Llama as a library for llama.py, which times it beside transformers'. llama.sh
 * compiles it twice: as it is, and with PLAIN, where each product is a plain loop of C over floats
 * that unpack() gives, on the same threads. */
#ifdef PLAIN
#include "plain_products.h"
#endif
#define main example_main
#include "../examples/llama/llama.c"
#undef main

static model all;
static float *scores, *logits;

/* Opens a packed file, with a cache of so many positions. What fails ends the process. */
void llama_open(const char *path, size_t positions);
void llama_open(const char *path, size_t positions) {
  open_model(&all, path, positions);
  scores = need(malloc(positions * sizeof *scores), "no memory");
  logits = need(malloc(sizeof *logits * BATCH * HOST_VOCABULARY), "no memory");
}

/* Takes up to 64 tokens, the first of which stands at `position`. The token that follows. */
size_t llama_take(const size_t *tokens, size_t count, size_t position);
size_t llama_take(const size_t *tokens, size_t count, size_t position) {
  run(&all, logits, tokens, count, position, scores);
  return best_of(logits + (count - 1) * HOST_VOCABULARY);
}
