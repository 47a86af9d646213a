/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * xxh64.h - XXH64, a hash by Yann Collet, with seed 0: of bytes that come in pieces. A part of
 * ffn_file.c, which stands in it where files are vendored. */
#ifndef FFN_XXH64_H
#define FFN_XXH64_H

#include "ffn_file.h"

#include <string.h>
/*@ end */

typedef struct ffn_xxh64 {
  uint64_t lanes[4], bytes; /* bytes: all so far */
  unsigned char rest[32]; /* of them what is no whole stripe yet */
} ffn_xxh64;

#define FFN_XXH64_1 UINT64_C(0x9e3779b185ebca87)
#define FFN_XXH64_2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define FFN_XXH64_3 UINT64_C(0x165667b19e3779f9)
#define FFN_XXH64_4 UINT64_C(0x85ebca77c2b2ae63)
#define FFN_XXH64_5 UINT64_C(0x27d4eb2f165667c5)

static inline uint64_t ffn_xxh64_turn(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

/* So many bytes as a number, the lowest first. */
static inline uint64_t ffn_xxh64_word(const unsigned char *at, int bytes) {
  uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (bytes == 8) {
    memcpy(&word, at, sizeof word);
    return word;
  }
#endif
  for (int b = 0; b < bytes; ++b)
    word |= (uint64_t)at[b] << 8 * b;
  return word;
}

static inline uint64_t ffn_xxh64_round(uint64_t lane, uint64_t word) {
  return ffn_xxh64_turn(lane + word * FFN_XXH64_2, 31) * FFN_XXH64_1;
}

static inline ffn_xxh64 ffn_xxh64_begin(void) {
  const ffn_xxh64 state = {
      {FFN_XXH64_1 + FFN_XXH64_2, FFN_XXH64_2, 0, (uint64_t)0 - FFN_XXH64_1}, 0, {0}};
  return state;
}

/* Whole stripes of 32 bytes. */
static inline void ffn_xxh64_stripes(ffn_xxh64 *state, const unsigned char *at, size_t stripes) {
  uint64_t a = state->lanes[0], b = state->lanes[1], c = state->lanes[2], d = state->lanes[3];
  for (; stripes > 0; --stripes, at += 32) {
    a = ffn_xxh64_round(a, ffn_xxh64_word(at, 8));
    b = ffn_xxh64_round(b, ffn_xxh64_word(at + 8, 8));
    c = ffn_xxh64_round(c, ffn_xxh64_word(at + 16, 8));
    d = ffn_xxh64_round(d, ffn_xxh64_word(at + 24, 8));
  }
  state->lanes[0] = a, state->lanes[1] = b, state->lanes[2] = c, state->lanes[3] = d;
}

static inline void ffn_xxh64_take(ffn_xxh64 *state, const void *memory, size_t bytes) {
  const unsigned char *at = (const unsigned char *)memory;
  const size_t kept = (size_t)(state->bytes % 32), free = 32 - kept;
  state->bytes += bytes;
  if (bytes < free) {
    if (bytes > 0)
      memcpy(state->rest + kept, at, bytes);
    return;
  }
  if (kept > 0) {
    memcpy(state->rest + kept, at, free);
    ffn_xxh64_stripes(state, state->rest, 1);
    at += free, bytes -= free;
  }
  ffn_xxh64_stripes(state, at, bytes / 32);
  memcpy(state->rest, at + bytes / 32 * 32, bytes % 32);
}

static inline uint64_t ffn_xxh64_end(const ffn_xxh64 *state) {
  const unsigned char *at = state->rest;
  size_t left = (size_t)(state->bytes % 32);
  uint64_t hash = FFN_XXH64_5;
  if (state->bytes >= 32) {
    static const int turns[4] = {1, 7, 12, 18};
    hash = 0;
    for (size_t i = 0; i < 4; ++i)
      hash += ffn_xxh64_turn(state->lanes[i], turns[i]);
    for (size_t i = 0; i < 4; ++i)
      hash = (hash ^ ffn_xxh64_round(0, state->lanes[i])) * FFN_XXH64_1 + FFN_XXH64_4;
  }
  hash += state->bytes;
  for (; left >= 8; left -= 8, at += 8)
    hash = ffn_xxh64_turn(hash ^ ffn_xxh64_round(0, ffn_xxh64_word(at, 8)), 27) * FFN_XXH64_1 +
           FFN_XXH64_4;
  for (; left >= 4; left -= 4, at += 4)
    hash =
        ffn_xxh64_turn(hash ^ ffn_xxh64_word(at, 4) * FFN_XXH64_1, 23) * FFN_XXH64_2 + FFN_XXH64_3;
  for (; left > 0; --left, ++at)
    hash = ffn_xxh64_turn(hash ^ *at * FFN_XXH64_5, 11) * FFN_XXH64_1;
  hash = (hash ^ hash >> 33) * FFN_XXH64_2;
  hash = (hash ^ hash >> 29) * FFN_XXH64_3;
  return hash ^ hash >> 32;
}

/* Of the head of a packed file, which lies in memory, without the checksum that ends its header. */
static inline uint64_t ffn_file_head_checksum(const void *memory, size_t head_bytes) {
  const size_t behind = sizeof(ffn_file_header), in_front = behind - sizeof(uint64_t);
  ffn_xxh64 state = ffn_xxh64_begin();
  ffn_xxh64_take(&state, memory, in_front);
  ffn_xxh64_take(&state, (const char *)memory + behind, head_bytes - behind);
  return ffn_xxh64_end(&state);
}

/*@ foot */
#endif
/*@ end */
