--- Arm's Neoverse cores as clouds have them: N2, N3, V1, V2, V3.
return {
  about = 'Arm Neoverse V1, N2 and later',
  features = { 'dotprod', 'i8mm', 'bf16' },
  arm64 = {
    { implementer = 0x41, part = 0xd40 }, -- V1
    { implementer = 0x41, part = 0xd49 }, -- N2
    { implementer = 0x41, part = 0xd4f }, -- V2
    { implementer = 0x41, part = 0xd84 }, -- V3
    { implementer = 0x41, part = 0xd8e }, -- N3
  },
  caches = { l1 = 64 << 10, l2 = 1 << 20, l3 = 32 << 20 },
  source = 'not measured: XNNPACK fetches nothing ahead on these at 1 to 8 rows, but does on N1 '
    .. '(src/configs/gemm-config.c), which is left to the choices for any CPU',
  choices = { streams = 4 },
}
