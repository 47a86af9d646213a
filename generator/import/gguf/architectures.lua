--- What the feed-forward layers of a GGUF architecture compute, since a file says no more than the
--- architecture's name. An entry of families/ lists the architectures that are made like its
--- models: what it says of those holds of these, but for what stands behind a name in its list. The
--- structure is what llama.cpp builds, in the source file that a rule names; the activation is the
--- model's own. Where llama.cpp has another form of it, the tanh GELU in place of the exact one,
--- the rule says so, too.
local activation_names = require 'import.activations'
local families = require 'import.families'
local family = require 'import.family'
local norms = require 'import.gguf.norms'
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

local router_schema = record.schema {
  gating = { 'any', false, one_of = { 'softmax', 'sigmoid', 'softmax of those chosen' } },
  gating_key = { 'boolean', false }, norm = { 'boolean', false }, norm_key = { 'boolean', false },
  scale_key = { 'boolean', false }, own = { 'string', false }, takes = { 'string', false },
}

local schema = record.schema {
  name = 'string', source = 'string',
  rope = { 'any', false, one_of = { 'adjacent', 'halves', 'none' } },
  router = { 'table', false }, beside = { 'table', false }, scales = { 'table', {} },
  hosts = { 'table', {} }, q_rows = { 'string', false }, v_is_k = { 'boolean', false },
  activation = 'string', computed = { 'string', false }, own = { 'string', false },
  unsure = { 'string', false },
  gated = { 'any', one_of = { true, false, 'fused', 'either' } }, plain = { 'string', false },
  bias = { 'any', one_of = { 'none', 'all', 'either' } }, around = 'table',
  residual = { 'string', false }, residual_else = { 'string', false },
  parallel = { 'string', false }, experts = { 'any', false, one_of = { true, 'only' } },
  stacks = { 'table', { '' } }, head = { 'boolean', true }, is_by_word = { 'boolean', false },
}

--- Names and rules of architectures, and why others are known to be something else.
M.of, M.names, M.refused = {}, {}, {}

-- What a family says ------------------------------------------------------------------------------

--- The activation that its models have: where every one says its own, what most of them say.
---@param of FamilyRule
local function activation_of(of, gated)
  local told = of.activation
  local name = told.implied or told.default
  return told.own or name and activation_names.by_name[name].is or gated and 'silu' or 'gelu_tanh'
end

---@param of FamilyRule
local function gated_of(of)
  if of.names_plain then return 'either' end
  return of.names.fused and 'fused' or of.gated
end

--- Blocks have experts, or some have: where a config counts those in front that have none.
local function experts_of(experts)
  return experts and ((experts.dense.first or experts.dense.every) and true or 'only')
end

--- What its router does where the file has no key that says it.
---@param router RouterRule
local function router_of(router)
  local of = router.normalise
  return {
    gating = router.score, gating_key = router.score == 'sigmoid',
    norm = type(of) == 'table' and of.default or of == true,
  }
end

-- Rules -------------------------------------------------------------------------------------------

--- The rule that some fields make.
---@return GgufRule
local function rule_of(fields)
  if fields.router then fields.router = router_schema:read(fields.router, 'router') end
  return record.strict('rule of GGUF', schema:read(fields, 'rule of ' .. fields.name))
end

--- The rule of an architecture that has none: --variant says what its layers are. Nothing tells
--- what lies around them, what a router does, and which numbers rope turns.
---@param name string
---@param given table  activation, gated, plain
---@return GgufRule
function M.by_word(name, given)
  return rule_of(family.with(given, {
    name = name, head = false, is_by_word = true,
    source = 'ffngen has no rule for it, and --variant says what its layers are',
    bias = 'either', experts = true,
    router = { gating_key = true, norm_key = true, scale_key = true },
    around = { norms.one { 'beside', 'rest of the block', false, 'no rule tells what lies '
      .. 'around this layer: norms, residuals, multipliers' } },
    hosts = { { 'ffn_norm', 'norms' }, { 'post_ffw_norm', 'norms' },
      { 'layer_output_norm', 'norms' }, { 'ssm_', 'attention' } },
  }))
end

--- What a family says of an architecture whose list has nothing else.
---@param of FamilyRule
local function like_family(of)
  local has_bias = of.bias == true or of.experts and of.experts.bias
  return {
    gated = gated_of(of), bias = has_bias and 'all' or 'none', experts = experts_of(of.experts),
    router = of.experts and router_of(of.experts.router),
  }
end

--- Adds an architecture: { name, which numbers rope turns, what is other than in its family }.
--- `around` may be the stem of the norm in front, `source` is the file of llama.cpp that builds it,
--- where that has another name.
---@param of FamilyRule
local function add(of, given)
  local name = given[1]
  if given.refused then
    M.refused[name] = given.refused
    return
  end
  local fields = like_family(of)
  local router = given.router and family.with(fields.router or {}, given.router) or fields.router
  fields = family.with(fields, given)
  fields[1], fields[2] = nil, nil
  fields.name, fields.rope = name, assert(given[2], name)
  fields.source = ('src/models/%s.cpp of llama.cpp'):format(given.source or name)
  fields.router = fields.experts and router
  fields.activation = fields.activation or activation_of(of, fields.gated)
  fields.computed = fields.activation == 'gelu' and 'gelu_tanh' or false
  fields.around = norms.of(of, given.around)
  fields.beside = given.beside and {
    dense = norms.of(of, given.beside.dense), experts = norms.of(of, given.beside.experts),
  }
  M.of[name] = rule_of(fields)
end

for _, rule in ipairs(families.rules) do
  for _, given in ipairs(rule.gguf) do add(rule, given) end
end
M.names = record.sorted_keys(M.of)

return M
