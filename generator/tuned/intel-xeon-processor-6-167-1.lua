-- Made by ffngen tune. Used by: ffngen generate my.lua --out DIR --tuned FILE
-- Ratios are times by those of the plan's own choices, one for each cell: tokens, and where
-- the weights came from, memory (cold) or cache (hot). The control is the default once more.
return {
  schema = 1,
  generator = '0.1.0',
  cpu = 'intel-xeon-processor-6-167-1',
  kernels = {
    {
      name = 'ffn_gelu_tanh_bias_d768_f3072_f32_avx512',
      compiler = "cc (Debian 12.2.0-14+deb12u1) 12.2.0",
      choices = { fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32, sum_bytes = 524288 },
      sweep = {
        cells = {
          '1 cold', '1 hot', '4 cold', '4 hot', '16 cold', '16 hot', '64 cold', '64 hot',
          '256 cold', '256 hot',
        },
        candidates = {
          {
            verdict = 'default', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000 },
          },
          {
            verdict = 'loses', mean = 1.027,
            choices = {
              fetch_ahead = 512, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.052, 0.997, 1.306, 1.001, 1.006, 0.976, 0.998, 0.974, 1.000, 1.001 },
          },
          {
            verdict = 'loses', mean = 1.003,
            choices = {
              fetch_ahead = 1024, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.000, 0.999, 1.009, 1.000, 0.998, 0.996, 0.998, 1.014, 1.005, 1.009 },
          },
          {
            verdict = 'loses', mean = 1.008,
            choices = {
              fetch_ahead = 4096, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.038, 1.004, 1.039, 1.004, 1.007, 1.005, 0.996, 0.996, 0.997, 0.999 },
          },
          {
            verdict = 'loses', mean = 1.017,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 56, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.006, 0.998, 0.992, 1.000, 1.008, 1.013, 1.092, 1.020, 1.027, 1.016 },
          },
          {
            verdict = 'loses', mean = 0.999,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 112, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.010, 1.000, 1.001, 1.003, 0.994, 1.000, 1.000, 0.993, 0.995, 0.997 },
          },
          {
            verdict = 'loses', mean = 0.998,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 448, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 0.998, 0.999, 1.004, 0.999, 0.998, 0.983, 1.005, 0.991, 1.004, 0.998 },
          },
          {
            verdict = 'loses', mean = 1.018,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 8,
              sum_bytes = 524288,
            },
            ratios = { 1.006, 1.010, 1.002, 1.003, 1.174, 0.994, 1.001, 0.994, 1.002, 1.010 },
          },
          {
            verdict = 'loses', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 16,
              sum_bytes = 524288,
            },
            ratios = { 1.015, 0.999, 1.003, 1.001, 0.991, 0.982, 1.006, 0.996, 1.000, 1.012 },
          },
          {
            verdict = 'loses', mean = 0.994,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 64,
              sum_bytes = 524288,
            },
            ratios = { 0.997, 1.000, 0.997, 0.999, 1.005, 0.995, 0.999, 0.970, 0.988, 0.996 },
          },
          {
            verdict = 'loses', mean = 1.002,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 131072,
            },
            ratios = { 0.999, 0.997, 1.007, 1.003, 1.011, 1.014, 0.993, 1.009, 0.992, 0.999 },
          },
          {
            verdict = 'loses', mean = 0.998,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 262144,
            },
            ratios = { 1.005, 1.000, 0.994, 1.002, 1.006, 0.988, 1.006, 0.993, 0.995, 0.992 },
          },
          {
            verdict = 'loses', mean = 1.003,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 1048576,
            },
            ratios = { 0.999, 0.999, 1.013, 1.000, 1.006, 0.999, 1.017, 0.989, 0.996, 1.014 },
          },
          {
            verdict = 'control', mean = 0.999,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.010, 1.000, 1.001, 1.000, 1.010, 0.972, 1.002, 1.003, 0.995, 1.004 },
          },
        },
      },
    },
    {
      name = 'ffn_swiglu_d512_f1365_f32_avx512',
      compiler = "cc (Debian 12.2.0-14+deb12u1) 12.2.0",
      choices = { fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32, sum_bytes = 524288 },
      sweep = {
        cells = {
          '1 cold', '1 hot', '4 cold', '4 hot', '16 cold', '16 hot', '64 cold', '64 hot',
          '256 cold', '256 hot',
        },
        candidates = {
          {
            verdict = 'default', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000 },
          },
          {
            verdict = 'loses', mean = 1.007,
            choices = {
              fetch_ahead = 512, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.025, 0.997, 1.023, 1.000, 1.006, 1.008, 0.999, 0.999, 1.006, 1.007 },
          },
          {
            verdict = 'loses', mean = 1.004,
            choices = {
              fetch_ahead = 1024, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.015, 0.998, 1.000, 0.999, 0.967, 1.003, 1.002, 1.021, 1.009, 1.023 },
          },
          {
            verdict = 'loses', mean = 1.019,
            choices = {
              fetch_ahead = 4096, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.050, 1.007, 1.077, 1.001, 1.011, 1.008, 1.008, 1.004, 1.012, 1.016 },
          },
          {
            verdict = 'loses', mean = 1.027,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 56, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.002, 1.000, 1.012, 1.000, 1.004, 1.004, 1.117, 1.043, 1.058, 1.034 },
          },
          {
            verdict = 'loses', mean = 1.005,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 112, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 0.989, 1.000, 1.012, 0.999, 0.982, 1.020, 1.001, 1.011, 1.026, 1.013 },
          },
          {
            verdict = 'loses', mean = 1.004,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 448, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.009, 1.001, 1.001, 1.000, 1.005, 1.006, 0.999, 1.012, 1.004, 1.002 },
          },
          {
            verdict = 'loses', mean = 1.026,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 8,
              sum_bytes = 524288,
            },
            ratios = { 1.011, 1.001, 1.005, 1.002, 1.227, 1.014, 1.001, 1.006, 1.008, 1.009 },
          },
          {
            verdict = 'loses', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 16,
              sum_bytes = 524288,
            },
            ratios = { 0.992, 0.999, 1.010, 0.999, 0.992, 0.998, 0.986, 1.009, 1.013, 1.004 },
          },
          {
            verdict = 'loses', mean = 1.004,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 64,
              sum_bytes = 524288,
            },
            ratios = { 0.987, 1.000, 1.004, 1.001, 1.007, 1.022, 1.000, 1.003, 1.007, 1.007 },
          },
          {
            verdict = 'loses', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 131072,
            },
            ratios = { 1.002, 1.000, 0.995, 1.000, 1.000, 1.002, 0.986, 1.005, 1.005, 1.003 },
          },
          {
            verdict = 'loses', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 262144,
            },
            ratios = { 0.997, 1.001, 1.006, 0.999, 0.984, 1.009, 0.992, 1.011, 1.004, 0.992 },
          },
          {
            verdict = 'loses', mean = 1.005,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 1048576,
            },
            ratios = { 1.005, 1.002, 1.011, 1.000, 0.970, 1.003, 1.012, 1.020, 1.012, 1.016 },
          },
          {
            verdict = 'control', mean = 1.002,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.002, 0.999, 1.004, 1.000, 0.987, 1.000, 1.001, 1.007, 1.012, 1.007 },
          },
        },
      },
    },
  },
}
