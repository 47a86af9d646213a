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
            verdict = 'loses', mean = 1.044,
            choices = {
              fetch_ahead = 512, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.148, 0.981, 1.290, 0.998, 1.015, 1.001, 1.029, 0.996, 1.009, 1.007 },
          },
          {
            verdict = 'loses', mean = 1.005,
            choices = {
              fetch_ahead = 1024, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 0.989, 0.991, 1.006, 0.999, 1.005, 1.005, 1.016, 1.030, 1.013, 1.002 },
          },
          {
            verdict = 'loses', mean = 1.013,
            choices = {
              fetch_ahead = 4096, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.028, 1.004, 1.048, 1.004, 1.019, 0.995, 1.003, 1.014, 1.007, 1.013 },
          },
          {
            verdict = 'loses', mean = 1.021,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 56, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.042, 0.991, 0.998, 1.001, 0.992, 1.012, 1.106, 1.019, 1.034, 1.015 },
          },
          {
            verdict = 'loses', mean = 1.008,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 112, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.000, 0.993, 1.002, 0.999, 1.016, 0.996, 1.025, 1.009, 1.019, 1.019 },
          },
          {
            verdict = 'loses', mean = 0.997,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 448, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 0.983, 0.990, 0.999, 1.001, 0.999, 0.999, 1.018, 0.993, 0.999, 0.995 },
          },
          {
            verdict = 'loses', mean = 1.022,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 8,
              sum_bytes = 524288,
            },
            ratios = { 1.001, 0.989, 1.003, 0.998, 1.190, 1.005, 1.027, 1.003, 1.014, 1.006 },
          },
          {
            verdict = 'loses', mean = 1.000,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 16,
              sum_bytes = 524288,
            },
            ratios = { 0.979, 1.002, 0.997, 0.996, 0.988, 0.991, 1.026, 1.013, 1.005, 1.008 },
          },
          {
            verdict = 'loses', mean = 1.001,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 64,
              sum_bytes = 524288,
            },
            ratios = { 0.991, 0.989, 0.999, 0.998, 1.015, 1.000, 1.004, 0.996, 1.009, 1.008 },
          },
          {
            verdict = 'loses', mean = 0.994,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 131072,
            },
            ratios = { 0.988, 0.994, 0.998, 0.995, 0.985, 1.016, 0.988, 0.989, 0.995, 0.991 },
          },
          {
            verdict = 'loses', mean = 1.002,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 262144,
            },
            ratios = { 0.989, 1.000, 1.000, 0.999, 1.012, 1.004, 1.018, 1.012, 0.990, 1.000 },
          },
          {
            verdict = 'loses', mean = 1.006,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 1048576,
            },
            ratios = { 0.999, 0.990, 1.002, 1.002, 1.007, 1.001, 1.014, 1.004, 1.015, 1.025 },
          },
          {
            verdict = 'control', mean = 0.998,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 0.993, 0.985, 1.004, 0.999, 1.012, 0.994, 1.007, 0.994, 0.993, 1.000 },
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
            ratios = { 1.001, 0.997, 1.018, 1.000, 0.998, 1.013, 1.006, 1.015, 1.014, 1.010 },
          },
          {
            verdict = 'loses', mean = 0.999,
            choices = {
              fetch_ahead = 1024, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.019, 0.998, 0.990, 1.000, 1.017, 0.992, 0.975, 1.004, 1.003, 0.996 },
          },
          {
            verdict = 'loses', mean = 1.011,
            choices = {
              fetch_ahead = 4096, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.048, 1.008, 1.054, 1.000, 1.001, 1.004, 0.996, 1.001, 0.998, 0.999 },
          },
          {
            verdict = 'loses', mean = 1.031,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 56, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.005, 0.998, 1.004, 1.001, 1.026, 0.995, 1.155, 1.041, 1.062, 1.029 },
          },
          {
            verdict = 'loses', mean = 1.007,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 112, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.007, 1.000, 1.005, 1.000, 1.029, 0.993, 0.999, 1.007, 1.018, 1.018 },
          },
          {
            verdict = 'loses', mean = 0.999,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 448, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.012, 0.998, 1.008, 1.000, 0.988, 1.003, 0.980, 1.004, 1.007, 0.993 },
          },
          {
            verdict = 'loses', mean = 1.026,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 8,
              sum_bytes = 524288,
            },
            ratios = { 1.014, 1.000, 1.010, 1.000, 1.231, 1.019, 0.978, 1.009, 1.016, 1.007 },
          },
          {
            verdict = 'loses', mean = 0.999,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 16,
              sum_bytes = 524288,
            },
            ratios = { 1.007, 0.999, 0.996, 1.000, 1.008, 0.995, 1.001, 1.000, 0.994, 0.990 },
          },
          {
            verdict = 'loses', mean = 0.999,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 64,
              sum_bytes = 524288,
            },
            ratios = { 1.004, 1.000, 0.999, 1.000, 1.008, 1.017, 0.958, 1.000, 1.007, 0.999 },
          },
          {
            verdict = 'loses', mean = 1.002,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 131072,
            },
            ratios = { 1.010, 1.000, 0.994, 1.000, 1.026, 0.998, 0.977, 1.018, 1.007, 0.996 },
          },
          {
            verdict = 'loses', mean = 1.004,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 262144,
            },
            ratios = { 1.008, 1.001, 0.995, 1.000, 0.994, 1.018, 0.982, 1.007, 1.024, 1.015 },
          },
          {
            verdict = 'loses', mean = 1.004,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 1048576,
            },
            ratios = { 0.998, 1.000, 1.003, 1.000, 1.020, 0.988, 1.004, 1.008, 1.011, 1.009 },
          },
          {
            verdict = 'control', mean = 1.001,
            choices = {
              fetch_ahead = 2048, rows_per_walk = 224, stream_rows = 32,
              sum_bytes = 524288,
            },
            ratios = { 1.003, 0.999, 1.005, 1.000, 1.022, 1.000, 0.981, 1.001, 1.001, 1.002 },
          },
        },
      },
    },
  },
}
