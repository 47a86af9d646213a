--- AMD's Zen 5: AVX-512 on units as wide. One row or two leave its prefetcher alone; more keep the
--- core too busy to ask for lines as early as memory takes. So does one that AVX2 multiplies as
--- bytes.
return {
  about = 'AMD Zen 5',
  features = {
    'avx2', 'fma', 'f16c', 'avx512f', 'avx512bw', 'avx512dq', 'avx512vl', 'avx512vnni',
    'avx512bf16', 'avxvnni',
  },
  x86 = { { vendor = 'AuthenticAMD', family = 26, first = 0, last = 255 } },
  caches = { l1 = 48 << 10, l2 = 1 << 20, l3 = 32 << 20 },
  source = 'measured on an EPYC of family 26, model 2, AVX-512, cold weights and such in the '
    .. 'third-level cache: nothing fetched takes 0.96 to 1.14 of the time at 3 and 4 rows, to 1.17 '
    .. 'at 6, 1.4 to 1.7 at 16, with AVX2 0.95 to 1.46 at 3 and 4; fetched at 2 rows, too, 0.96 to '
    .. '1.04, at 1 row 0.98 to 1.2; 6 KiB ahead 0.94 to 1.1, 10 KiB 0.91 to 1.05, 12 KiB 0.87 to '
    .. '1.09; into the second-level cache 1.02 to 1.2 at 5 to 12 rows; one row that reads every '
    .. 'second line twice 1.02 to 1.06; 8 panels side by side 1.07 to 1.15 at 1 row, 2 panels 0.98 '
    .. 'to 1.08; one row that AVX2 multiplies as bytes, 16 KiB ahead 0.66 to 0.93',
  choices = { few_rows = 2 },
  bytes = { avx2 = { few_ahead = 16 << 10 } },
}
