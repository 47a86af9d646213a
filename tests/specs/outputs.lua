--- Linear layers of several outputs, beside a layer for each of them: blocks of k and chains that
--- differ, tails, weights that come from memory, few bytes, names that C or kernels know.
local here = { { isa = { 'c', 'avx2', 'avx512', 'neon' } } }

-- Products of bytes, of an x that is laid once for all: with minima, with sums of 16, and with sums
-- that begin at an offset.
local function bytes(name, d_out, weights)
  linear(name) {
    d_model = 256, d_out = d_out, bias = true, weights = weights, arithmetic = 'dot_s8',
  }
end

local function layer(name, d_model, bias, d_out, optimise)
  linear(name) {
    d_model = d_model, bias = bias, d_out = d_out, optimise = optimise,
    build = here,
  }
end

layer('heads', 300, true, { q = 40, k = 8, v = 24 })
layer('head_q', 300, true, 40)
layer('head_k', 300, true, 8)
layer('head_v', 300, true, 24)

local grouped = { { q = d_model }, { k = d_model // 4 }, { v = d_model // 4 } }
layer('grouped', 520, false, grouped)
layer('grouped_q', 520, false, d_model)
layer('grouped_kv', 520, false, d_model // 4)

local words = { int = 1, rows = 33, x = 16, work = 100, kv2a = 7 }
layer('words', 17, true, words)
layer('words_small', 17, true, words, 'size')
layer('word_int', 17, true, 1)
layer('word_rows', 17, true, 33)
layer('word_x', 17, true, 16)
layer('word_work', 17, true, 100)
layer('word_kv2a', 17, true, 7)

layer('two', 40, false, { b = 40, a = 40 })
layer('two_one', 40, false, 40)

bytes('bytes', { q = 40, k = 8, v = 24 }, { q = 'q4_K', k = 'q6_K', v = 'q8_0' })
bytes('bytes_q', 40, 'q4_K')
bytes('bytes_k', 8, 'q6_K')
bytes('bytes_v', 24, 'q8_0')
