--- AMD's Zen 4: AVX-512 on 256-bit units; a prefetcher that does best where few rows leave it
--- alone.
return {
  about = 'AMD Zen 4',
  features = {
    'avx2', 'fma', 'f16c', 'avx512f', 'avx512bw', 'avx512dq', 'avx512vl', 'avx512vnni',
    'avx512bf16',
  },
  -- Family 25: models 16 to 31, 96 to 127 and 160 to 175.
  x86 = {
    { vendor = 'AuthenticAMD', family = 25, first = 16, last = 31 },
    { vendor = 'AuthenticAMD', family = 25, first = 96, last = 127 },
    { vendor = 'AuthenticAMD', family = 25, first = 160, last = 175 },
  },
  caches = { l1 = 32 << 10, l2 = 1 << 20, l3 = 32 << 20 },
  source = 'measured on an EPYC of family 25, model 17: nothing fetched takes 0.64 to 0.84 of the '
    .. 'time at 1 and 4 rows, 1.2 to 1.3 at 16; with AVX-512 6 KiB of each panel into the '
    .. 'second-level cache 0.62 to 0.87 at 5 to 10, 0.66 to 0.98 at 12 to 16; with AVX2 the same '
    .. 'as 2 KiB into the first; one row with AVX-512 that reads every second line twice 0.92 to '
    .. '0.98, from the third-level cache 1.00 to 1.02; fetched at 3 and 4 rows, too, bf16 takes '
    .. '0.84 to 0.90, f16 0.88 to 1.06, both from the third-level cache 0.67 to 0.98, q4_0 and '
    .. 'q8_0 0.94 to 1.04, q4_K 1.03 to 1.20, f32 1.1 to 1.4',
  choices = { streams = 4, fetch_ahead = 12 << 10, fetch_level = 2, reread = 1 },
  own = { { weights = 'halves', choices = { few_rows = 2 } } },
}
