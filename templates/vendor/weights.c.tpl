% if alone then
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * weights.c - the weights of ${w.spec}, packed. */
#include "kernel.h"

% end
#ifdef __cplusplus
#define FFN_ALIGNED alignas(FFN_ALIGNMENT)
#else
#define FFN_ALIGNED _Alignas(FFN_ALIGNMENT)
#endif
% if w.halves or w.bytes then

/* Numbers of few bits side by side, in the order of the machine's bytes. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
% if w.halves then
#define FFN_HALVES(a, b) ((uint32_t)(a) << 16 | (uint32_t)(b))
% end
% if w.bytes then
#define FFN_BYTES(a, b, c, d) \
  ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
% end
#else
% if w.halves then
#define FFN_HALVES(a, b) ((uint32_t)(a) | (uint32_t)(b) << 16)
% end
% if w.bytes then
#define FFN_BYTES(a, b, c, d) \
  ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
% end
#endif
% end

typedef struct ffn_${w.spec}_weights {
  ffn_packed_header header;
% for _, part in ipairs(w.parts) do
  ${part.type} ${part.name}[${part.count}];
% end
} ffn_${w.spec}_weights;

FFN_ALIGNED static const ffn_${w.spec}_weights ffn_${w.spec}_values = {
    {{'F', 'F', 'N', 'P'}, FFN_ABI, ${w.hash}, FFN_LAYOUT, ${w.finite}, 0, {${w.parameters}}},
% for _, part in ipairs(w.parts) do
    {
${part.values}
    },
% end
};

const void *ffn_${w.spec}_packed(void) { return &ffn_${w.spec}_values; }
