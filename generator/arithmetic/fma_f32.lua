--- x times w into an f32 accumulator, one rounding for each k.
return {
  name = 'fma_f32',
  about = 'fused multiply-adds of f32',
}
