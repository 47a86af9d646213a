/* ---- The layers of this folder that are trained -------------------------------------------- */
% for _, l in ipairs(trained) do

/* Training of the kernel that ffn_${l.spec}() gives; NULL where that is NULL. */
const ffn_training *ffn_${l.spec}_training(void);
#define FFN_${upper(l.spec)}_TRAIN_PACKED_BYTES ${l.training.packed_bytes}
#define FFN_${upper(l.spec)}_SAVED_BYTES ${l.training.saved_bytes} /* for each token */
#define FFN_${upper(l.spec)}_TRAIN_WORK_BYTES ${l.training.work_bytes} /* one thread, on any instruction set */
% end
