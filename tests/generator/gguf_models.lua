--- What `ffngen import` finds in models of GGUF: the rule of an architecture, where numbers lie,
--- what is left to the host; and that nothing which might be the layer's is passed over in silence.
local unit = require 'luaunit'
local activations = require 'activation'
local architectures = require 'import.gguf.architectures'
local effort = require 'effort'
local found_records = require 'import.found'
local gguf_file = require 'gguf_file'
local json = require 'dkjson'
local lists = require 'common.list'
local reader = require 'import.readers.gguf'
local refusal = require 'refusal'
local support = require 'support'

TestGgufModels = {}

local folder = support.folder()
local data = support.root .. '/tests/data/import/gguf/'

--- What is found in a file, or the text of its refusal.
local function read(path, leave, node, variant)
  return (refusal.outcome(function()
    return found_records.of(reader.read(path, {
      leave = leave or {}, node = node, variant = variant, decode = false,
      float_activations = false,
    }))
  end))
end

local function read_model(f, leave, variant)
  support.write(folder .. '/m.gguf', (gguf_file.text(f)))
  if not variant and f.keys[1][2] == 'gptneox' then variant = 'gelu' end -- which it asks for
  return read(folder .. '/m.gguf', leave, nil, variant ~= '' and variant or nil)
end

local function assert_refused(f, reason, leave)
  local result = read_model(f, leave)
  unit.assertEquals(type(result), 'string', 'taken, without: ' .. reason)
  support.assert_has(result, reason, 'refused')
end

local function assert_taken(f, leave)
  local result = read_model(f, leave)
  unit.assertEquals(type(result), 'table', result)
  return result
end

local function norms_of(rule)
  return lists.map(lists.filter(rule.around, function(around)
    return around.tensor
  end), function(around) return around.tensor end)
end

--- The tensors of a block as a rule wants them.
local function tensors_of(rule)
  return function(d, f)
    local list = {}
    local function add(...) list[#list + 1] = { ... } end
    for _, stem in ipairs(norms_of(rule)) do add(stem .. '.weight', { d }) end
    local bias = rule.bias == 'all'
    local function matrix(stem, inputs, outputs)
      add(stem .. '.weight', { inputs, outputs }, 'Q8_0')
      if bias then add(stem .. '.bias', { outputs }) end
    end
    if rule.gated == true or rule.gated == 'either' then matrix('ffn_gate', d, f) end
    matrix('ffn_up', d, rule.gated == 'fused' and 2 * f or f)
    matrix('ffn_down', f, d)
    return list
  end
end

local function model_of(rule)
  if rule.experts == 'only' then
    return gguf_file.mixture {
      architecture = rule.name, blocks = 1, d_model = 32, width = 64, norms = norms_of(rule),
      bias = rule.bias == 'all',
    }
  end
  local f = gguf_file.model {
    architecture = rule.name, blocks = 1, d_model = 32, d_ff = 64, tensors = tensors_of(rule),
    keys = rule.parallel and { { ('%s.%s'):format(rule.name, rule.parallel), true } } or {},
  }
  if rule.stacks[1] ~= '' then -- of an encoder and a decoder
    local tensors = {}
    for _, stack in ipairs(rule.stacks) do
      for _, t in ipairs(f.tensors) do
        local name = t.name:find '^blk' and stack .. t.name or nil
        if name then
          tensors[#tensors + 1] = { name = name, shape = t.shape, type = t.type }
        end
      end
    end
    f.tensors = tensors
  end
  return f
end

local variants = {
  phi3 = 'swiglu', glm4 = 'swiglu', gemma2 = 'geglu_tanh', gpt2 = 'gelu_tanh', bert = 'gelu',
  falcon = 'gelu', mpt = 'gelu', bloom = 'gelu_tanh', nemotron = 'relu2', t5 = 'geglu_tanh',
  ['modern-bert'] = 'geglu', llama = 'swiglu', ['gpt-oss'] = 'clamped_swiglu', jais = 'swiglu',
}

--- Every rule: a model that it takes, whose layer and whose surroundings it tells.
function TestGgufModels.test_rules()
  unit.assertTrue(#architectures.names >= 60)
  for _, name in ipairs(architectures.names) do
    local rule = architectures.of[name]
    unit.assertNotNil(activations.by_name[rule.activation], name)
    support.assert_has(rule.source, 'src/models/', name)
    local model = assert_taken(model_of(rule))
    local layer = model.layers[1]
    local mixed = rule.experts == 'only'
    unit.assertEquals(#model.layers, mixed and 3 or #rule.stacks, name)
    unit.assertEquals(layer.fields.bias, rule.bias == 'all', name)
    unit.assertEquals(#layer.matrices, rule.gated and 3 or 2, name)
    unit.assertEquals({ layer.fields.d_model, layer.fields.d_ff }, { 32, 64 }, name)
    unit.assertTrue(lists.has(activations.variant_names, layer.fields.variant), name)
    unit.assertEquals(layer.fields.variant, variants[name] or layer.fields.variant, name)
    support.assert_has(layer.because[1].text, rule.source, name)
    unit.assertEquals(#layer.around, #rule.around + (rule.residual_else and 1 or 0)
      + (mixed and 1 or 0) + (rule.parallel and 1 or 0), name)
    unit.assertEquals(rule.own and layer.because[2].text or false, rule.own, name)
  end
  local decoder = read_model(model_of(architectures.of.t5)).layers[2]
  unit.assertEquals({ decoder.at, decoder.index, decoder.part }, { 'dec.blk.0.ffn', 1, false })
end

--- What a rule does not have is refused where a file has it, by its name: all of it with one rule,
--- with every other one some.
function TestGgufModels.test_more_than_a_rule()
  local strange_tensors = {
    'ffn_sub_norm.weight', 'ffn_up.scale', 'ffn_down.input_scale', 'ffn_gate_tid2eid.weight',
    'layer_output_scale.weight', 'ffn.act.scales', 'per_layer_proj.weight', 'ffn_upper', 'norm',
  }
  local strange_keys = {
    'feed_forward_scale', 'mlp_limit', 'expert_bias_hint', 'hidden_act', 'swiglu_clamp_shexp',
    'gate_multiplier', 'moe_router', 'activation', 'act', 'ffn_dim',
  }
  for i, name in ipairs(architectures.names) do
    local function some(list) return i == 1 and list or { list[i % #list + 1] } end
    local rule = architectures.of[name]
    local function with(tensor, shape)
      local f = model_of(rule)
      f.tensors[#f.tensors + 1] = {
        name = rule.stacks[1] .. 'blk.0.' .. tensor, shape = shape or { 32 }, type = 'F32',
      }
      return f
    end
    local stack = rule.stacks[1]
    for _, tensor in ipairs(some(strange_tensors)) do
      assert_refused(with(tensor), ('"%sblk.0.%s": '):format(stack, tensor))
      assert_taken(with(tensor), { ('%sblk.0.%s'):format(stack, tensor) })
    end
    if not rule.experts then
      assert_refused(with('ffn_gate_exps.weight', { 32, 64, 2 }), 'ffn_gate_exps.weight": no rule')
    end
    if rule.bias == 'none' then
      local bias = rule.experts == 'only' and 'ffn_down_exps.bias' or 'ffn_down.bias'
      assert_refused(with(bias), ('"%sblk.0.%s": no rule of "%s" has a bias'):format(stack, bias,
        name))
    elseif rule.bias == 'either' then
      assert_refused(with('ffn_down.bias'), 'ffn_down.bias" is there and "')
    end
    if not rule.gated or rule.gated == 'fused' then
      assert_refused(with('ffn_gate.weight', { 32, 64 }), '"blk.0.ffn_gate.weight": no rule of')
    end
    for j, key in ipairs(some(strange_keys)) do
      local f = model_of(rule)
      key = ('%s.%s'):format(j % 2 == 1 and name or 'somebody', key)
      f.keys[#f.keys + 1] = { key, 3 }
      assert_refused(f, ('key "%s": no rule of "%s" reads this key'):format(key, name))
      assert_taken(f, { key })
    end
  end
end

--- What a model has besides its layers is left to the host, and counted.
function TestGgufModels.test_left()
  local f = gguf_file.model {
    blocks = 2, tensors = gguf_file.gated,
    keys = {
      { 'llama.attention.scale', 0.5 }, { 'llama.rope.scaling.factor', 2.0 },
      { 'llama.context_length', 64 }, { 'general.file_type', 7 }, { 'llama.expert_count', 0 },
      { 'tokenizer.chat_template', 'an expert gate' }, { 'mradermacher.quantize_version', '2' },
      { 'general.quantization_version', 2 }, { 'general.type', 'model' },
      { 'llama.tensor_data_layout', 'Meta AI original pth' }, { 'llama.vocab_size', 8 },
    },
  }
  f.tensors[#f.tensors + 1] = { name = 'rope_freqs.weight', shape = { 8 }, type = 'F32' }
  f.tensors[#f.tensors + 1] = { name = 'output.weight', shape = { 64, 8 }, type = 'F32' }
  local model = assert_taken(f)
  unit.assertEquals(lists.map(model.left, function(left) return left.what .. left.count end),
    { 'embeddings1', 'norms5', 'attention2', 'positions1', 'output1' })
  unit.assertEquals(model.about[1], 'a test')
  unit.assertEquals(model.layers[2].at, 'blk.1.ffn')
  unit.assertEquals(model.layers[2].index, 1)
  unit.assertEquals(model.files[1].spans[1][1], 0)
end

--- What a layer's output is multiplied by before it is added: a key, or what the rule has.
function TestGgufModels.test_multipliers()
  local function last(name, ...)
    local f = model_of(architectures.of[name])
    for _, key in ipairs { ... } do f.keys[#f.keys + 1] = key end
    local around = assert_taken(f).layers[1].around
    return around[#around].text
  end
  local key = { 'granite.residual_scale', 0.25 }
  unit.assertEquals(last('granite', key),
    'times 0.25 (granite.residual_scale), before the residual is added')
  unit.assertEquals(last 'granite', '')
  unit.assertEquals(last 'minicpm', 'times 1.4 / sqrt(block_count), before the residual is added')
  local f = model_of(architectures.of.granite)
  f.keys[#f.keys + 1] = { 'granite.residual_scale', true }
  assert_refused(f, ', and must be a number: convert the model again')
  f = model_of(architectures.of.llama)
  f.keys[#f.keys + 1] = { 'llama.residual_scale', 0.25 }
  assert_refused(f, 'key "llama.residual_scale": no rule of "llama" reads this')
end

--- Attention that takes what the layer takes, and a norm that a block may do without.
function TestGgufModels.test_parallel()
  local f = model_of(architectures.of.gptneox)
  local around = assert_taken(f).layers[1].around
  support.assert_has(around[#around].text, 'takes the block\'s input', 'attention')
  gguf_file.set(f.keys, 'gptneox.use_parallel_residual', false)
  unit.assertEquals(#assert_taken(f).layers[1].around, 1)
  gguf_file.set(f.keys, 'gptneox.use_parallel_residual', 1)
  assert_refused(f, 'gptneox.use_parallel_residual is 1, and must be true or '
    .. 'false')
  gguf_file.set(f.keys, 'gptneox.use_parallel_residual')
  assert_refused(f, 'it has no key gptneox.use_parallel_residual')
  f = model_of(architectures.of.stablelm)
  around = assert_taken(f).layers[1].around[1]
  unit.assertEquals({ around.tensor, around.text }, { 'blk.0.ffn_norm.weight', '' })
  f.tensors = lists.filter(f.tensors, function(t) return not t.name:find 'ffn_norm' end)
  around = assert_taken(f).layers[1].around[1]
  unit.assertEquals(around.tensor, false)
  support.assert_has(around.text, 'attention\'s input', 'no norm')
end

--- Sizes of keys and of tensors, and what is missing.
function TestGgufModels.test_sizes()
  local function changed(change)
    local f = gguf_file.model { blocks = 2, tensors = gguf_file.gated }
    local by_name = {}
    for _, t in ipairs(f.tensors) do by_name[t.name] = t end
    change(f, by_name)
    return f
  end
  local function key(name, v) return function(f) gguf_file.set(f.keys, name, v) end end
  local function without(name)
    return function(f)
      f.tensors = lists.filter(f.tensors, function(t) return t.name ~= name end)
    end
  end
  for _, case in ipairs {
    { key 'general.architecture', 'it has no key general.architecture: convert the model again' },
    { key('general.architecture', 7), 'general.architecture is 7, and must be a name' },
    { key('general.architecture', 'lama'), '"lama": ffngen has no rule for its feed-forward '
      .. 'layers (did you mean "llama"?)' },
    { key('general.architecture', 'gemma3n'), 'which is not taken: its activations are made' },
    { key('general.architecture', 'bitnet'), 'a norm between the activation and ffn_down' },
    { key 'llama.block_count', 'it has no key llama.block_count' },
    { key('llama.block_count', 0), 'llama.block_count is 0, and must be at least 1' },
    { key('llama.block_count', 5000), '5000 blocks of a GGUF model: at most 4096 are read' },
    { key('llama.block_count', { 'i32', -1 }), 'llama.block_count is -1, and must be a size' },
    { key('llama.block_count', 1), '"blk.1.attn_norm.weight": "llama" has no block of this name' },
    { key('llama.block_count', 3), 'tensor "blk.2.ffn_gate.weight" is missing' },
    { key 'llama.embedding_length', 'it has no key llama.embedding_length' },
    { key('llama.embedding_length', 32), '"blk.0.ffn_gate.weight" has the shape [96][64], and '
      .. 'must have [96][32]' },
    { key('llama.embedding_length', 'x'), 'llama.embedding_length is "x", and must be a size' },
    { key 'llama.feed_forward_length', 'it has no key llama.feed_forward_length' },
    { key('llama.feed_forward_length', 32), '"blk.0.ffn_gate.weight" has the shape [96][64], and '
      .. 'must have [32][64]' },
    { key('llama.feed_forward_length', { 96, 96, 96 }), 'has 3 numbers, and there are 2 blocks' },
    { key('llama.feed_forward_length', { 96, 64 }), '"blk.1.ffn_gate.weight" has the shape' },
    { key('llama.feed_forward_length', { 'array', 'f32', { 96, 96 } }), 'number 1 of '
      .. 'llama.feed_forward_length is 96.0, and must be a size' },
    { key('general.quantization_version', 3), 'general.quantization_version is 3; ffngen reads '
      .. 'version 2' },
    { key('general.type', 'adapter'), 'general.type is "adapter", not "model"' },
    { key('llama.tensor_data_layout', 'new'), 'tensor_data_layout is "new", which no rule knows' },
    { without 'blk.1.ffn_down.weight', 'tensor "blk.1.ffn_down.weight" is missing' },
    { without 'blk.1.ffn_norm.weight', '"blk.1.ffn_norm.weight" is missing: the norm before' },
    { function(_, t) t['blk.1.ffn_up.weight'].type = 'Q4_0' end, '"blk.1.ffn_gate.weight" is '
      .. 'stored as q8_0 and "blk.1.ffn_up.weight" as q4_0' },
    { function(_, t) t['blk.1.ffn_up.weight'].name = 'blk.01.ffn_up.weight' end,
      '"blk.01.ffn_up.weight": "llama" has no block of this name: there are 2 blocks' },
    { function(_, t) t['blk.1.ffn_up.weight'].name = 'v.blk.1.ffn_up.weight' end,
      '"v.blk.1.ffn_up.weight": "llama" has no block of this name' },
    { function(_, t) t['output_norm.weight'].name = 'output_gate.weight' end,
      '"output_gate.weight": no rule of "llama" knows this tensor' },
    { function(_, t) t['blk.1.attn_q.weight'].name = 'blk.1.ffn_up.weight.lora_a' end,
      '"blk.1.ffn_up.weight.lora_a": this is an adapter: merge it' },
  } do
    assert_refused(changed(case[1]), case[2])
  end
  -- A width for each block; none where there is no layer.
  local function widths(_, d, f, block)
    return block == 1 and {} or gguf_file.gated(d, f)
  end
  local f = gguf_file.model {
    architecture = 'deci', blocks = 3, tensors = function(...) return widths(nil, ...) end,
  }
  gguf_file.set(f.keys, 'deci.feed_forward_length', { 96, 0, 96 })
  local model = assert_taken(f)
  unit.assertEquals({ #model.layers, model.layers[2].at, model.layers[2].index },
    { 2, 'blk.2.ffn', 2 })
end

--- What no format of layers holds is refused by its name, wherever a layer's numbers are made of
--- it; what is left to the host may be anything.
function TestGgufModels.test_types()
  for _, kind in ipairs { 'IQ3_S', 'NVFP4', 'I8' } do
    local f = gguf_file.model { blocks = 1, d_model = 256, d_ff = 256, tensors = gguf_file.gated }
    for _, t in ipairs(f.tensors) do
      if t.name:find 'ffn_gate' then t.type = kind end
    end
    assert_refused(f, ('"blk.0.ffn_gate.weight" is stored as %s, which no format of ffngen holds')
      :format(kind))
    f = gguf_file.model { blocks = 1, d_model = 256, d_ff = 256, tensors = gguf_file.gated }
    for _, t in ipairs(f.tensors) do
      if t.name:find 'attn_q' then t.type = kind end
    end
    assert_taken(f)
  end
  local f = model_of(architectures.of.gpt2)
  for _, t in ipairs(f.tensors) do
    if t.name == 'blk.0.ffn_up.bias' then t.type = 'Q8_0' end
  end
  assert_refused(f, '"blk.0.ffn_up.bias": its type is Q8_0, and a bias must be F32, F16 or BF16')
end

-- Mixtures of experts -----------------------------------------------------------------------------

local mixture = gguf_file.mixture

function TestGgufModels.test_experts()
  local model = assert_taken(mixture { architecture = 'qwen3moe' })
  unit.assertEquals(#model.layers, 6)
  local layer = model.layers[6]
  unit.assertEquals({ layer.at, layer.index, layer.part, layer.fields.d_ff },
    { 'blk.1.ffn_exps.2', 1, 2, 32 })
  local first, up = model.layers[4].matrices[2].weight, layer.matrices[2].weight
  unit.assertEquals(up.first - first.first, 2 * 32 * 68)
  unit.assertEquals(up.bytes, 3 * 32 * 68)
  unit.assertEquals(layer.around[2].tensor, 'blk.1.ffn_gate_inp.weight')
  support.assert_has(layer.around[2].text, 'chooses 2 of 3 experts for each token', 'the router')
  unit.assertEquals(lists.map(model.left, function(left) return left.what end),
    { 'embeddings', 'norms', 'routers' })
  -- In one matrix: those of gate, then those of up, for each expert.
  local halves = assert_taken(mixture { architecture = 'qwen3moe', fused = true }).layers
  local fused = halves[2].matrices
  unit.assertEquals(fused[1].weight.first - halves[1].matrices[1].weight.first, 2 * 32 * 68)
  unit.assertEquals(fused[2].weight.first - fused[1].weight.first, 32 * 68)
  unit.assertEquals(fused[1].weight.tensor, 'blk.0.ffn_gate_up_exps.weight')
  -- Blocks without experts in front; one that all tokens share.
  model = assert_taken(mixture {
    architecture = 'deepseek2', leading = 1, shared = 64,
    keys = { { 'deepseek2.leading_dense_block_count', 1 }, { 'deepseek2.expert_shared_count', 2 } },
  })
  unit.assertEquals(lists.map(model.layers, function(l) return l.at end), { 'blk.0.ffn',
    'blk.1.ffn_exps.0', 'blk.1.ffn_exps.1', 'blk.1.ffn_exps.2', 'blk.1.ffn_shexp' })
  unit.assertEquals(model.layers[5].fields.d_ff, 64)
  unit.assertEquals(model.layers[5].around[3].what, 'gate')
  local function refused(reason, o, change)
    local f = mixture(o)
    if change then change(f) end
    assert_refused(f, reason)
  end
  for count, has in pairs { [2] = 'block 1 has experts', [0] = 'block 0 has no experts' } do
    refused(('deepseek2.leading_dense_block_count is %d, and %s'):format(count, has), {
      architecture = 'deepseek2', leading = 1,
      keys = { { 'deepseek2.leading_dense_block_count', count } },
    })
  end
  refused('it has no key deepseek2.expert_shared_feed_forward_length', {
    architecture = 'deepseek2', shared = 64,
  })
  refused('"blk.0.ffn_gate_inp.weight" has the shape [3][64], and must have [4][64]', {
    architecture = 'qwen3moe' }, function(f) gguf_file.set(f.keys, 'qwen3moe.expert_count', 4) end)
  refused('it has no key qwen3moe.expert_used_count', { architecture = 'qwen3moe' },
    function(f) gguf_file.set(f.keys, 'qwen3moe.expert_used_count') end)
  refused('"blk.0.ffn_gate_exps.weight" has the shape [3][32][64], and must have [3][96][64]',
    { architecture = 'qwen3moe' },
    function(f) gguf_file.set(f.keys, 'qwen3moe.expert_feed_forward_length') end)
  -- Of experts, what no layer is made of.
  refused('"blk.0.ffn_gate_exps.weight" is in a block whose layer, by its other names, does not '
    .. 'use it',
    { architecture = 'qwen3moe', fused = true }, function(f)
      f.tensors[#f.tensors + 1] = { name = 'blk.0.ffn_gate_exps.weight', shape = { 64, 32, 3 },
        type = 'Q8_0' }
    end)
  refused('"blk.0.ffn_down_shexp.weight" is in a block whose layer', {
    architecture = 'qwen2moe' }, function(f)
    f.tensors[#f.tensors + 1] = { name = 'blk.0.ffn_down_shexp.weight', shape = { 64, 64 },
      type = 'Q8_0' }
  end)
  refused('block blk.0 has "ffn_gate" and "ffn_gate_exps": no rule of "',
    { architecture = 'deepseek2' }, function(f)
      f.tensors[#f.tensors + 1] = { name = 'blk.0.ffn_gate.weight', shape = { 64, 96 },
        type = 'F32' }
    end)
end

--- Of the router, which is the host's, what it computes is told, with each key that says it.
function TestGgufModels.test_routers()
  local own = 'deepseek2.expert_'
  local keys = {
    { own .. 'weights_norm', true }, { own .. 'gating_func', 2 }, { own .. 'group_count', 8 },
    { own .. 'group_used_count', 4 },
  }
  local function router(f, i)
    local around = assert_taken(f).layers[1].around[i or 2]
    return ('%s %s %s'):format(around.what, around.tensor, around.text)
  end
  local function has(f, words)
    for _, text in ipairs(words) do support.assert_has(router(f), text, text) end
  end
  local f = mixture { architecture = 'deepseek2', keys = keys }
  unit.assertEquals(router(f), 'router blk.0.ffn_gate_inp.weight chooses 2 of 3 experts for each '
    .. 'token: scores are the sigmoid of each logit (deepseek2.expert_gating_func 2); those with '
    .. 'the largest score are chosen, of the 4 of 8 groups whose two largest have the largest sum; '
    .. 'what an expert gives is multiplied by its score, divided by the sum of those chosen (in '
    .. 'llama.cpp by 2^-14 at least) (deepseek2.expert_weights_norm true), times 2.5 '
    .. '(deepseek2.expert_weights_scale 2.5), and these are added')
  gguf_file.set(f.keys, own .. 'gating_func', 1)
  has(f, { 'scores are the softmax of all logits (deepseek2.expert_gating_func 1)' })
  gguf_file.set(f.keys, own .. 'gating_func', 3)
  has(f, { 'scores are the softmax of those that are chosen by their logits (deepseek2.expert_g' })
  unit.assertNil(router(f):find('largest score', 1, true))
  gguf_file.set(f.keys, own .. 'gating_func', 0)
  has(f, { 'scores are the softmax of all logits (deepseek2.expert_gating_func 0)' })
  gguf_file.set(f.keys, own .. 'gating_func')
  has(f, { 'scores are the softmax of all logits; those' })
  gguf_file.set(f.keys, own .. 'weights_norm', false)
  has(f, { 'score, not divided by the sum of those chosen (deepseek2.expert_weights_norm false)' })
  gguf_file.set(f.keys, own .. 'weights_norm', true)
  gguf_file.set(f.keys, own .. 'gating_func', 9)
  assert_refused(f, 'deepseek2.expert_gating_func is 9: no rule knows that score of experts')
  gguf_file.set(f.keys, own .. 'gating_func', 2)
  for _, stem in ipairs { 'exp_probs_b', 'ffn_gate_inp' } do
    f.tensors[#f.tensors + 1] = { name = ('blk.0.%s.bias'):format(stem), shape = { 3 },
      type = 'F32' }
  end
  has(f, { 'sigmoid of each logit, to which ffn_gate_inp.bias is added before (deepseek2',
    'those with the largest score + exp_probs_b are chosen', 'multiplied by its score alone, ' })
  unit.assertEquals(router(f, 3),
    'router\'s bias blk.0.exp_probs_b.bias added where it chooses, and not where it weights')
  gguf_file.set(f.keys, own .. 'weights_norm', 'yes')
  assert_refused(f, 'deepseek2.expert_weights_norm is "yes", and must be true or '
    .. 'false')
  gguf_file.set(f.keys, own .. 'weights_norm', true)
  gguf_file.set(f.keys, own .. 'group_count', 2.5)
  assert_refused(f, 'deepseek2.expert_group_count is 2.5, and must be a number of groups')
  gguf_file.set(f.keys, own .. 'group_count', 'x')
  assert_refused(f, ', and must be a number: convert')
  unit.assertEquals(router(mixture { architecture = 'qwen3moe' }),
    'router blk.0.ffn_gate_inp.weight chooses 2 of 3 experts for each token: scores are the '
    .. 'softmax of all logits; those with the largest score are chosen; what an expert gives is '
    .. 'multiplied by its score, divided by the sum of those chosen (in llama.cpp by 2^-14 at '
    .. 'least), and these are added; llama.cpp does not read qwen3moe.expert_weights_scale 2.5 of '
    .. 'this architecture')
  -- What llama.cpp's file of each architecture hands to build_moe_ffn: gating, norm_w, w_scale.
  local handed = {
    llama = 'softmax true', mistral3 = 'softmax true', granitemoe = 'softmax true',
    qwen2moe = 'softmax false', qwen3moe = 'softmax true', qwen3vlmoe = 'softmax true',
    ['minimax-m2'] = 'sigmoid key true', olmoe = 'softmax false', deepseek = 'softmax false scale',
    deepseek2 = 'softmax key key scale', dots1 = 'sigmoid key key scale',
    ['ernie4_5-moe'] = 'softmax true', ['hunyuan-moe'] = 'softmax true', phimoe = 'softmax true',
    glm4moe = 'sigmoid key key scale', qwen3next = 'softmax true', qwen35moe = 'softmax true',
    lfm2moe = 'sigmoid key true', gemma4 = 'softmax true', grok = 'softmax true',
    ['gpt-oss'] = 'softmax of those chosen false',
  }
  for _, name in ipairs(architectures.names) do
    local r = architectures.of[name].router
    unit.assertEquals(r and ('%s%s %s%s'):format(r.gating, r.gating_key and ' key' or '',
      r.norm_key and 'key' or r.norm, r.scale_key and ' scale' or ''), handed[name] or false, name)
  end
  has(mixture { architecture = 'phimoe' }, { 'the softmax of all logits', 'sparsemixer' })
  has(mixture { architecture = 'qwen2moe' }, { 'score, not divided by the sum' })
  -- A model without experts has no router.
  f = gguf_file.model { blocks = 1, tensors = gguf_file.gated, keys = {
    { 'qwen3.expert_gating_func', 2 } }, architecture = 'qwen3' }
  assert_refused(f, 'key "qwen3.expert_gating_func": no rule of "qwen3" reads this key')
end

--- Whatever a key holds, a file is taken, or refused with a reason.
function TestGgufModels.test_values_of_keys()
  local values = { 0, 1, 7, 1.5, true, '', 'llama', '%d%s', { 1, 2 }, { 0 },
    { 'array', 'text', {} }, { 'i32', -1 }, { 'u64', -1 }, { 'f64', 0 / 0 }, { 'f32', math.huge } }
  local taken, count, at = 0, 0, 0
  for _, f in ipairs {
    mixture { architecture = 'deepseek2', leading = 1, shared = 64, keys = {
      { 'deepseek2.expert_shared_count', 2 }, { 'deepseek2.expert_gating_func', 2 },
      { 'deepseek2.expert_weights_norm', true }, { 'deepseek2.expert_group_count', 1 },
      { 'deepseek2.expert_group_used_count', 1 }, { 'general.type', 'model' },
      { 'general.quantization_version', 2 }, { 'deepseek2.tensor_data_layout', 'reference' } } },
    gguf_file.model { blocks = 1, tensors = gguf_file.gated, architecture = 'granite', keys = {
      { 'granite.residual_scale', 0.5 }, { 'general.name', 'x' } } },
  } do
    for _, key in ipairs(f.keys) do
      local whole = key[2]
      for _, value in ipairs(values) do
        -- Of the quick form some. An error of Lua is thrown on: no problem has its text.
        at = at + 1
        if support.full or at % 11 == 0 then
          key[2], count = value, count + 1
          if type(read_model(f)) == 'table' then taken = taken + 1 end
        end
      end
      key[2] = whole
    end
  end
  unit.assertTrue(count > 20 and taken > 2 and taken < count, ('%d of %d'):format(taken, count))
end

-- Files of the gguf package -----------------------------------------------------------------------

--- What tests/data/import/gguf_files.py has made, read as the package reads it.
function TestGgufModels.test_package()
  local places = json.decode(support.read(data .. 'places.json')).files
  local compared = 0
  for _, case in ipairs {
    { 'llama.gguf', 'swiglu', 2, 'q4_0 q4_0 q4_0', 'q4_0 q4_0 q8_0' },
    { 'phi3.gguf', 'swiglu', 1, 'bf16 bf16 bf16', 'bf16 bf16 bf16' },
    { 'bert.gguf', 'gelu', 2, 'f32 f32', 'f32 f32' },
    { 'gpt2.gguf', 'gelu_tanh', 1, 'f16 f16', 'f16 f16' },
    { 'gpt_oss.gguf', 'clamped_swiglu', 3, 'mxfp4 mxfp4 mxfp4', 'mxfp4 mxfp4 mxfp4' },
    { 'levels.gguf', 'swiglu', 1, 'iq4_xs iq4_xs iq4_nl', 'iq4_xs iq4_xs iq4_nl' },
    { 'gemma-00001-of-00002.gguf', 'geglu_tanh', 2, 'q5_0 q5_0 q6_K', 'q5_0 q5_0 q4_K' },
  } do
    local model = read(data .. case[1])
    unit.assertEquals(type(model), 'table', model)
    unit.assertEquals({ #model.layers, model.layers[1].fields.variant }, { case[3], case[2] })
    for i, layer in ipairs { model.layers[1], model.layers[#model.layers] } do
      unit.assertEquals(table.concat(lists.map(layer.matrices, function(m)
        return m.weight.encoding
      end), ' '), case[3 + i], case[1])
    end
    for _, layer in ipairs(model.layers) do
      for _, m in ipairs(layer.matrices) do
        for _, p in ipairs { m.weight, m.bias or nil } do
          local file = model.files[p.file].path:match '[^/]+$'
          local place = places[file][p.tensor]
          compared = compared + 1
          unit.assertEquals({ p.bytes, p.encoding:lower() }, { place.bytes, place.type:lower() })
          local fused = m.role == 'up' and #layer.matrices == 3
            and layer.matrices[1].weight.tensor == p.tensor
          local expert = layer.at:match 'exps%.(%d+)$' or 0
          local part = p == m.bias and m.outputs * 4 or m.outputs * p.row_bytes
          unit.assertEquals(p.first, place.first + (fused and part or 0) + expert * part)
        end
      end
    end
  end
  unit.assertEquals(compared, 48)
end

--- Version 2 is version 3 without the other order of bytes.
function TestGgufModels.test_version_2()
  local text = support.read(data .. 'bert.gguf')
  support.write(folder .. '/v2.gguf', text:sub(1, 4) .. '\2' .. text:sub(6))
  local old, new = read(folder .. '/v2.gguf'), read(data .. 'bert.gguf')
  unit.assertEquals(old.layers, new.layers)
  unit.assertNotEquals(old.files[1].xxh64, new.files[1].xxh64)
end

--- Where the package is installed, it makes the files that are here.
function TestGgufModels.test_remade()
  local installed = support.run { 'python3', '-c', 'import gguf, numpy' }
  unit.skipIf(installed.code ~= 0, 'no python3 with gguf and numpy')
  local made, script = support.folder(), support.root .. '/tests/data/import/gguf_files.py'
  support.assert_code(support.run { 'python3', script, made }, 0, script)
  local there, here = support.snapshot(made), support.snapshot(data)
  for _, files in ipairs { there, here } do
    files['places.json'] = files['places.json']:gsub('"made by"[^\n]+', '')
  end
  support.assert_same(there, here, 'tests/data/import/gguf')
end

--- The model's activation, or llama.cpp's form of it where that is asked for.
function TestGgufModels.test_variants()
  local function variant(name, asked)
    local result = read_model(model_of(architectures.of[name]), {}, asked)
    if type(result) == 'string' then return result end
    return result.layers[1].fields.variant, result.layers[1].because
  end
  unit.assertEquals(variant 'bert', 'gelu')
  unit.assertEquals(variant('bert', 'gelu'), 'gelu')
  local asked, because = variant('bert', 'gelu_tanh')
  unit.assertEquals({ asked, because[2].text },
    { 'gelu_tanh', '--variant, and what llama.cpp computes' })
  unit.assertEquals(variant('modern-bert', 'geglu_tanh'), 'geglu_tanh')
  unit.assertEquals(variant('llama', 'swiglu'), 'swiglu')
  support.assert_has(variant('t5', 'relu'), '--variant: relu: enc.blk.0.ffn of ', 'its tensors')
  support.assert_has(variant('llama', 'geglu'), '--variant: geglu: layers of "llama" are swiglu',
    'another')
  support.assert_has(variant('bert', 'relu'), 'layers of "bert" are gelu or gelu_tanh', 'another')
  -- Models of one architecture that differ.
  support.assert_has(variant('gptneox', ''), 'that of GPT-NeoX-20B gelu_fast, which is gelu_tanh; '
    .. 'add --variant gelu or gelu_tanh', 'unsure')
  unit.assertEquals(variant('gptneox', 'gelu_tanh'), 'gelu_tanh')
end

--- One layer, or those of a block; and names that nothing has.
function TestGgufModels.test_options()
  support.write(folder .. '/m.gguf', (gguf_file.text(mixture { architecture = 'qwen3moe' })))
  local function asked(leave, node)
    local result = read(folder .. '/m.gguf', leave, node)
    if type(result) == 'string' then return result end
    return table.concat(lists.map(result.layers, function(l) return l.at end), ' ')
  end
  unit.assertEquals(asked({}, 'blk.1.ffn_exps.2'), 'blk.1.ffn_exps.2')
  unit.assertEquals(asked({}, 'blk.1'), 'blk.1.ffn_exps.0 blk.1.ffn_exps.1 blk.1.ffn_exps.2')
  support.assert_has(asked({}, 'blk.2'),
    'has no layer "blk.2": from blk.0.ffn_exps.0 to blk.1.ffn_exps.2', '--node')
  support.assert_has(asked({ 'blk.7' }), '--leave: ', '--leave')
  support.assert_has(asked({ 'blk.0.ffn_up_exps' }), '"blk.0.ffn_up_exps.weight" is missing',
    'a layer\'s own')
end

local stems_of_package = [[
from gguf.constants import MODEL_ARCH_NAMES, MODEL_TENSORS, TENSOR_NAMES
for arch, tensors in MODEL_TENSORS.items():
    print(MODEL_ARCH_NAMES[arch], *(TENSOR_NAMES[t].replace("{bid}", "0") for t in tensors))
]]

--- What the package lists of an architecture and its converters do not write, or a block without
--- experts has not: the same norm as attention's, another name of one, scales of an activation.
local beyond = {
  ['gemma4 blk.0.post_ffw_norm_1'] = true, ['gemma4 blk.0.post_ffw_norm_2'] = true,
  ['grok blk.0.post_ffw_norm'] = true,
  ['phi2 blk.0.ffn_norm'] = true, ['mpt blk.0.ffn'] = true, deci = true, minicpm = true,
}

--- The package knows each architecture that has a rule, and has the same names of tensors for it.
function TestGgufModels.test_names_of_package()
  local told = support.run { 'python3', '-c', stems_of_package }
  unit.skipIf(told.code ~= 0, 'no python3 with gguf')
  local known = {}
  for name, list in told.out:gmatch '(%S+) ([^\n]*)' do
    known[name] = {}
    for stem in list:gmatch '%S+' do known[name][stem] = true end
  end
  for _, name in ipairs(architectures.names) do
    local own = {}
    for _, t in ipairs(model_of(architectures.of[name]).tensors) do
      local stem = t.name:match '^(.*)%.[^.]*$'
      own[stem] = true
      unit.assertTrue(known[name][stem] or not stem:find 'blk', name .. ': ' .. stem)
    end
    for _, stem in ipairs(support.keys(known[name])) do
      local is_own = own[stem] or not stem:find 'blk%.0%.ffn' and not stem:find 'post_ffw'
        and not stem:find 'layer_output' or beyond[name .. ' ' .. stem]
      local of_experts = stem:find '_exps$' or stem:find '_shexp$' or stem:find 'ffn_gate_inp$'
      unit.assertTrue(is_own or of_experts and (architectures.of[name].experts or beyond[name])
        and true or false, name .. ' lacks ' .. stem)
    end
  end
end

--- Recognised by the name or by the first bytes, and nothing else.
function TestGgufModels.test_recognised()
  support.write(folder .. '/blob', support.read(data .. 'gpt2.gguf'))
  support.write(folder .. '/other', 'GGML')
  support.write(folder .. '/UPPER.GGUF', 'x')
  for path, is in pairs {
    [data .. 'gpt2.gguf'] = true, [folder .. '/blob'] = true, [folder .. '/UPPER.GGUF'] = true,
    [folder .. '/other'] = false, [folder] = false, [folder .. '/nothing.gguf'] = false,
  } do
    unit.assertEquals(reader.recognises(path), is, path)
  end
end

-- Strangers' files --------------------------------------------------------------------------------

--- Damaged headers: a typed error, or a layer whose numbers lie in the file. Bytes that say much
--- are put where they may.
function TestGgufModels.test_mutations()
  local gated = gguf_file.text(gguf_file.model {
    blocks = 1, d_model = 32, d_ff = 32, tensors = gguf_file.gated,
    keys = { { 'a.words', { 'array', 'text', { 'one', 'two' } } }, { 'llama.x', { 1, 2 } } },
  })
  local bases = {
    gated, (gguf_file.text(mixture { architecture = 'deepseek2', count = 2, width = 32,
      shared = 32, keys = { { 'deepseek2.expert_shared_count', 1 } } })),
    (gguf_file.text(model_of(architectures.of.gpt2))),
  }
  local words = {
    '\xff', '\0', '\x7f', '\x80', ('\xff'):rep(8), ('\0'):rep(8), 'GGUF', 'blk.0.ffn_up.weight',
    string.pack('<i8', math.mininteger), string.pack('<i8', math.maxinteger),
    string.pack('<I4', 0xffffffff), string.pack('<I4', 9), string.pack('<i8', 1 << 32),
    string.pack('<i8', 1 << 20),
  }
  math.randomseed(31, 6)
  local path, random, taken, refused = folder .. '/mutant.gguf', math.random, 0, 0
  local count = support.full and support.is_turn(2, 4) and 200000 or 2000
  local largest = 0
  for i = 1, count do
    local text = bases[i % #bases + 1]
    local head = i % #bases == 1 and 4000 or 1000
    for _ = 1, random(3) do
      local at, what = random(0, math.min(#text, head)), random(10)
      if what <= 5 then
        local word = words[random(#words)]
        text = text:sub(1, at) .. word .. text:sub(at + #word + 1)
      elseif what <= 7 then
        text = text:sub(1, at) .. string.char(random(0, 255)) .. text:sub(at + 2)
      elseif what == 8 then
        text = text:sub(1, at) .. text:sub(at + random(9))
      elseif what == 9 then
        text = text:sub(1, at) .. words[random(#words)] .. text:sub(at + 1)
      else
        text = text:sub(1, random(0, #text))
      end
    end
    support.write(path, text)
    local before = collectgarbage 'count'
    local _, result = effort.within(1000, read, path)
    largest = math.max(largest, collectgarbage 'count' - before)
    if type(result) == 'table' then taken = taken + 1 else refused = refused + 1 end
  end
  unit.assertTrue(largest < 64 * 1024, 'KiB: ' .. largest)
  unit.assertTrue(refused > count // 2 and taken > count // 100, taken .. ' taken')
end
