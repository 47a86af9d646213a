--- Intel cores from Skylake-X to Granite Rapids: prefetchers that follow many streams and gain from
--- help even where one row reads them.
return {
  about = 'Intel, from Skylake-X to Granite Rapids',
  features = {
    'avx2', 'fma', 'f16c', 'avx512f', 'avx512bw', 'avx512dq', 'avx512vl', 'avx512vnni',
    'avx512bf16', 'avxvnni', 'amx-tile', 'amx-int8', 'amx-bf16',
  },
  -- Every model since: which of them are servers the numbers do not tell, and virtual machines make
  -- up their own. Granite Rapids calls itself 167 in one, 173 by itself.
  x86 = { { vendor = 'GenuineIntel', family = 6, first = 85, last = 255 } },
  caches = { l1 = 48 << 10, l2 = 2 << 20, l3 = 105 << 20 },
  source = 'measured on Granite Rapids, in turns: nothing fetched takes 1.00 to 1.08 of the time '
    .. 'at 1 to 4 rows, with AVX2 at 4 rows 1.23; 4 panels side by side take 1.00 to 1.05; '
    .. '1 and 2 KiB of each panel are the same; compressed weights on Emerald Rapids, one row: '
    .. 'fetched into the second-level cache as well take 0.85 to 0.91 of the time in dot_s8 (q8_0 '
    .. '0.97 to 1.00), 0.92 to 1.01 in fma_f32; 16 to 32 KiB are the same',
  choices = { streams = 8, few_ahead = 8 << 10, few_l2_ahead = 16 << 10 },
}
