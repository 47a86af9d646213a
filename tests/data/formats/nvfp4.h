/*@ head */
/* nvfp4 of GGUF: 36 bytes for 64 weights, v scale. 4 bytes of scales of 16 weights each, E4M3 whose
 * top bit is not read; 8 bytes of E2M1 for each: weight j in the low half of byte j, weight 8 + j
 * in its high one. */
#ifndef FFN_DECODERS_NVFP4_H
#define FFN_DECODERS_NVFP4_H

#include "decoders/half.h"
/*@ end */

/* 0x7f, NaN in E4M3, reads as 0, as public decoders have it; so 0xff is 480. Exact: 4 bits. */
static inline double ffn_decode_ue4m3(unsigned byte) {
  const unsigned exponent = byte >> 3 & 15, fraction = byte & 7;
  if (byte == 0x7f)
    return 0;
  return exponent ? ldexp(8 + fraction, (int)exponent - 10) : ldexp(fraction, -9);
}

/* Exact: 2 bits by 4. */
static inline double ffn_decode_nvfp4(const unsigned char *block, size_t k) {
  static const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const int q = block[4 + k / 16 * 8 + k % 8] >> (k % 16 < 8 ? 0 : 4) & 15;
  const double size = values[q & 7] * ffn_decode_ue4m3(block[k / 16]);
  return ffn_decode_product(q & 8 ? -size : size);
}

/*@ foot */
#endif
/*@ end */
