/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_layers.h - the layers of this library by name. What a program calls here is linked, and no
 * other layer; ffn_find(), ffn_find_layer() and ffn_all() link all of them.
 *
 *     const ffn_kernel *k = ffn_layer_NAME(ffn_cpu());
 *
 * is the best kernel of a layer that `cpu` allows (bits as those of ffn_cpu()), or NULL. */
#ifndef FFN_LAYERS_H
#define FFN_LAYERS_H

#include "ffn.h"

${arch}

#ifdef __cplusplus
extern "C" {
#endif
% for _, l in ipairs(layers) do

/* ${l.title}. */
% for _, k in ipairs(l.kernels) do
% if k.arch ~= '' then
#if ${k.arch}
% end
extern const ffn_kernel ${k.name};
% if k.arch ~= '' then
#endif
% end
% end
static inline const ffn_kernel *ffn_layer_${l.name}(unsigned cpu) {
% for _, k in ipairs(l.kernels) do
% if k.arch ~= '' then
#if ${k.arch}
% end
  if (${k.allowed})
    return &${k.name};
% if k.arch ~= '' then
#endif
% end
% end
  return NULL;
}
% end

#ifdef __cplusplus
}
#endif
#endif
