--- No CPU in particular: a core with a second-level cache of 2 MiB and a prefetcher of its own.
return {
  about = 'any CPU: chosen by analysis',
  choices = {
    -- Rows whose activations and sums stay in the second-level cache beside a block of weights.
    rows_per_walk = 224,
    -- A quarter of that cache, beside as much of activations and a block of weights.
    sum_bytes = 512 << 10,
    -- So few rows never leave the first-level cache while all of k goes by.
    stream_rows = 32,
    -- Near enough for the cache that the core reads first, far enough to keep the hardware's own
    -- prefetcher running.
    fetch_ahead = 2048,
  },
}
