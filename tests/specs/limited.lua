-- Kernels for calls of at most so many tokens, beside those of the same layers for any number:
-- straight-line code and what walks in its place, rows of zeros, blocks of k and tails, weights
-- that come from memory, few bytes. And one of few bytes for any number, which speed precedes.
local x86 = { { isa = { 'c', 'avx2', 'avx512' } } }
local function chain(name, max_tokens, optimise)
  mlp(name) {
    d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1 } }, max_tokens = max_tokens,
    optimise = optimise, build = x86,
  }
end
chain('few_chain')
chain('few_chain_1', 1)
chain('few_chain_7', 7, 'size')
chain('few_chain_small', nil, 'size')

local function zeros(name, max_tokens)
  ffn(name) {
    variant = 'relu', d_model = 24, d_ff = 300, d_out = 141, bias = true, max_tokens = max_tokens,
    build = x86,
  }
end
zeros('few_zeros')
zeros('few_zeros_3', 3)

-- Of the outputs, three panels abreast leave one, and no tile of few rows does.
local function far(name, max_tokens)
  ffn(name) {
    variant = 'swiglu', d_model = 350, d_ff = 305, max_tokens = max_tokens,
    build = { { isa = { 'avx2', 'avx512' } } },
  }
end
far('few_far')
far('few_far_1', 1)
far('few_far_3', 3)
far('few_far_5', 5)

local function several(name, max_tokens)
  linear(name) {
    d_model = 300, bias = true, d_out = { q = 40, k = 8 }, max_tokens = max_tokens, build = x86,
  }
end
several('few_several')
several('few_several_3', 3)

-- Products of bytes: outputs whose planes differ, and two branches.
local function several_bytes(name, max_tokens)
  linear(name) {
    d_model = 160, bias = true, d_out = { q = 40, k = 8 }, max_tokens = max_tokens,
    weights = { q = 'q4_1', k = 'q5_0' }, arithmetic = 'dot_s8',
  }
end
several_bytes('few_several_bytes')
several_bytes('few_several_bytes_3', 3)

local function gated_bytes(name, max_tokens)
  glu(name) {
    variant = 'swiglu', d_model = 64, d_out = 37, max_tokens = max_tokens, weights = 'u4g32',
    arithmetic = 'dot_s8',
  }
end
gated_bytes('few_gated_bytes')
gated_bytes('few_gated_bytes_1', 1)

-- Hidden values that wait for their group, of a long activation.
local function hidden_bytes(name, max_tokens)
  ffn(name) {
    variant = 'silu', d_model = 64, d_ff = 32, d_out = 20, bias = true, max_tokens = max_tokens,
    weights = 'q8_0', arithmetic = 'dot_s8',
  }
end
hidden_bytes('few_hidden_bytes')
hidden_bytes('few_hidden_bytes_1', 1)

-- A panel that is left goes in halves.
local function halves(name, max_tokens)
  glu(name) {
    variant = 'bilinear', d_model = 40, d_out = 80, max_tokens = max_tokens,
    build = { { isa = { 'c' } } },
  }
end
halves('few_halves')
halves('few_halves_1', 1)
