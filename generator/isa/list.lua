--- The instruction sets, in the order of preference of ffn_isa in ffn.h: append only.
return { 'c', 'neon', 'avx2', 'avx512', 'wasm' }
