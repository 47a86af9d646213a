--- `ffngen import --also` of models of Hugging Face: which products each model has, that a product
--- read so gives what the origin's module gave (tests/data/import/remake.py), and what is refused.
local evaluated = require 'found_layers'
local found_records = require 'import.found'
local huggingface = require 'import.readers.huggingface'
local json = require 'dkjson'
local lists = require 'common.list'
local model_files = require 'model_files'
local origin_values = require 'origin_values'
local part_numbers = require 'import.parts'
local products = require 'import.products'
local refusal = require 'refusal'
local safetensors = require 'import.readers.safetensors'
local support = require 'support'
local unit = require 'luaunit'

TestImportAlso = {}

local folder = support.root .. '/tests/data/import/hf/'

local function read(path, also, options)
  local given = { leave = {}, also = also and products.also(also) }
  for key, value in pairs(options or {}) do given[key] = value end
  return found_records.of(huggingface.read(path, given))
end

--- The products of a found model.
local function products_of(found)
  local result = {}
  for _, l in ipairs(found.layers) do
    if part_numbers.is_product(l.part) then result[#result + 1] = l end
  end
  return result
end

--- The name of a part.
local function part_of(l)
  for _, name in ipairs(part_numbers.names) do
    if l.part == part_numbers.by_name[name] then return name end
  end
  return 'other'
end

--- A product as a word: its part, its outputs, and whether they have biases.
local function told(l)
  local outputs = {}
  for i, m in ipairs(l.matrices) do
    outputs[i] = ('%s%d%s'):format(m.word or '', m.outputs, m.bias and '+' or '')
  end
  return ('%d.%s %s'):format(l.index, part_of(l), table.concat(outputs, ','))
end

--- The products of models: for each its layer, its part, its outputs; + is a bias.
local expected = {
  { 'albert',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.other 8+; 1.other 8+' },
  { 'apertus arcee cohere exaone4 falcon gemma gemma2 gemma3_text granite helium llama '
      .. 'llama_shards mistral nemotron olmo olmo2 phi3 qwen3 smollm3 stablelm',
    '0.qkv q8,k4,v4; 0.o o8; 1.qkv q8,k4,v4; 1.o o8; 2.head head8' },
  { 'bert ernie megatron_bert roberta',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.head head8+; 2.other 8+' },
  { 'bloom gpt_neox persimmon',
    '0.qkv qkv24+; 0.o o8+; 1.qkv qkv24+; 1.o o8+; 2.head head8' },
  { 'clip',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.other 4; 2.other 4' },
  { 'deberta_v2 distilbert',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+' },
  { 'deepseek_v3',
    '0.o o8; 0.other 4,8; 0.other 16; 0.other 16; 1.o o8; 1.router router2; 1.other 4,8; '
      .. '1.other 16; 1.other 16; 2.head head8' },
  { 'deit vit',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.other 8+' },
  { 'electra',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.head head8+; 2.other 8+; '
      .. '2.other 4+' },
  { 'falcon_new',
    '0.qkv qkv16; 0.o o8; 1.head head8' },
  { 'falcon_old',
    '0.qkv qkv24+; 0.o o8+; 1.head head8' },
  { 'gemma3_pictures', -- what sees pictures is no rule's
    '0.qkv q8,k4,v4; 0.o o8; 1.qkv q8,k4,v4; 1.o o8; 2.head head8; 2.other 12+'
      .. ('; 2.other 8+'):rep(6) .. '; 2.other 12+; 2.other 8+; 2.other qkv24+' },
  { 'glm glm4 qwen2',
    '0.qkv q8+,k4+,v4+; 0.o o8; 1.qkv q8+,k4+,v4+; 1.o o8; 2.head head8' },
  { 'glm4_moe',
    '0.qkv q8,k4,v4; 0.o o8; 1.qkv q8,k4,v4; 1.o o8; 1.router router2; 2.head head8' },
  { 'gpt2 opt',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.head head8' },
  { 'gpt_bigcode starcoder2',
    '0.qkv q8+,k4+,v4+; 0.o o8+; 1.qkv q8+,k4+,v4+; 1.o o8+; 2.head head8' },
  { 'gpt_neo',
    '0.qkv q8,k8,v8; 0.o o8+; 1.qkv q8,k8,v8; 1.o o8+; 2.head head8' },
  { 'gpt_oss',
    '0.qkv q8+,k4+,v4+; 0.o o8+; 0.router router2+; 1.qkv q8+,k4+,v4+; 1.o o8+; '
      .. '1.router router2+; 2.head head8' },
  { 'gptj',
    '0.qkv q8,k8,v8; 0.o o8; 1.qkv q8,k8,v8; 1.o o8; 2.head head8+' },
  { 'granitemoe mixtral qwen3_moe',
    '0.qkv q8,k4,v4; 0.o o8; 0.router router2; 1.qkv q8,k4,v4; 1.o o8; 1.router router2; '
      .. '2.head head8' },
  { 'phimoe', -- whose router is none of a moe
    '0.qkv q8,k4,v4; 0.o o8; 0.other 2; 1.qkv q8,k4,v4; 1.o o8; 1.other 2; 2.head head8' },
  { 'm2m_100',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 1.cross_q q8+; 1.cross_kv '
      .. 'k8+,v8+; 1.cross_o o8+' },
  { 'marian mbart pegasus',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 0.cross_q q8+; 0.cross_kv k8+,v8+; 0.cross_o o8+; 1.head '
      .. 'head8' },
  { 'modernbert nomic_bert',
    '0.qkv q8,k8,v8; 0.o o8; 1.qkv q8,k8,v8; 1.o o8' },
  { 'mpt',
    '0.qkv q8,k8,v8; 0.o o8; 1.qkv q8,k8,v8; 1.o o8; 2.head head8' },
  { 'phi',
    '0.qkv q8+,k4+,v4+; 0.o o8+; 1.qkv q8+,k4+,v4+; 1.o o8+; 2.head head8+' },
  { 'qwen2_moe',
    '0.qkv q8+,k4+,v4+; 0.o o8; 1.qkv q8+,k4+,v4+; 1.o o8; 1.router router2,router1; '
      .. '2.head head8' },
  { 'siglip',
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.other 8+; 2.other 8+; '
      .. '2.other 12+; 2.other 8+; 2.other qkv24+' },
  { 't5 t5_gated',
    '0.qkv q8,k8,v8; 0.o o8; 1.qkv q8,k8,v8; 1.o o8; 2.qkv q8,k8,v8; 2.o o8; 2.cross_q q8; '
      .. '2.cross_kv k8,v8; 2.cross_o o8' },
  { 't5_lm',
    '0.qkv q8,k8,v8; 0.o o8; 1.qkv q8,k8,v8; 1.o o8; 2.qkv q8,k8,v8; 2.o o8; 2.cross_q q8; '
      .. '2.cross_kv k8,v8; 2.cross_o o8; 3.head head8' },
  { 'whisper',
    '0.qkv q8+,k8,v8+; 0.o o8+; 0.cross_q q8+; 0.cross_kv k8,v8+; 0.cross_o o8+; 1.head '
      .. 'head8' },
}

function TestImportAlso.test_products()
  local count = 0
  for _, case in ipairs(expected) do
    for name in case[1]:gmatch '%S+' do
      local list = {}
      for i, l in ipairs(products_of(read(folder .. name, 'all'))) do list[i] = told(l) end
      unit.assertEquals(table.concat(list, '; '), case[2], name)
      count = count + 1
    end
  end
  unit.assertEquals(count, 67)
end

--- The module of a product's matrix; the origin's code may call the head, and what a larger model
--- is around, otherwise than its file.
local function module_of(l, m, values)
  local is_head = l.part == part_numbers.by_name.head
  if is_head and not values['x:' .. l.at] then return 'lm_head' end
  local module = is_head and l.at or m.weight.tensor:gsub('%.weight$', '')
  local other = module:gsub('^language_model%.model%.', 'model.language_model.')
  return values['x:' .. module] and module or other
end

local function assert_close(actual, y, place)
  unit.assertEquals(#actual, #y, place)
  for i = 1, #y do
    unit.assertAlmostEquals(actual[i], y[i], 1e-6 * (1 + math.abs(y[i])), place)
  end
end

--- The models whose products the origin's code told, with what they were given and gave.
local function watched()
  local result = {}
  for path in pairs(support.snapshot(folder)) do
    local name = path:match '^([%w_]+)/expected$'
    local values = name and origin_values.of(folder .. path)
    local found = false
    for key in pairs(values or {}) do found = found or key:find '^x:' ~= nil end
    if found then result[#result + 1] = { name = name, values = values } end
  end
  return result
end

local function files_of(found)
  local files = {}
  for i, file in ipairs(found.files) do files[i] = support.read(file.path) end
  return files
end

--- y of every module: rows of several outputs in one matrix are those of its outputs in a row.
function TestImportAlso.test_what_modules_give()
  local models = watched()
  for _, model in ipairs(models) do
    local found, seen = read(folder .. model.name, 'all'), {}
    local files = files_of(found)
    for _, l in ipairs(products_of(found)) do
      local rows, order = {}, {}
      for _, m in ipairs(l.matrices) do
        local module = module_of(l, m, model.values)
        if not rows[module] then rows[module], order[#order + 1] = {}, module end
        for row, x in ipairs(model.values['x:' .. module] or {}) do
          rows[module][row] = rows[module][row] or {}
          lists.append(rows[module][row], evaluated.product(files, m, x))
        end
      end
      for _, module in ipairs(order) do
        for row, y in ipairs(rows[module]) do
          assert_close(y, model.values['y:' .. module][row], model.name .. ' ' .. module)
        end
        seen[module] = true
      end
    end
    for key in pairs(model.values) do
      local module = key:match '^y:(.*)$'
      unit.assertTrue(not module or seen[module] or false, ('%s: %s'):format(model.name, key))
    end
  end
  unit.assertTrue(#models >= 18, #models)
end

--- q, k and v of one matrix are what attention gets of one token, at position 0.
function TestImportAlso.test_what_attention_gets()
  local count = 0
  for _, model in ipairs(watched()) do
    local found = read(folder .. model.name, 'attention')
    local files = files_of(found)
    for _, l in ipairs(products_of(found)) do
      for _, m in ipairs(l.matrices) do
        local y = model.values[('%s:%s'):format(m.word, (l.at:gsub('%.qkv$', '')))]
        if y then
          local own = evaluated.product(files, m,
            model.values['one.x:' .. module_of(l, m, model.values)][1])
          -- Heads of q may share one of v.
          for _ = 2, #y[1] // #own do table.move(own, 1, m.outputs, #own + 1) end
          assert_close(own, y[1], ('%s %s %s'):format(model.name, l.at, m.word))
          count = count + 1
        end
      end
    end
  end
  unit.assertEquals(count, 28)
end

--- What there is to say of rows, and of heads.
function TestImportAlso.test_told()
  for _, case in ipairs {
    { 'gpt2', 'qkv', 'rows of q, k, v one after the other' },
    { 'gpt_neox', 'qkv', 'rows: for each head q, then k, then v' },
    { 'falcon_old', 'qkv', 'rows: for each head q, then k, then v' },
    { 'falcon_new', 'qkv', 'rows: for each head of k and v its heads of q, then k, then v' },
    { 'deepseek_v3', 'other', 'rows of kv_a: the latent, then the part of k that is turned by its '
      .. 'position' },
    { 'gpt2', 'head', 'tied: the head is the embedding, transformer.wte.weight '
      .. '(tie_word_embeddings is true)' },
  } do
    local texts = {}
    for _, l in ipairs(products_of(read(folder .. case[1], 'all'))) do
      for _, b in ipairs(l.because) do
        texts[#texts + 1] = part_of(l) == case[2] and b.text or nil
      end
    end
    support.assert_has(table.concat(texts, '\n'), case[3], case[1])
  end
end

--- One product by its name, or by that of one of its modules, whatever --also says.
function TestImportAlso.test_node()
  for node, at in pairs {
    ['model.layers.1.self_attn.qkv'] = 'model.layers.1.self_attn.qkv',
    ['model.layers.1.self_attn.k_proj'] = 'model.layers.1.self_attn.qkv',
    ['model.layers.0.self_attn.o_proj'] = 'model.layers.0.self_attn.o_proj',
    ['lm_head'] = 'lm_head', ['model.layers.0.mlp'] = 'model.layers.0.mlp',
  } do
    local layers = read(folder .. 'llama', nil, { node = node }).layers
    unit.assertEquals({ #layers, layers[1].at }, { 1, at })
  end
  unit.assertEquals(read(folder .. 'gpt2', nil, { node = 'transformer.h.0.attn.c_attn' }).layers[1]
    .at, 'transformer.h.0.attn.qkv')
  support.assert_has(refusal.of('none', read, folder .. 'llama', nil, { node = 'lm_had' }),
    'has no layer "lm_had" (did you mean', 'none')
end

--- A copy of a model, with other keys and without some tensors.
local function changed(name, keys, without)
  local at = support.folder()
  local data = json.decode(support.read(folder .. name .. '/config.json'))
  for key, value in pairs(keys) do data[key] = value ~= 'gone' and value or nil end
  support.write(at .. '/config.json', json.encode(data))
  local text = support.read(folder .. name .. '/model.safetensors')
  local length = string.unpack('<I8', text)
  local entries, tensors = json.decode(text:sub(9, 8 + length)), {}
  for key, entry in pairs(entries) do
    if key ~= '__metadata__' and not key:find(without or '^$') then
      local first, last = table.unpack(entry.data_offsets)
      tensors[key] = { entry.dtype, 4, entry.shape,
        text:sub(9 + length + first, 8 + length + last) }
    end
  end
  model_files.store(at .. '/model.safetensors', tensors)
  return at
end

--- What is missing, or adds up to nothing.
function TestImportAlso.test_refused()
  for _, case in ipairs {
    { 'attention', 'there is no k beside "model.layers.1.self_attn.q_proj"', 'llama', {},
      '1%.self_attn%.k_proj' },
    { 'attention', 'there is no v beside', 'bert', {}, '0%.attention%.self%.value' },
    { 'attention', 'has 16 outputs, and by config.json q, k, v have 24: they do not add up', 'phi3',
      { num_key_value_heads = 2 } },
    { 'attention', 'num_key_value_heads is "1", and must be an integer from 1 on', 'phi3',
      { num_key_value_heads = '1' } },
    { 'attention', 'has 16 outputs, and by config.json q, k, v have 24', 'gpt_bigcode',
      { n_embd = 8, multi_query = true, n_head = 1 } },
    { 'head', 'there is no tensor "lm_head.weight", and the embedding is not in its place: '
      .. 'tie_word_embeddings is false', 'llama', {}, '^lm_head' },
    { 'head', 'there is no tensor "lm_head.weight", and the embedding is not in its place: no '
      .. 'tie_word_embeddings: false, as its class has it', 'llama',
      { tie_word_embeddings = 'gone' }, '^lm_head' },
    { 'head', 'tie_word_embeddings is 1, and must be true or false', 'gemma',
      { tie_word_embeddings = 1 } },
    { 'head', '--also head: no tensor is a head', 'gemma', { architectures = { 'GemmaModel' } } },
    { 'head', 'and no embedding in its place', 'gemma', {}, 'embed_tokens' },
  } do
    local also, text, name, keys, without = table.unpack(case)
    support.assert_has(refusal.of(text, read, changed(name, keys, without), also), text, name)
  end
  -- What other models leave out.
  local one = products_of(read(changed('gpt_bigcode', { num_key_value_heads = 'gone' }),
    'attention'))[1]
  unit.assertEquals(told(one), '0.qkv q8+,k4+,v4+')
  local heads = products_of(read(changed('gemma', { tie_word_embeddings = 'gone' }), 'head'))
  unit.assertEquals(told(heads[1]), '2.head head8')
  unit.assertEquals(#products_of(read(changed('gemma', { architectures = { 'GemmaModel' } }),
    'all')), 4)
  unit.assertEquals(#read(folder .. 'llama').layers, 2)
end

--- A matrix of attention without a known name is refused, left, or taken as a matrix.
function TestImportAlso.test_unknown_names()
  local at = changed('llama', {})
  local text = support.read(at .. '/model.safetensors')
  support.write(at .. '/model.safetensors', (text:gsub('1%.self_attn%.o_', '1.self_attn.x_')))
  local name = 'model.layers.1.self_attn.x_proj'
  support.assert_has(refusal.of('x_proj', read, at, 'attention'),
    ('"%s" is a matrix of attention, and ffngen knows no product of this name: --leave %s leaves '
      .. 'it to the host'):format(name, name), 'x_proj')
  unit.assertEquals(#products_of(read(at, 'attention', { leave = { name } })), 3)
  local list = products_of(read(at, 'all'))
  unit.assertEquals({ list[4].at, list[4].index, part_of(list[4]) }, { name, 1, 'other' })
  support.write(at .. '/model.safetensors', (text:gsub('1%.self_attn%.o_pro', '1.self_attn.query')
    :gsub('query', 'q_atn'):gsub('q_atnj', 'q_attn')))
  support.assert_has(refusal.of('two', read, at, 'attention'), 'would both be q of one layer',
    'two')
end

--- What --also says nothing of stays as it is: layers, and what is left to the host.
function TestImportAlso.test_left()
  local left = {}
  for _, l in ipairs(read(folder .. 'gemma2', 'attention').left) do left[l.what] = l.count end
  unit.assertEquals(left, { norms = 9, embeddings = 1 })
end

--- Packed rows are cut as those of gate and up are, and shapes tell sizes.
function TestImportAlso.test_packed()
  local at, d, tensors = support.folder(), 64, {}
  local function gptq(name, o, i)
    tensors[name .. '.qweight'] = { 'I32', 4, { i // 8, o } }
    tensors[name .. '.qzeros'] = { 'I32', 4, { i // 32, o // 8 } }
    tensors[name .. '.scales'] = { 'F16', 2, { i // 32, o } }
    tensors[name .. '.g_idx'] = { 'I32', 4, { i } }
  end
  local block = 'model.layers.0.'
  gptq(block .. 'mlp.gate_up_proj', 64, d)
  gptq(block .. 'mlp.down_proj', d, 32)
  gptq(block .. 'self_attn.qkv_proj', 64 + 2 * 16, d)
  gptq(block .. 'self_attn.o_proj', d, d)
  tensors[block .. 'post_attention_layernorm.weight'] = { 'F16', 2, { d } }
  support.write(at .. '/config.json', json.encode {
    model_type = 'phi3', hidden_size = d, intermediate_size = 32, num_hidden_layers = 1,
    hidden_act = 'silu', rms_norm_eps = 1e-6, num_attention_heads = 4, num_key_value_heads = 1,
    quantization_config = { quant_method = 'gptq', bits = 4, group_size = 32, desc_act = false },
  })
  model_files.store(at .. '/model.safetensors', tensors)
  local list = products_of(read(at, 'attention'))
  unit.assertEquals({ told(list[1]), told(list[2]) }, { '0.qkv q64,k16,v16', '0.o o64' })
  local q, k, v = table.unpack(list[1].matrices)
  for i, m in ipairs { k, v } do
    local from = 64 + (i - 1) * 16
    unit.assertEquals({ m.weight.first - q.weight.first, m.weight.row_bytes,
      m.weight.column_bytes }, { from * 4, 4, 96 * 4 })
    unit.assertEquals(m.weight.scaled.zeros.first - q.weight.scaled.zeros.first, from // 8 * 4)
    unit.assertEquals(m.weight.scaled.scales.first - q.weight.scaled.scales.first, from * 2)
    unit.assertEquals(m.weight.format, 'u4g32')
  end
  unit.assertEquals(list[1].because[2].text, 'GPTQ, 4 bits, a scale for 32 inputs')
end

--- From a folder to packed weights, by the commands.
function TestImportAlso.test_commands()
  local at = support.folder()
  local result = support.ffngen { 'import', folder .. 'qwen2', '--out', at .. '/out', '--also',
    'attention,head', '--spec-only', '--weights', 'q=bf16,k=bf16,v=bf16' }
  support.assert_code(result, 0, 'import')
  support.assert_has(result.err, '2 layers and 5 products, of 3 kinds; left to the host: ', 'told')
  support.assert_has(support.read(at .. '/out/model.lua'),
    "\n  bias = true,\n  -- weights: q is f32, packed as bf16, k is f32", 'spec')
  local plan = json.decode(support.read(at .. '/out/PLAN.json'))
  unit.assertEquals({ plan.layers[2].name, plan.layers[2].part, #plan.layers[2].matrices },
    { 'model.layers.0.self_attn.qkv', 0x80000000, 3 })
  unit.assertEquals({ plan.layers[7].name, plan.layers[7].index, plan.layers[7].part },
    { 'lm_head', 2, 0x80000005 })
  result = support.ffngen { 'import', folder .. 'qwen2/config.json', '--list', '--also', 'head' }
  support.assert_code(result, 0, 'a config beside its tensors')
  at = support.folder()
  support.write(at .. '/config.json', support.read(folder .. 'qwen2/config.json'))
  result = support.ffngen { 'import', at .. '/config.json', '--list', '--also', 'head',
    '--spec-only' }
  support.assert_code(result, 2, 'a config alone')
  support.assert_has(result.err, 'leave out --also', 'a config alone')
end

--- Safetensors alone: names tell products, and what they do not tell is asked for.
function TestImportAlso.test_names_alone()
  local function alone(name, also, options)
    local given = { leave = {}, variant = 'swiglu,gelu', also = also and products.also(also) }
    for key, value in pairs(options or {}) do given[key] = value end
    return found_records.of(safetensors.read(folder .. name .. '/model.safetensors', given))
  end
  local function all_told(found)
    return table.concat(lists.map(products_of(found), told), '; ')
  end
  unit.assertEquals(all_told(alone('qwen2', 'attention,head')),
    '0.qkv q8+,k4+,v4+; 0.o o8; 1.qkv q8+,k4+,v4+; 1.o o8; 2.head head8')
  unit.assertEquals(alone('qwen2', 'head').rows[2].name,
    'model.layers.0.input_layernorm.weight')
  unit.assertEquals(all_told(alone('qwen2')), '')
  unit.assertEquals(all_told(alone('qwen2', nil, { node = 'model.layers.1.self_attn.v_proj' })),
    '1.qkv q8+,k4+,v4+')
  unit.assertEquals(all_told(alone('bert', 'all')),
    '0.qkv q8+,k8+,v8+; 0.o o8+; 1.qkv q8+,k8+,v8+; 1.o o8+; 2.other 8+')
  for name, text in pairs {
    gpt2 = '"transformer.h.0.attn.c_attn" has q, k and v in one matrix, and no rule tells',
    gpt_neox = '"gpt_neox.layers.0.attention.query_key_value" has q, k and v in one matrix',
  } do
    support.assert_has(refusal.of(name, alone, name, 'attention', { order = 'in-out' }), text, name)
  end
  support.assert_has(refusal.of('head', alone, 'gemma', 'head'), 'no tensor is a head', 'head')
  support.assert_has(refusal.of('order', alone, 'gpt2', 'all', {}), 'c_proj" may be [out][in] or, '
    .. 'as in GPT-2, [in][out]: add --order out-in or --order in-out', 'order')
  unit.assertEquals(all_told(alone('gpt2', 'all', { order = 'in-out' })),
    '0.o o8+; 0.other 24+; 1.o o8+; 1.other 24+')
end
