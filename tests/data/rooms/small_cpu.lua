--- Hardly a cache: weights of every layer come from memory, and few rows read panels abreast.
return {
  name = 'toy',
  about = 'hardly a cache',
  choices = {
    rows_per_walk = 16, sum_bytes = 4096, stream_rows = 2, fetch_ahead = 256, streams = 4,
    few_ahead = 0, few_rows = 4, near_bytes = 1024,
  },
}
