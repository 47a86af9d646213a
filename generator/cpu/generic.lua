--- No CPU in particular: a core with a second-level cache of 2 MiB and a prefetcher of its own.
--- `ffngen tune` measures on a CPU what each other choice takes.
return {
  about = 'any CPU: what loses least on those that were measured',
  choices = {
    -- Left to the registers: the tile that serves the most rows.
    main_columns = 8,
    -- Rows whose activations and sums stay in the second-level cache beside a block of weights.
    rows_per_walk = 224,
    -- Half of that cache.
    near_bytes = 1 << 20,
    -- A quarter of that cache, beside as much of activations and a block of weights.
    sum_bytes = 512 << 10,
    -- So few rows never leave the first-level cache while all of k goes by.
    stream_rows = 32,
    -- At one row with AVX-512 the best on Zen 4 and Zen 5 and near it on Granite Rapids, whose
    -- profile takes as many as there are registers for, 8.
    streams = 4,
    -- The hardware's own prefetcher alone: to fetch costs Zen 4 more than not to fetch costs
    -- Granite Rapids.
    few_ahead = 0, few_rows = 4,
    few_l2_ahead = 0,
    -- A sixth of the cache that the core reads first, and more lines than are under way anywhere.
    fetch_ahead = 8 << 10,
    -- The second-level cache, where more lines may be under way, is worth much to Zen 4 with
    -- AVX-512, nothing to it with AVX2; on Zen 5 it costs, and is not measured elsewhere.
    fetch_level = 1,
    -- Good for one cold row on Zen 4, bad on Zen 5.
    reread = 0,
  },
}
