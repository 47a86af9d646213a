--- AMD's Zen 2 and Zen 3: AVX2.
return {
  about = 'AMD Zen 2 and Zen 3',
  isas = { 'avx2' },
  -- Zen 2 is family 23 from model 48 on, Zen 3 the models of family 25 that are not Zen 4.
  x86 = {
    { vendor = 'AuthenticAMD', family = 23, first = 48, last = 255 },
    { vendor = 'AuthenticAMD', family = 25, first = 0, last = 15 },
    { vendor = 'AuthenticAMD', family = 25, first = 32, last = 95 },
  },
  caches = { l1 = 32 << 10, l2 = 512 << 10, l3 = 32 << 20 },
  source = 'not measured: as Zen 4',
  choices = { streams = 4 },
}
