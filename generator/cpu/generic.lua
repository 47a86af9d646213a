--- Every CPU that is not known better: chosen by analysis.
return {
  name = 'generic',
  about = 'any CPU, by analysis',
  choices = {
    rows_per_walk = 224,
    -- A quarter of a second-level cache of 2 MiB, beside as much of activations and a block of
    -- weights.
    sum_bytes = 512 << 10,
    -- The weights are one stream. More rows take a block of k of many panels, so that their
    -- activations stay near.
    stream_rows = 32,
    -- Near enough for the cache that the core reads first, far enough to keep the hardware's own
    -- prefetcher running.
    fetch_ahead = 2048,
  },
}
