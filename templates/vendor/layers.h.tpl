/* ---- The layers of this folder ------------------------------------------------------------ */
% for _, l in ipairs(layers) do

${layer_comment(l)}
const ffn_kernel *ffn_${l.spec}(void);
#define FFN_${upper(l.spec)}_INPUTS ${l.inputs}
#define FFN_${upper(l.spec)}_OUTPUTS ${l.outputs}
#define FFN_${upper(l.spec)}_PACKED_BYTES ${l.packed_bytes}
#define FFN_${upper(l.spec)}_WORK_BYTES(tokens) /* per thread, on any instruction set */ \
  ((size_t)((tokens) < ${l.work.rows} ? (tokens) : ${l.work.rows}) * ${l.work.row} + ${l.work.beside})
% if l.beside then

/* Its outputs, and the place of each among them; NULL where it has no kernel. */
const ffn_outputs *ffn_${l.spec}_outputs(void);
enum {
% for i, output in ipairs(l.beside) do
  FFN_${upper(l.spec)}_TO_${upper(output.name)} = ${i - 1},
% end
};
% end
% if weights then

/* The weights of this layer, packed: what run() takes. */
const void *ffn_${l.spec}_packed(void);
% end
% end

