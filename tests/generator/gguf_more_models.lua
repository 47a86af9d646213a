--- Architectures of GGUF whose blocks have more than a layer and its norms: experts beside a layer,
--- scales that are the host's, linear attention, convolutions.
local found_records = require 'import.found'
local gguf_file = require 'gguf_file'
local lists = require 'common.list'
local products = require 'import.products'
local reader = require 'import.readers.gguf'
local refusal = require 'refusal'
local support = require 'support'
local unit = require 'luaunit'

TestGgufMoreModels = {}

local folder = support.folder()

--- What is found in a file, or the text of its refusal.
local function read(f, also, more)
  more = more or {}
  support.write(folder .. '/m.gguf', (gguf_file.text(f)))
  return (refusal.outcome(function()
    return found_records.of(reader.read(folder .. '/m.gguf', {
      leave = more.leave or {}, also = also and products.also(also), variant = more.variant,
      decode = more.decode or false,
    }))
  end))
end

local function without(f, name)
  f.tensors = lists.filter(f.tensors, function(t) return t.name ~= name end)
  return f
end

--- Tensors of a block: name, shape, type.
local function dense(d, f)
  return { { 'ffn_gate.weight', { d, f }, 'Q8_0' }, { 'ffn_up.weight', { d, f }, 'Q8_0' },
    { 'ffn_down.weight', { f, d }, 'Q8_0' } }
end
local function norms(d, names)
  return lists.map(names, function(name) return { name .. '.weight', { d } } end)
end

--- A model of one block with experts beside a layer.
local function both(architecture, more, keys)
  return gguf_file.model {
    architecture = architecture, blocks = 1, d_model = 64, d_ff = 96,
    keys = lists.append({
      { architecture .. '.expert_count', 3 }, { architecture .. '.expert_used_count', 2 },
      { architecture .. '.expert_feed_forward_length', 32 },
    }, keys or {}),
    tensors = function(d, f)
      return lists.append(lists.append(dense(d, f), {
        { 'ffn_gate_inp.weight', { d, 3 } }, { 'ffn_down_exps.weight', { 32, d, 3 }, 'Q8_0' },
        { 'ffn_gate_up_exps.weight', { d, 64, 3 }, 'Q8_0' },
      }), more(d))
    end,
  }
end

local function gemma4(d)
  return lists.append(norms(d, { 'ffn_norm', 'post_ffw_norm', 'post_ffw_norm_1', 'pre_ffw_norm_2',
    'post_ffw_norm_2' }), {
    { 'ffn_gate_inp.scale', { d } }, { 'ffn_down_exps.scale', { 3 } },
    { 'layer_output_scale.weight', { 1 } }, { 'inp_gate.weight', { d, 32 } },
    { 'proj.weight', { 32, d } }, { 'post_norm.weight', { d } },
  })
end

local function around_of(layer)
  return lists.map(layer.around, function(a)
    return ('%s %s %s'):format(a.place, a.what, (a.tensor or '-'):gsub('^blk%.0%.', ''))
  end)
end

--- Experts and the layer beside them, each with its own norms; the layer is the last part.
function TestGgufMoreModels.test_gemma4()
  local model = read(both('gemma4', gemma4))
  unit.assertEquals(lists.map(model.layers, function(l)
    return ('%s %d %s %d'):format(l.at, l.part, l.fields.variant, l.fields.d_ff)
  end), { 'blk.0.ffn_exps.0 0 geglu_tanh 32', 'blk.0.ffn_exps.1 1 geglu_tanh 32',
    'blk.0.ffn_exps.2 2 geglu_tanh 32', 'blk.0.ffn 3 geglu_tanh 96' })
  unit.assertEquals(around_of(model.layers[1]), {
    'before RMSNorm pre_ffw_norm_2.weight', 'after RMSNorm post_ffw_norm_2.weight',
    'after RMSNorm post_ffw_norm.weight', 'after scale layer_output_scale.weight',
    'beside router ffn_gate_inp.weight', 'beside scales ffn_gate_inp.scale',
    'beside scales ffn_down_exps.scale',
  })
  unit.assertEquals(around_of(model.layers[4]), {
    'before RMSNorm ffn_norm.weight', 'after RMSNorm post_ffw_norm_1.weight',
    'after RMSNorm post_ffw_norm.weight', 'after scale layer_output_scale.weight',
  })
  support.assert_has(model.layers[1].around[5].text, 'the router takes the residual through an '
    .. 'RMSNorm without numbers of its own, divided by sqrt(embedding_length), times ffn_gate')
  unit.assertEquals(lists.map(model.left, function(left) return left.what .. left.count end),
    { 'embeddings3', 'routers3', 'norms8' })
  -- A block without experts.
  local f = gguf_file.model {
    architecture = 'gemma4', blocks = 1, d_model = 64, d_ff = 96, tensors = function(d, width)
      return lists.append(dense(d, width), norms(d, { 'ffn_norm', 'post_ffw_norm' }))
    end,
  }
  unit.assertEquals(around_of(read(f).layers[1]), { 'before RMSNorm ffn_norm.weight',
    'after RMSNorm post_ffw_norm.weight' })
  support.assert_has(read(without(both('gemma4', gemma4), 'blk.0.pre_ffw_norm_2.weight')),
    '"blk.0.pre_ffw_norm_2.weight" is missing')
  support.assert_has(read(both('gemma4', function(d)
    return lists.append(gemma4(d), { { 'ffn_up.scale', { 1 } } })
  end)), '"blk.0.ffn_up.scale": this scale changes what the weights mean')
  -- Products: the router's scale is what it takes; v is k.
  f = both('gemma4', function(d)
    return lists.append(gemma4(d), { { 'attn_q.weight', { d, d }, 'Q8_0' },
      { 'attn_k.weight', { d, 32 }, 'Q8_0' } })
  end)
  unit.assertEquals(lists.map(lists.filter(read(f, 'all').layers, function(l)
    return l.kind == 'linear'
  end), function(l) return l.at end), { 'blk.0.attn_qkv', 'blk.0.ffn_gate_inp', 'blk.0.inp_gate',
    'blk.0.proj', 'output' })
end

--- Both are added and scaled; the norm behind has two names, and a cap of logits that llama.cpp
--- does not apply is told.
function TestGgufMoreModels.test_grok()
  local function grok(name)
    return function(d) return norms(d, { 'ffn_norm', name, 'attn_output_norm' }) end
  end
  for _, name in ipairs { 'layer_output_norm', 'post_ffw_norm' } do
    local model = read(both('grok', grok(name), { { 'grok.router_logit_softcapping', 30.0 } }))
    for _, i in ipairs { 1, 4 } do
      unit.assertEquals(model.layers[i].fields.variant, 'geglu_tanh')
      unit.assertEquals({ table.unpack(around_of(model.layers[i]), 1, 3) }, {
        'before RMSNorm ffn_norm.weight', 'after sum -', 'after RMSNorm ' .. name .. '.weight' })
    end
    support.assert_has(model.layers[1].around[2].text, 'times sqrt(1 / 2)')
    local router = model.layers[1].around[4].text
    support.assert_has(router, 'divided by the sum of those chosen (in llama.cpp by 2^-14')
    support.assert_has(router, 'llama.cpp does not read grok.router_logit_softcapping 30 of this')
    support.assert_has(router, 'the model\'s own code does not divide')
  end
  support.assert_has(read(both('grok', grok 'attn_norm_2')),
    '"blk.0.layer_output_norm.weight" is missing')
  -- The first of them has no layer beside its experts.
  local first = both('grok', grok 'layer_output_norm')
  for _, name in ipairs { 'gate', 'up', 'down' } do
    without(first, ('blk.0.ffn_%s.weight'):format(name))
  end
  unit.assertEquals(around_of(read(first).layers[3])[2], 'after RMSNorm layer_output_norm.weight')
  unit.assertEquals(#read(first).layers, 3)
end

--- Blocks of linear attention, and of convolutions: what they hold is the host's, and --also all
--- takes their matrices.
function TestGgufMoreModels.test_beside_attention()
  local f = gguf_file.model {
    architecture = 'qwen35', blocks = 2, d_model = 64, d_ff = 96,
    keys = { { 'qwen35.full_attention_interval', 2 }, { 'qwen35.attention.head_count', 4 },
      { 'qwen35.ssm.state_size', 16 } },
    tensors = function(d, width, block)
      local list = lists.append(dense(d, width), norms(d, { 'post_attention_norm' }))
      return lists.append(list, block == 0 and {
        { 'attn_qkv.weight', { d, 128 }, 'Q8_0' }, { 'attn_gate.weight', { d, 64 }, 'Q8_0' },
        { 'ssm_conv1d.weight', { 4, 128 } }, { 'ssm_a', { 4 } }, { 'ssm_dt.bias', { 4 } },
        { 'ssm_out.weight', { 64, d }, 'Q8_0' }, { 'ssm_norm.weight', { 16 } },
      } or {
        { 'attn_q.weight', { d, 128 }, 'Q8_0' }, { 'attn_k.weight', { d, 32 }, 'Q8_0' },
        { 'attn_v.weight', { d, 32 }, 'Q8_0' },
      })
    end,
  }
  local found = read(f, 'all')
  unit.assertEquals(lists.map(found.layers, function(l) return l.at end), { 'blk.0.ffn',
    'blk.0.attn_qkv', 'blk.0.attn_gate', 'blk.0.ssm_out', 'blk.1.ffn', 'blk.1.attn_qkv',
    'output' })
  unit.assertEquals(found.layers[1].around[1].tensor, 'blk.0.post_attention_norm.weight')
  local texts = lists.map(found.layers[6].because, function(b) return b.text end)
  support.assert_has(table.concat(texts, '; '), 'rows of q: for each head q, then its gate')
  f = gguf_file.model {
    architecture = 'lfm2', blocks = 1, d_model = 64, d_ff = 96, tensors = function(d, width)
      return lists.append(lists.append(dense(d, width), norms(d, { 'ffn_norm' })), {
        { 'shortconv.conv.weight', { 3, d } }, { 'shortconv.in_proj.weight', { d, 3 * d } },
        { 'shortconv.out_proj.weight', { d, d } },
      })
    end,
  }
  unit.assertEquals(lists.map(read(f).left, function(left) return left.what .. left.count end),
    { 'embeddings1', 'norms2', 'convolutions3' })
  -- Of an architecture without them they are refused.
  f.keys[1][2] = 'llama'
  for _, key in ipairs(f.keys) do key[1] = key[1]:gsub('^lfm2', 'llama') end
  support.assert_has(read(f), '"blk.0.shortconv.conv.weight": no rule of "llama"')
end

--- gate and up of two types are refused; --decode makes f32 of both, and leaves what has one type.
function TestGgufMoreModels.test_decode()
  local f = gguf_file.typed { { 'Q8_0', 'Q8_0' }, { 'Q8_0', 'Q8_0' } }
  for _, t in ipairs(f.tensors) do
    if t.name == 'blk.1.ffn_up.weight' then t.type = 'Q4_0' end
  end
  support.assert_has(read(f), '"blk.1.ffn_gate.weight" is stored as q8_0 and "blk.1.ffn_up.weight" '
    .. 'as q4_0, and gate and up have one format: add --decode, which makes f32 of both')
  local layers = read(f, nil, { decode = true }).layers
  local function told(layer)
    return lists.map(layer.matrices, function(m)
      return ('%s %s %s'):format(m.role, m.weight.encoding, m.weight.format)
    end)
  end
  unit.assertEquals(told(layers[1]), { 'gate q8_0 q8_0', 'up q8_0 q8_0', 'down q8_0 q8_0' })
  unit.assertEquals(told(layers[2]), { 'gate q8_0 f32', 'up q4_0 f32', 'down q8_0 q8_0' })
  support.assert_has(layers[2].because[#layers[2].because].text,
    'gate is q8_0 and up is q4_0: both are decoded to f32, each number rounded once (--decode)')
end

--- An architecture without a rule, by the user's word: the report says whose word it is.
function TestGgufMoreModels.test_by_word()
  local function unheard(tensors, keys)
    return gguf_file.model { architecture = 'unheard', blocks = 1, d_model = 64, d_ff = 96,
      tensors = tensors or gguf_file.gated, keys = keys }
  end
  support.assert_has(read(unheard()), '; if you know what they are, add --variant swiglu, or ')
  local model = read(unheard(), nil, { variant = 'geglu' })
  unit.assertEquals(model.about[2], 'GGUF 3, architecture unheard: ffngen has no rule for it, and '
    .. '--variant says what its layers are')
  local layer = model.layers[1]
  unit.assertEquals({ layer.fields.variant, layer.fields.bias, #layer.around },
    { 'geglu', false, 1 })
  support.assert_has(layer.because[1].text, '--variant says what its layers are')
  support.assert_has(layer.around[1].text, 'no rule tells what lies around this layer')
  unit.assertEquals(read(unheard(dense), nil, { variant = 'swiglu,gelu' }).layers[1].fields.variant,
    'swiglu')
  local function plain(d, f) return { table.unpack(dense(d, f), 2) } end
  unit.assertEquals(read(unheard(plain), nil, { variant = 'swiglu,gelu' }).layers[1].fields.variant,
    'gelu')
  unit.assertEquals(read(unheard(plain), nil, { variant = 'relu2' }).layers[1].fields.variant,
    'relu2')
  -- Experts: what a router does nobody tells.
  local mixture = gguf_file.mixture { architecture = 'unheard', blocks = 1, shared = 64, keys = {
    { 'unheard.expert_shared_feed_forward_length', 64 } } }
  local layers = read(mixture, nil, { variant = 'swiglu' }).layers
  unit.assertEquals(#layers, 4)
  unit.assertEquals(layers[1].around[2].text, 'which 2 of 3 experts a token passes, and what is '
    .. 'made of what they give, are computed by the host: no rule tells how; the file says '
    .. 'unheard.expert_weights_scale 2.5')
  unit.assertEquals(around_of(layers[4]), { 'beside rest of the block -', 'beside experts -' })
  support.assert_has(layers[4].around[2].text, 'no rule tells how what they give')
  -- What may be the layer's is refused as ever, and so is what the word does not fit.
  local function refused(reason, f, variant)
    support.assert_has(read(f, nil, { variant = variant or 'swiglu' }), reason)
  end
  refused('"blk.0.ffn_sub_norm.weight": no rule of "unheard" reads this tensor', unheard(
    function(d, f) return lists.append(dense(d, f), norms(f, { 'ffn_sub_norm' })) end))
  refused('key "unheard.swiglu_limit": no rule of "unheard" reads this key', unheard(dense,
    { { 'unheard.swiglu_limit', 7.0 } }))
  refused('tensor "blk.0.ffn_gate.weight" is missing', unheard(plain))
  refused('"blk.0.ffn_gate.weight": no rule of "unheard" reads', unheard(dense), 'gelu')
  refused('unknown variant "swoglu" (did you mean "swiglu"?)', unheard(dense), 'swoglu')
  local hostile = unheard(dense)
  hostile.keys[1][2] = 'x\nos.exit()'
  refused('which is no name of an architecture', hostile)
  local known = unheard(dense)
  known.keys[1][2] = 'gemma3n'
  refused('which is not taken: its activations are made sparse', known)
end
