/* ---- The layers of this folder ------------------------------------------------------------ */
% for _, l in ipairs(layers) do

/* ${l.title}.
% if l.about ~= '' then
 * ${l.about}.
% end
% if dispatch then
 * The best kernel that this CPU allows, of: ${l.isas}${l.fallback and '' or '; NULL where it allows none of them'}.
 * The first call asks the CPU; later ones read a pointer. To choose among fewer, or to ask anew:
 * ffn_find_layer("${l.name}", ffn_cpu() & ...). */
% else
 * Its one kernel, for ${l.isas}. The CPU is not asked${l.guard ~= '' and '; NULL where this is not compiled for such a machine' or ''}. */
% end
const ffn_kernel *ffn_${l.spec}(void);
#define FFN_${upper(l.spec)}_INPUTS ${l.inputs}
#define FFN_${upper(l.spec)}_OUTPUTS ${l.outputs}
#define FFN_${upper(l.spec)}_PACKED_BYTES ${l.packed_bytes}
#define FFN_${upper(l.spec)}_WORK_BYTES ${l.work_bytes} /* per thread, on any instruction set */
% if weights then

/* The weights of this layer, packed: what run() takes. */
const void *ffn_${l.spec}_packed(void);
% end
% end

