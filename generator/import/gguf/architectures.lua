--- What the feed-forward layers of a GGUF architecture compute: a rule each, since a file says no
--- more than the architecture's name. The structure is what llama.cpp builds, in the source file
--- that a rule names; the activation is the model's own. Where llama.cpp has another form of it,
--- the tanh GELU in place of the exact one, the rule says so, too.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class GgufRule
---@field name string          general.architecture
---@field activation string    of activation/
---@field gated boolean|string 'fused': ffn_up has the rows of gate, then those of up; 'either':
--- where a file has ffn_gate
---@field plain string|false   of 'either': the activation without a gate
---@field bias string          'none', 'all', or 'either': all or none, as the file has it
---@field around RuleAround[]  what the host does around the layer
---@field residual string|false the key that the output is multiplied by before it is added
---@field residual_else string|false  what that is where there is no such key
---@field parallel string|false  the key that tells whether attention and the layer take the same
---@field experts boolean|string  blocks may be mixtures of experts, too; 'only': all are
---@field router GgufRouter|false  what chooses among them, where there may be some
---@field beside { dense: RuleAround[], experts: RuleAround[] }|false  a block with experts may have
--- a layer beside, which every token passes: what the host does around it, and around an expert
---@field scales string[][]    { stem, text } of scales beside a matrix that are the host's
---@field hosts string[][]     { how stems of blocks begin, what they are } of parts that only this
--- architecture has: whole stems, but for those that end in _ or in a full stop
---@field q_rows string|false  what else there is to say of the rows of q
---@field v_is_k boolean      attention without attn_v takes k for v
---@field stacks string[]      what names of blocks begin with
---@field is_by_word boolean  there is none, and --variant says what layers are
---@field rope string|false    which numbers of a head of q, k rope turns together: 'adjacent' ones,
--- those of two 'halves', or 'none'; false: nothing tells
---@field head boolean         logits are computed, from token_embd where there is no output
---@field source string        where the structure is read
---@field own string|false     where the activation is, if llama.cpp has another
---@field computed string|false  which other one
---@field unsure string|false  why a user has to choose between both

--- What llama.cpp computes of a block's router: build_moe_ffn of its src/llama-graph.cpp, with what
--- the architecture's own file hands over.
---@class GgufRouter
---@field gating string|false 'softmax', 'sigmoid', 'softmax of those chosen'; false: nothing tells
---@field gating_key boolean  expert_gating_func says another one
---@field norm boolean        weights are divided by their sum
---@field norm_key boolean    expert_weights_norm says it
---@field scale_key boolean   expert_weights_scale multiplies them
---@field own string|false    what the model's own code has in its place
---@field takes string|false  what it takes, where that is not the layer's input

---@class RuleAround
---@field place string
---@field what string
---@field tensor string|false   a stem in the block: blk.N.STEM.weight
---@field other string|false    another name of it
---@field is_optional boolean  text tells of blocks that have none
---@field is_silent boolean    of blocks that have none there is nothing to tell
---@field text string

local function norm(place, what, tensor, text)
  return {
    place = place, what = what, tensor = tensor, other = false, is_optional = false,
    is_silent = false, text = text or '',
  }
end

--- With another field.
local function with(entry, field, value)
  entry[field] = value
  return entry
end

local rms = { norm('before', 'RMSNorm', 'ffn_norm') }
local layer_norm = { norm('before', 'LayerNorm', 'ffn_norm') }
local after_attention = { norm('before', 'RMSNorm', 'post_attention_norm') }
local post = norm('after', 'RMSNorm', 'post_ffw_norm', 'before the residual is added')
local both = { rms[1], post }
local parallel = 'attention takes the same, and both are added to the residual'
local beside_attention = { norm('before', 'LayerNorm', 'attn_norm', parallel) }
local added_with_attention = 'what attention gives and this are both added to the residual'
local bert = {
  norm('before', 'LayerNorm', 'attn_output_norm', 'of attention and its residual'),
  norm('after', 'LayerNorm', 'layer_output_norm', 'behind the residual'),
}

--- A router: divided by the sum or not, both without a key.
local function softmax(divides, own)
  return { gating = 'softmax', gating_key = false, norm = divides, norm_key = false,
    scale_key = false, own = own or false, takes = false }
end

--- One that keys tell, and what stands for a gating that is not told.
local function by_keys(gating, divides)
  return { gating = gating, gating_key = true, norm = divides or false, norm_key = divides == nil,
    scale_key = true, own = false, takes = false }
end

local schema = record.schema {
  router = { 'table', false }, beside = { 'table', false }, scales = { 'table', {} },
  hosts = { 'table', {} }, q_rows = { 'string', false },
  v_is_k = { 'boolean', false }, activation = { 'string', 'silu' },
  gated = { 'any', true, one_of = { false, 'fused', 'either' } }, plain = { 'string', false },
  bias = { 'any', 'none', one_of = { 'all', 'either' } }, around = { 'table', rms },
  residual = { 'string', false }, residual_else = { 'string', false },
  parallel = { 'string', false }, experts = { 'any', false, one_of = { true, 'only' } },
  stacks = { 'table', { '' } }, own = { 'string', false }, computed = { 'string', false },
  unsure = { 'string', false },
}

M.of, M.names = {}, {}

--- What rope turns together: NORM, NEOX with its kin of several positions, and NONE of
--- llama_model_rope_type of src/llama-model.cpp of llama.cpp; of bert and starcoder, which have
--- learned positions, by the file of the architecture. Converters have permuted the rows of q and k
--- of most of the first ones, whose own code turns halves.
local ropes = {
  adjacent = {
    'llama', 'mistral3', 'deci', 'internlm2', 'baichuan', 'xverse', 'smollm3', 'ernie4_5', 'llada',
    'olmo', 'command-r', 'cohere2', 'granite', 'granitemoe', 'minicpm', 'chatglm', 'glm4',
    'deepseek', 'deepseek2', 'ernie4_5-moe', 'arcee', 'plm',
  },
  halves = {
    'qwen', 'qwen2', 'qwen2vl', 'qwen3', 'qwen3vl', 'exaone', 'openelm', 'hunyuan-dense', 'dream',
    'eurobert', 'orion', 'seed_oss', 'exaone4', 'olmo2', 'stablelm', 'plamo', 'nomic-bert',
    'minicpm3', 'phi3', 'qwen2moe', 'qwen3moe', 'qwen3vlmoe', 'minimax-m2', 'olmoe', 'dots1',
    'hunyuan-moe', 'phimoe', 'glm4moe', 'gpt-oss', 'gemma', 'gemma2', 'gemma3', 'gemma-embedding',
    'starcoder2', 'codeshell', 'phi2', 'jina-bert-v3', 'modern-bert', 'gptneox', 'falcon',
    'nemotron', 'qwen3next', 'qwen35', 'qwen35moe', 'gemma4', 'lfm2', 'lfm2moe', 'grok',
  },
  none = { 'refact', 'jais', 'gpt2', 'starcoder', 'bloom', 't5', 't5encoder', 'bert', 'mpt' },
}

local rope_of = {}
for _, rope in ipairs { 'adjacent', 'halves', 'none' } do
  for _, name in ipairs(ropes[rope]) do rope_of[name] = rope end
end

--- Models that give vectors in place of logits: llama.cpp builds no head of theirs.
local headless = lists.set {
  'bert', 'nomic-bert', 'jina-bert-v3', 'modern-bert', 'eurobert', 'gemma-embedding', 't5encoder',
}

--- The rule of an architecture that has none: --variant says what its layers are. Nothing tells
--- what lies around them, what a router does, and which numbers rope turns.
---@param name string
---@param given table  activation, gated, plain
---@return GgufRule
function M.by_word(name, given)
  local rule = schema:read(given, 'rule of ' .. name)
  rule.name, rule.rope, rule.head, rule.is_by_word = name, false, false, true
  rule.source = 'ffngen has no rule for it, and --variant says what its layers are'
  rule.bias, rule.experts, rule.router = 'either', true, by_keys(false)
  rule.around = { norm('beside', 'rest of the block', false, 'no rule tells what lies around this '
    .. 'layer: norms, residuals, multipliers') }
  rule.hosts = { { 'ffn_norm', 'norms' }, { 'post_ffw_norm', 'norms' },
    { 'layer_output_norm', 'norms' }, { 'ssm_', 'attention' } }
  return record.strict('rule of GGUF', rule)
end

--- Adds an architecture's rule: what differs from a SwiGLU without biases behind an RMSNorm.
---@param source string  the file of llama.cpp that builds it
local function add(name, source, given)
  local rule = schema:read(given, 'rule of ' .. name)
  rule.name, rule.source = name, ('src/models/%s.cpp of llama.cpp'):format(source)
  rule.rope, rule.head = assert(rope_of[name], name), not headless[name]
  rule.is_by_word = false
  assert((rule.router ~= false) == (rule.experts ~= false), name)
  M.of[name], M.names[#M.names + 1] = record.strict('rule of GGUF', rule), name
end

-- SwiGLU.
add('llama', 'llama', { bias = 'either', experts = true, router = softmax(true) })
add('mistral3', 'mistral3', { bias = 'either', experts = true, router = softmax(true) })
add('deci', 'deci', { bias = 'either' })
add('qwen', 'qwen', {})
add('qwen2', 'qwen2', {})
add('qwen2vl', 'qwen2vl', {})
add('qwen3', 'qwen3', {})
add('qwen3vl', 'qwen3vl', {})
add('internlm2', 'internlm2', {})
add('baichuan', 'baichuan', {})
add('xverse', 'xverse', {})
add('refact', 'refact', {})
add('exaone', 'exaone', {})
add('openelm', 'openelm', {})
add('smollm3', 'smollm3', {})
add('ernie4_5', 'ernie4-5', {})
add('hunyuan-dense', 'hunyuan-dense', {})
add('dream', 'dream', {})
add('llada', 'llada', {})
add('eurobert', 'eurobert', {})
add('orion', 'orion', { around = layer_norm })
add('jais', 'jais', { around = layer_norm, bias = 'all' })
add('seed_oss', 'seed-oss', { around = after_attention })
add('exaone4', 'exaone4', { around = { post } })
add('olmo2', 'olmo2', { around = { post } })
add('olmo', 'olmo', {
  around = { norm('before', 'LayerNorm', false, 'without numbers of its own') },
})
add('stablelm', 'stablelm', {
  around = { with(norm('before', 'LayerNorm', 'ffn_norm',
    'where there is none, attention\'s input: attn_norm of the block'), 'is_optional', true) },
})
add('command-r', 'command-r', { around = beside_attention })
add('cohere2', 'cohere2', { around = beside_attention })
add('plamo', 'plamo', { around = { norm('before', 'RMSNorm', 'attn_norm', parallel) } })
add('nomic-bert', 'bert', { around = bert })
add('granite', 'granite', { bias = 'either', residual = 'residual_scale' })
add('granitemoe', 'granite', {
  experts = 'only', router = softmax(true), residual = 'residual_scale',
})
add('minicpm', 'granite', {
  bias = 'either', residual = 'residual_scale', residual_else = '1.4 / sqrt(block_count)',
})
add('minicpm3', 'minicpm3', { residual_else = '1.4 / sqrt(block_count)' })


-- Beside linear attention, or a short convolution.
local linear = { { 'ssm_', 'attention' } }
local gated_q = 'rows of q: for each head q, then its gate'
local convolution = { { 'shortconv.', 'convolutions' } }
add('qwen35', 'qwen35', { around = after_attention, hosts = linear, q_rows = gated_q })
for _, name in ipairs { 'qwen3next', 'qwen35moe' } do
  add(name, name, {
    experts = 'only', around = after_attention, router = softmax(true), hosts = linear,
    q_rows = gated_q,
  })
end
add('lfm2', 'lfm2', { hosts = convolution })
add('lfm2moe', 'lfm2', {
  experts = true, router = with(by_keys('sigmoid', true), 'scale_key', false),
  hosts = convolution,
})

-- The same with gate and up in one matrix.
add('phi3', 'phi3', { gated = 'fused' })
add('chatglm', 'chatglm', { gated = 'fused' })
add('glm4', 'glm4', { gated = 'fused', around = both })

-- Mixtures of experts, with blocks among them that have none.
add('qwen2moe', 'qwen2moe', { experts = 'only', router = softmax(false) })
add('qwen3moe', 'qwen3moe', { experts = 'only', router = softmax(true) })
add('qwen3vlmoe', 'qwen3vl-moe', { experts = 'only', router = softmax(true) })
add('minimax-m2', 'minimax-m2', {
  experts = 'only', router = with(by_keys('sigmoid', true), 'scale_key', false),
})
add('olmoe', 'olmoe', { experts = 'only', router = softmax(false) })
add('deepseek', 'deepseek', {
  experts = true, router = with(softmax(false), 'scale_key', true),
})
add('deepseek2', 'deepseek2', { experts = true, router = by_keys 'softmax' })
add('dots1', 'dots1', { experts = true, router = by_keys 'sigmoid' })
add('ernie4_5-moe', 'ernie4-5-moe', { experts = true, router = softmax(true) })
add('hunyuan-moe', 'hunyuan-moe', { experts = 'only', router = softmax(true) })
add('phimoe', 'phi3', {
  experts = 'only', around = layer_norm,
  router = softmax(true, 'the model\'s own code chooses one after the other and weights each among '
    .. 'those near it (transformers: models/phimoe/modeling_phimoe.py, sparsemixer)'),
})
add('glm4moe', 'glm4-moe', {
  experts = true, around = after_attention, router = by_keys 'sigmoid',
})
add('gpt-oss', 'openai-moe', {
  activation = 'clamped_swiglu', experts = 'only', bias = 'all', around = after_attention,
  router = with(softmax(false), 'gating', 'softmax of those chosen'),
})

-- GELU, by tanh in the models, too.
add('gemma', 'gemma', { activation = 'gelu_tanh' })
add('gemma2', 'gemma2', { activation = 'gelu_tanh', around = both })
add('gemma3', 'gemma3', { activation = 'gelu_tanh', around = both })
add('gemma-embedding', 'gemma-embedding', { activation = 'gelu_tanh', around = both })

-- Experts beside a layer that every token passes, both with a GELU gate.
local gemma4_last = {
  with(norm('after', 'scale', 'layer_output_scale', 'this number multiplies what the block gives, '
    .. 'the residual and per-layer embeddings included'), 'is_silent', true),
}
local function gemma4_around(before, after, text)
  return { norm('before', 'RMSNorm', before), norm('after', 'RMSNorm', after, text), post,
    gemma4_last[1] }
end
add('gemma4', 'gemma4', {
  activation = 'gelu_tanh', around = { rms[1], post, gemma4_last[1] }, experts = true,
  beside = {
    dense = gemma4_around('ffn_norm', 'post_ffw_norm_1', 'then what the experts give is added'),
    experts = gemma4_around('pre_ffw_norm_2', 'post_ffw_norm_2', 'of the sum of the experts; then '
      .. 'what the layer beside them gives is added'),
  },
  router = with(softmax(true), 'takes', 'the residual through an RMSNorm without numbers of its '
    .. 'own, divided by sqrt(embedding_length), times ffn_gate_inp.scale'),
  scales = {
    { 'ffn_gate_inp', 'multiplies what the router takes' },
    { 'ffn_down_exps', 'what an expert gives is multiplied by its number here, too' },
  },
  hosts = { { 'inp_gate', 'embeddings' }, { 'proj', 'embeddings' }, { 'post_norm', 'norms' } },
  v_is_k = true,
})
local grok_last = with(norm('after', 'RMSNorm', 'layer_output_norm', 'before the residual is '
  .. 'added'), 'other', 'post_ffw_norm')
local both_of_grok = 'what experts give and what the layer beside them gives are added, times '
  .. 'sqrt(1 / 2), before the norm'
add('grok', 'grok', {
  activation = 'gelu_tanh', around = { rms[1], grok_last }, experts = true,
  beside = {
    dense = { rms[1], norm('after', 'sum', false, both_of_grok), grok_last },
    experts = { rms[1], norm('after', 'sum', false, both_of_grok), grok_last },
  },
  router = softmax(true, 'the model\'s own code does not divide (xai-org/grok-1: model.py, '
    .. 'MoELayer)'),
})

for _, name in ipairs { 'gpt2', 'starcoder', 'starcoder2', 'codeshell', 'bloom' } do
  add(name, name, {
    activation = 'gelu_tanh', gated = false, bias = 'all', around = layer_norm,
  })
end
add('phi2', 'phi2', {
  activation = 'gelu_tanh', gated = false, bias = 'all', around = beside_attention,
})
add('t5', 't5', {
  activation = 'gelu_tanh', gated = 'either', plain = 'relu', stacks = { 'enc.', 'dec.' },
})
add('t5encoder', 't5', {
  activation = 'gelu_tanh', gated = 'either', plain = 'relu', stacks = { 'enc.' },
})

-- GELU, exact in the models.
local function exact(name, source, given)
  given.activation, given.computed = 'gelu', 'gelu_tanh'
  add(name, source, given)
end
exact('bert', 'bert', {
  gated = false, bias = 'all', around = bert,
  own = 'hidden_act of google-research/bert and of transformers\' BertConfig is gelu',
})
exact('jina-bert-v3', 'bert', {
  gated = false, bias = 'all', around = bert,
  own = 'hidden_act of jinaai/xlm-roberta-flash-implementation is gelu',
})
exact('modern-bert', 'modern-bert', {
  gated = 'fused', around = layer_norm,
  own = 'hidden_activation of transformers\' ModernBertConfig is gelu',
})
exact('gptneox', 'gptneox', {
  gated = false, bias = 'all', around = layer_norm, parallel = 'use_parallel_residual',
  own = 'hidden_act of transformers\' GPTNeoXConfig is gelu',
  unsure = 'hidden_act of Pythia and most others is gelu, that of GPT-NeoX-20B gelu_fast, which is '
    .. 'gelu_tanh',
})
exact('falcon', 'falcon', {
  gated = false, around = { norm('before', 'LayerNorm', 'attn_norm', added_with_attention) },
  own = 'activation of transformers\' FalconConfig is gelu',
})
exact('mpt', 'mpt', {
  gated = false, bias = 'either', around = layer_norm,
  own = 'MptMLP of transformers\' modeling_mpt.py is nn.GELU(approximate="none")',
})

-- ReLU squared.
add('nemotron', 'nemotron', {
  activation = 'relu2', gated = false, bias = 'either', around = layer_norm,
})
add('arcee', 'arcee', { activation = 'relu2', gated = false })
add('plm', 'plm', { activation = 'relu2', gated = false })

--- Architectures that are known to be something else, and what.
M.refused = {
  apertus = 'its xIELU has learned numbers in keys of the file',
  bitnet = 'it has a norm between the activation and ffn_down, ffn_sub_norm',
  clip = 'it is a projector of images or sound beside a model, and none itself',
  gemma3n = 'its activations are made sparse by their mean and deviation',
  gptj = 'llama.cpp builds no such model',
  ['jina-bert-v2'] = 'it has a bias behind ffn_down and none behind ffn_up',
  llama4 = 'its experts\' inputs are weighted by the router, not their outputs',
  ['nomic-bert-moe'] = 'its experts have biases that all of them share',
}

return M
