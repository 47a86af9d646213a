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

typedef struct ffn_${w.spec}_weights {
  ffn_packed_header header;
% for _, part in ipairs(w.parts) do
  ${part.type} ${part.name}[${part.count}];
% end
} ffn_${w.spec}_weights;

FFN_ALIGNED static const ffn_${w.spec}_weights ffn_${w.spec}_values = {
    {{'F', 'F', 'N', 'P'}, FFN_ABI, ${w.hash}, FFN_LAYOUT, 1, 0, {${w.parameters}}},
% for _, part in ipairs(w.parts) do
    {
${part.values}
    },
% end
};

const void *ffn_${w.spec}_packed(void) { return &ffn_${w.spec}_values; }
