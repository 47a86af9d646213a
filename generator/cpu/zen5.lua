--- AMD's Zen 5: AVX-512 on units as wide; few rows leave its prefetcher alone, as on Zen 4.
return {
  about = 'AMD Zen 5',
  isas = { 'avx2', 'avx512' },
  x86 = { { vendor = 'AuthenticAMD', family = 26, first = 0, last = 255 } },
  caches = { l1 = 48 << 10, l2 = 1 << 20, l3 = 32 << 20 },
  source = 'measured on an EPYC of family 26, model 2, AVX-512, cold weights and such in the '
    .. 'third-level cache: into the second-level cache 5 to 12 rows take 1.02 to 1.2 of the '
    .. 'time, 16 1.05 to 1.13; 2 KiB ahead 0.85 to 0.95 at 5 and 6 rows, 1.05 to 1.36 at 8 and '
    .. '12; nothing fetched 1.4 to 1.7 at 16; fetched 2 KiB ahead at 2 to 4 rows 0.94 to 1.03 '
    .. 'cold, 1.03 to 1.17 from the cache, at 1 row 1.03 to 1.14; one row that reads every '
    .. 'second line twice 1.02 to 1.06; 8 panels side by side 1.07 to 1.15 at 1 row, 2 panels '
    .. '0.98 to 1.08; with AVX2 all ways of fetching are the same',
  choices = { streams = 4, fetch_ahead = 6 << 10, fetch_level = 1 },
}
