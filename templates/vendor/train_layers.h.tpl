/* ---- The layers of this folder that are trained -------------------------------------------- */

/* Bytes of what run_train() saves of a constant number of tokens. */
#define FFN_SAVED_BYTES(each, tokens) \
  ((each) * (tokens) + \
      ((each) > 0 ? ((tokens) + FFN_TOKEN_BLOCK - 1) / FFN_TOKEN_BLOCK * FFN_SAVED_HEADER : 0))
% for _, l in ipairs(trained) do

/* Training of the kernel that ffn_${l.spec}() gives; NULL where that is NULL. */
const ffn_training *ffn_${l.spec}_training(void);
#define FFN_${upper(l.spec)}_TRAIN_PACKED_BYTES ${l.training.packed_bytes}
#define FFN_${upper(l.spec)}_SAVED_BYTES(tokens) FFN_SAVED_BYTES(${l.training.saved_bytes}, tokens)
#define FFN_${upper(l.spec)}_TRAIN_WORK_BYTES ${l.training.work_bytes} /* one thread, on any instruction set */
% end
