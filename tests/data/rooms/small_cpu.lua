--- Hardly a cache: weights of every layer come from memory, few rows read panels abreast, and most
--- calls of many rows are several walks.
return {
  about = 'hardly a cache',
  choices = {
    rows_per_walk = 72, sum_bytes = 4096, stream_rows = 2, fetch_ahead = 256, streams = 4,
    few_ahead = 0, few_rows = 4, near_bytes = 1024,
  },
}
