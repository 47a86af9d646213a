--- AMD's Zen 5: AVX-512 on units as wide. One row or two leave its prefetcher alone; more keep the
--- core too busy to ask for lines as early as memory takes. So does one that AVX2 multiplies as
--- bytes, or whose weights are decoded to floats.
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
    .. 'to 1.08; weights that are opened to bytes, fetched 9 KiB ahead at any number of rows, take '
    .. '0.86 to 0.89 of the time at 1 row of q4_K, q6_K and mxfp4, 0.67 of u4g128, 0.98 to 1.03 of '
    .. 'q4_0, q4_1 and q5_K, 0.84 to 1.03 at 4 rows, with AVX2 0.80 to 0.93 at 1 row; q8_0 1.16 at '
    .. '1 row; 8 KiB 1.05 and 1.17 of the time of 9 KiB at 1 and 4 rows of q4_K, whose groups of '
    .. '4.5 KiB are fetched whole; 12 KiB 1.04 at 1 row of mxfp4 and q4_0; 16 KiB 1.06 to 1.09; '
    .. 'one row that AVX2 multiplies as bytes, fetched 16 KiB ahead, 0.66 to 0.93; weights that '
    .. 'AVX-512 decodes to floats, fetched 9 KiB ahead at 1 and 2 rows: 0.65 to 0.73 and 0.63 to '
    .. '1.04 (u4g128 0.35 at 1 row, mxfp4 0.99), q5_K 1.3, f8_e4m3 1.0 and 1.1; 4 KiB 0.40 to '
    .. '1.04, 16 KiB as 9; AVX2 0.80 to 1.01, q5_0 1.05 and 1.1',
  choices = { few_rows = 2 },
  own = {
    { weights = 'bytes', isa = 'avx2', choices = { few_ahead = 16 << 10 } },
    { weights = 'decoded', choices = { few_ahead = 9 << 10 } },
    { weights = 'opened', choices = { few_ahead = 9 << 10, fetch_ahead = 9 << 10 } },
  },
}
