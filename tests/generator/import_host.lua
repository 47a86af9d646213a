--- host.json and host.h: what a model tells a program beside its kernels. Models of families are
--- those that their origin's code saved; files of GGUF are made here.
local gguf_file = require 'gguf_file'
local json = require 'dkjson'
local lists = require 'common.list'
local support = require 'support'
local unit = require 'luaunit'

TestImportHost = {}

local saved = support.root .. '/tests/data/import/hf/'

local function import(path, ...)
  local folder = support.folder()
  support.assert_code(support.ffngen({ 'import', path, '--out', 'out', '--spec-only', ... },
    { dir = folder }), 0, path)
  return json.decode(support.read(folder .. '/out/host.json'), 1, nil),
    support.read(folder .. '/out/host.h'), folder
end

--- A saved model with other keys in its config; false takes a key away.
local function with_keys(name, keys)
  local folder = support.folder()
  support.sh('cp -r', saved .. name, folder .. '/m')
  local path = folder .. '/m/config.json'
  local config = json.decode(support.read(path))
  for key, value in pairs(keys) do
    config[key] = value ~= false and value or nil
    if value == 'FALSE' then config[key] = false end
  end
  support.write(path, json.encode(config))
  return import(folder .. '/m')
end

local function norm(host, tensor)
  return lists.filter(host.norms, function(n) return n.tensor == tensor end)[1]
end

--- A file of GGUF with these keys, of llama's or another architecture.
local function gguf(keys, architecture, change)
  local a, list = architecture or 'llama', {}
  for name, value in pairs {
    ['context_length'] = 64, ['attention.head_count'] = 4, ['attention.head_count_kv'] = 2,
    ['attention.layer_norm_rms_epsilon'] = 0.5, ['rope.dimension_count'] = 16,
  } do
    list[#list + 1] = { a .. '.' .. name, value }
  end
  table.sort(list, function(x, y) return x[1] < y[1] end)
  local file = gguf_file.model {
    architecture = a, blocks = 1, tensors = gguf_file.gated, keys = list,
  }
  for _, key in ipairs(keys) do gguf_file.set(file.keys, a .. '.' .. key[1], key[2]) end
  if change then change(file) end
  local folder = support.folder()
  support.write(folder .. '/m.gguf', (gguf_file.text(file)))
  return import(folder .. '/m.gguf')
end

function TestImportHost.test_llama()
  local host = import(saved .. 'llama')
  unit.assertEquals(host.architecture, 'llama: LlamaForCausalLM')
  unit.assertEquals(host.layers, 2)
  unit.assertEquals(host.rope_pairs, 'halves')
  unit.assertEquals(host.tied, false)
  unit.assertEquals(#host.products, 2)
  unit.assertEquals(host.products[2].name, 'model.layers.1.mlp')
  unit.assertEquals(host.products[2].layer, 1)
  unit.assertEquals(host.products[2].part, 0)
  unit.assertEquals(host.products[2].kernel, 'ffn_swiglu_bias_d8_f12_f32')
  unit.assertEquals(host.products[2].outputs, { { name = 'y', width = 8 } })
  unit.assertEquals(lists.map(host.norms, function(n) return n.tensor end), {
    'model.layers.0.input_layernorm.weight', 'model.layers.0.post_attention_layernorm.weight',
    'model.layers.1.input_layernorm.weight', 'model.layers.1.post_attention_layernorm.weight',
    'model.norm.weight' })
  unit.assertEquals(host.norms[5].eps, 1e-6)
  unit.assertEquals(host.norms[5].adds_one, false)
  local b = host.block
  unit.assertEquals({ b.heads, b.kv_heads, b.head_dim, b.width, b.vocabulary, b.positions },
    { 2, 1, 4, 8, 8, 16 })
  unit.assertEquals({ b.eps, b.score_scale, b.theta, b.scaling.type },
    { 1e-6, 0.5, 10000.0, 'none' })
  unit.assertEquals(b.attention_norm, 'model.layers.%d.input_layernorm.weight')
  unit.assertEquals(b.ffn_norm, 'model.layers.%d.post_attention_layernorm.weight')
  unit.assertEquals({ b.final_norm, b.embedding }, { 'model.norm.weight',
    'model.embed_tokens.weight' })
  unit.assertNil(b.q_norm)
  -- Keys word for word, and every tensor that no layer takes.
  unit.assertEquals(host.keys.rope_parameters, { rope_theta = 10000, rope_type = 'default' })
  unit.assertNil(host.keys.hidden_size)
  unit.assertEquals(#host.left, 10)
  unit.assertEquals(host.left[1], 'lm_head.weight')
end

--- Families differ in pairs, in norms and in what their blocks are.
function TestImportHost.test_families()
  for name, wanted in pairs {
    qwen3 = { 'halves', true }, mistral = { 'halves', true }, qwen2 = { 'halves', true },
    gemma3_text = { 'halves', false, 'model_type is gemma3_text' },
    cohere = { 'adjacent', false, 'model_type is cohere' },
    gpt2 = { 'none', false, 'model_type is gpt2' },
    t5 = { 'none', false, 'there are several stacks of layers' },
    gpt_neox = { 'halves', false, 'model_type is gpt_neox' },
    olmo = { nil, false, 'model_type is olmo' },
  } do
    local host, header = import(saved .. name)
    unit.assertEquals(host.rope_pairs, wanted[1], name)
    unit.assertEquals(host.block ~= nil, wanted[2], name)
    unit.assertEquals(host.block_problem, wanted[3], name)
    unit.assertStrContains(header, '#define HOST_BLOCK ' .. (wanted[2] and 1 or 0))
  end
  local qwen3 = import(saved .. 'qwen3')
  unit.assertEquals(qwen3.block.q_norm, 'model.layers.%d.self_attn.q_norm.weight')
  unit.assertEquals(qwen3.block.k_norm, 'model.layers.%d.self_attn.k_norm.weight')
  local gemma = import(saved .. 'gemma')
  unit.assertTrue(norm(gemma, 'model.norm.weight').adds_one)
  local gpt2 = import(saved .. 'gpt2')
  unit.assertEquals(norm(gpt2, 'transformer.ln_f.weight').bias, 'transformer.ln_f.bias')
  unit.assertEquals(gpt2.tied, true)
end

--- A norm whose class is given no eps has its own.
function TestImportHost.test_eps_of_another_norm()
  local host = with_keys('deepseek_v3', { rms_norm_eps = 0.25 })
  unit.assertEquals(norm(host, 'model.layers.0.input_layernorm.weight').eps, 0.25)
  unit.assertEquals(norm(host, 'model.layers.0.self_attn.kv_a_layernorm.weight').eps, 1e-6)
end

--- Positions are scaled, or the block is told to be another.
function TestImportHost.test_positions()
  local llama3 = { rope_type = 'llama3', rope_theta = 500000.0, factor = 32.0,
    low_freq_factor = 1.0, high_freq_factor = 4.0, original_max_position_embeddings = 8192 }
  local host, header = with_keys('llama', { rope_parameters = llama3 })
  unit.assertEquals(host.block.theta, 500000)
  unit.assertEquals(host.block.scaling, { type = 'llama3', factor = 32, low = 1, high = 4,
    original_positions = 8192 })
  for _, line in ipairs { 'SCALING 2', 'FACTOR 32.0', 'LOW 1.0', 'HIGH 4.0',
    'ORIGINAL_POSITIONS 8192.0', 'THETA 500000.0' } do
    unit.assertStrContains(header, '#define HOST_ROPE_' .. line)
  end
  -- Theta above, where rope_parameters has none.
  host = with_keys('llama', { rope_parameters = { rope_type = 'default' }, rope_theta = 77.5 })
  unit.assertEquals(host.block.theta, 77.5)
  -- As files before transformers 5 have it.
  host = with_keys('llama', { rope_parameters = false, rope_theta = 2500.5,
    rope_scaling = { type = 'linear', factor = 2.0 } })
  unit.assertEquals({ host.block.theta, host.block.scaling }, { 2500.5,
    { type = 'linear', factor = 2 } })
  for _, case in ipairs {
    { { rope_parameters = { rope_type = 'yarn', rope_theta = 1e4, factor = 2.0 } },
      'rope_parameters.rope_type is yarn' },
    { { rope_parameters = { rope_type = 'linear', rope_theta = 1e4 } },
      'rope_parameters.factor is missing' },
    { { rope_parameters = { rope_theta = 1e4, partial_rotary_factor = 0.5 } },
      'only a part of a head is turned' },
    { { num_key_value_heads = 0 }, 'num_key_value_heads is 0' },
    { { rope_parameters = { rope_theta = 1e4, attention_factor = 2.0 } },
      'it has rope_parameters.attention_factor' },
    { { rope_parameters = { full_attention = { rope_theta = 1e4 } } },
      'it has rope_parameters.full_attention' },
    { { rope_scaling = { type = 'linear', factor = 2.0 } },
      'it has rope_parameters and rope_scaling' },
    { { rope_theta = 2e4 }, 'rope_parameters.rope_theta and rope_theta differ' },
    { { attention_multiplier = 0.5 }, 'it has the key attention_multiplier' },
    { { layer_types = { 'full_attention', 'linear_attention' } },
      'layer_types has linear_attention' },
    { { vocab_size = 9 }, 'the embedding has 8 rows, and the head or vocab_size 9' },
    { { rms_norm_eps = 'small' }, 'rms_norm_eps is "small"' },
  } do
    host, header = with_keys('mistral', case[1])
    unit.assertNil(host.block, case[2])
    unit.assertEquals(host.block_problem, case[2])
    unit.assertStrContains(header, case[2])
  end
end

--- A window is none for as many positions.
function TestImportHost.test_windows()
  for _, case in ipairs {
    { 'mistral', { sliding_window = 7 }, 7 }, { 'mistral', { sliding_window = 4096 }, 16 },
    { 'mistral', { sliding_window = false }, 16 },
    { 'qwen2', { sliding_window = 7, use_sliding_window = 'FALSE' }, 16 },
    { 'qwen2', { sliding_window = 7, use_sliding_window = true }, 7 },
  } do
    local host = with_keys(case[1], case[2])
    unit.assertEquals(host.block.positions, case[3])
  end
  local host = gguf { { 'attention.sliding_window', 9 } }
  unit.assertEquals(host.block.positions, 9)
end

function TestImportHost.test_gguf()
  local host, header = gguf { { 'rope.freq_base', 500000.0 } }
  unit.assertEquals({ host.architecture, host.rope_pairs, host.tied },
    { 'llama', 'adjacent', true })
  local b = host.block
  unit.assertEquals({ b.heads, b.kv_heads, b.head_dim, b.width, b.vocabulary, b.positions },
    { 4, 2, 16, 64, 8, 64 })
  unit.assertEquals({ b.eps, b.theta, b.score_scale }, { 0.5, 500000, 0.25 })
  unit.assertEquals({ b.attention_norm, b.ffn_norm, b.final_norm, b.embedding }, {
    'blk.%d.attn_norm.weight', 'blk.%d.ffn_norm.weight', 'output_norm.weight',
    'token_embd.weight' })
  unit.assertNil(b.factors)
  unit.assertStrContains(header, '#define HOST_ROPE_ADJACENT 1')
  unit.assertEquals(host.keys['llama.attention.head_count_kv'], 2)
  unit.assertNil(host.keys['llama.feed_forward_length'])
  -- The same numbers of an architecture whose pairs are halves.
  host, header = gguf({}, 'qwen2')
  unit.assertEquals(host.rope_pairs, 'halves')
  unit.assertStrContains(header, '#define HOST_ROPE_ADJACENT 0')
  -- Gemma's norms have their 1 from llama.cpp's conversion.
  host = gguf({}, 'gemma')
  unit.assertEquals(norm(host, 'output_norm.weight').eps, 0.5)
  unit.assertFalse(norm(host, 'output_norm.weight').adds_one)
  -- Factors of each pair, and a head of its own.
  host, header = gguf({}, 'llama', function(file)
    table.insert(file.tensors, { name = 'rope_freqs.weight', shape = { 8 }, type = 'F32' })
    table.insert(file.tensors, { name = 'output.weight', shape = { 64, 8 }, type = 'F32' })
  end)
  unit.assertEquals({ host.block.factors, host.tied }, { 'rope_freqs.weight', false })
  unit.assertStrContains(header, '#define HOST_ROPE_FACTORS "rope_freqs.weight"')
end

function TestImportHost.test_gguf_of_other_blocks()
  for _, case in ipairs {
    { { { 'attention.head_count_kv', 3 } }, '4 heads share 3 key and value heads' },
    { { { 'attention.scale', 0.5 } }, 'llama.attention.scale is 0.5' },
    { { { 'rope.dimension_count', 8 } },
      'llama.rope.dimension_count is 8, and a head has 16 numbers' },
    { { { 'rope.scaling.type', 'yarn' } }, 'llama.rope.scaling.type is yarn' },
    { { { 'attention.layer_norm_rms_epsilon' } },
      'llama.attention.layer_norm_rms_epsilon is missing' },
    { { { 'attention.causal', false } }, 'llama.attention.causal is false' },
    { { { 'logit_scale', 0.5 } }, 'llama.logit_scale is 0.5' },
    { {}, 'the architecture is granite', 'granite' },
    { {}, 'there is a tensor blk.0.attn_q_norm.weight', 'llama', function(file)
      table.insert(file.tensors, { name = 'blk.0.attn_q_norm.weight', shape = { 16 },
        type = 'F32' })
    end },
    { {}, 'there is a tensor output_norm.bias', 'llama', function(file)
      table.insert(file.tensors, { name = 'output_norm.bias', shape = { 64 }, type = 'F32' })
    end },
    { {}, 'token_embd.weight has 8 rows, and output.weight 9', 'llama', function(file)
      table.insert(file.tensors, { name = 'output.weight', shape = { 64, 9 }, type = 'F32' })
    end },
  } do
    local host = gguf(case[1], case[3], case[4])
    unit.assertNil(host.block, case[2])
    unit.assertEquals(host.block_problem, case[2])
  end
end

--- Products of several kinds each have their own outputs and kernel.
function TestImportHost.test_products()
  local told = lists.map(import(saved .. 'llama', '--also', 'all').products, function(p)
    return ('%s %d %s'):format(p.name, p.inputs, table.concat(lists.map(p.outputs, function(o)
      return o.name .. o.width
    end), ' '))
  end)
  unit.assertEquals(table.move(told, 1, 3, 1, {}), {
    'model.layers.0.mlp 8 y8', 'model.layers.0.self_attn.qkv 8 q8 k4 v4',
    'model.layers.0.self_attn.o_proj 8 y8',
  })
end

--- A reader that knows names and shapes alone says so.
function TestImportHost.test_names_alone()
  local host, header = import(saved .. 'llama/model.safetensors', '--variant', 'swiglu')
  unit.assertNil(host.architecture)
  unit.assertNil(host.tied)
  unit.assertNil(host.left)
  unit.assertEquals(#host.products, 2)
  unit.assertStrContains(host.block_problem, 'the reader safetensors knows names and shapes alone')
  unit.assertStrContains(header, '#define HOST_BLOCK 0')
end

--- host.h is C and C++, and has the numbers of host.json.
function TestImportHost.test_compiles()
  local host, _, folder = import(saved .. 'qwen3')
  support.write(folder .. '/p.c', [[
#include "out/host.h"
#include "out/host.h"
#include <stdio.h>
int main(void) {
  printf("%d %d %d %d %.17g %.9g %.17g %s\n", HOST_LAYERS, HOST_HEADS, HOST_KV_HEADS, HOST_HEAD_DIM,
         HOST_EPS, (double)HOST_SCORE_SCALE, HOST_ROPE_THETA, HOST_Q_NORM);
  return 0;
}
]])
  for _, compiler in ipairs { 'cc -std=c11', 'c++ -std=c++17 -x c++' } do
    local out = support.capture(('cd %s && %s -Wall -Wextra -Werror p.c -o p && ./p'):format(folder,
      compiler))
    local b = host.block
    unit.assertEquals(out, ('%d %d %d %d %.17g %.9g %.17g %s'):format(host.layers, b.heads,
      b.kv_heads, b.head_dim, b.eps, b.score_scale, b.theta, b.q_norm), compiler)
  end
end

--- The files are import's own: a stranger's file is not replaced.
function TestImportHost.test_ownership()
  for _, name in ipairs { 'host.json', 'host.h' } do
    local folder = support.folder()
    support.sh('mkdir', folder .. '/out')
    support.write(folder .. '/out/' .. name, 'mine\n')
    local result = support.ffngen({ 'import', saved .. 'llama', '--out', 'out', '--spec-only' },
      { dir = folder })
    support.assert_code(result, 1, name)
    unit.assertStrContains(result.err, name)
    unit.assertEquals(support.read(folder .. '/out/' .. name), 'mine\n')
  end
end
