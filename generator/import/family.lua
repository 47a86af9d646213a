--- What a rule of a family says: the record of an entry of families/, with what it may leave out.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- A choice of keys of a config.json: the first that is there, and not null, tells.
---@class KeyRule
---@field keys string[]
---@field times integer[]|nil  of a size that no key tells: so many times d_model
---@field width (fun(config: Config, d_model: integer|nil): integer, string)|nil  what this family
---  makes of the keys, and why

---@class ActivationRule
---@field keys string[]
---@field default string|nil   what the origin's own config class takes
---@field implied string|nil   no key tells it: what the origin's code computes
---@field told (fun(config: Config, keys: string[]): string|nil, string|nil, string|nil)|nil  what
---  this family's code reads: a name, its key, and what it makes of it where that is another one
---@field forms table<string, any[]>|nil  values that tell an activation and whether it has a gate
---@field own string|nil       'clamped_swiglu': the origin computes that whatever the key says

---@class BiasRule
---@field keys string[]
---@field default boolean|nil
---@field negated boolean|nil  true says that there is none

--- Names of modules, behind `layers.N.`; of tensors where `bare`. {expert} stands for a number.
---@class NameRule
---@field gate string|nil
---@field up string|nil
---@field down string
---@field fused string|nil     gate and up in one matrix
---@field order string|nil     'gate first', 'interleaved'
---@field in_out boolean|string|nil  matrices are [in][out]; 'by shape': of experts in one tensor,
---  where down is so
---@field stacked boolean|nil  all experts in one tensor, [expert] first
---@field bare boolean|nil     names of tensors, without .weight; a bias is NAME_bias

--- Layers that are numbered under a name.
---@class StackRule
---@field at string[]          names that files have for it, one of them in each file
---@field count string[]      how many layers
---@field count_default string[]|nil  where these keys tell nothing
---@field nested string|nil    the key of the part of the config that tells its sizes
---@field optional boolean|nil  a file without it is whole
---@field names NameRule|nil   where the rule's are not its
---@field around table[]|nil
---@field beside string[]|nil

---@class ExpertRule
---@field count string[]
---@field used string[]
---@field d_ff KeyRule
---@field forms NameRule[]     one of which a file has
---@field bias boolean
---@field router_at string[]   the router's module, one of which a file has
---@field dense table          which layers have none: { none = true }, { first = key }, { step =
---  key, listed = key }, { every = key, listed = key }, { types = key, leading = n }: a list of
---  dense and sparse, else so many dense ones in front, or as many as `first` says;
---  { every = key, from = key, from_default = n, to = key }: those with experts
---@field shared SharedRule|nil  an expert that every token passes
---@field shared_gate string|nil  the module whose sigmoid what that gives is multiplied by
---@field router RouterRule    what its class computes
---@field text string|nil      what else the host does

--- An expert that every token passes.
---@class SharedRule
---@field keys string[]         its width
---@field times string|nil      the key of how many times that
---@field default integer|nil   how many where no key tells
---@field at string             its module
---@field names NameRule|nil    its matrices where they are not gate_proj, up_proj and down_proj

--- What names and shapes do not tell of attention.
---@class AttentionRule
---@field in_out boolean|nil    its matrices are [in][out]
---@field fused FusedRule[]|nil  the first that holds tells
---@field shares boolean|nil    layers may have no k and v, or no v
---@field rows table<string, string>|nil  by role: an order of rows that is worth a word

--- q, k and v in one matrix.
---@class FusedRule
---@field name string           of the module, its last part
---@field is_cross boolean|nil
---@field rows string[]|string  { 'q', 'k', 'v' }: one after the other; or their order in words
---@field equal boolean|nil     each has d_model rows, whatever keys of heads say
---@field one_kv boolean|nil    one head of k and v, whatever the keys say
---@field when table[]|nil      { key, is, default }, all of which hold

--- The product in front of the logits.
---@class HeadRule
---@field tied boolean|nil      it is the embedding where no key tells and no tensor is there
---@field at string|nil         its name where that is not lm_head
---@field bias string|nil       the tensor of its bias, where that is not AT.bias

---@class FamilyRule
---@field name string          of its file
---@field model_types string[]
---@field classes string[]     what names of architectures begin with
---@field source string        where it is written down
---@field needs string|false   of two rules of a model_type: the key that this one's files have
---@field where table|false    of two rules of a model_type: { key, is, default } that holds of
---  this one's files
---@field nested string|false  the key of the part of the config that is the text model's
---@field nested_types string[]  and what that may call itself
---@field stacks StackRule[]
---@field d_model KeyRule
---@field d_ff KeyRule
---@field widths (fun(config: Config, d_ff: integer, because: string, layers: integer[]): table[])
---  |false  of a family whose layers differ: { d_ff, because, layers } of those that are alike
---@field activation ActivationRule
---@field gated boolean
---@field bias boolean|BiasRule|table<string, boolean|BiasRule>
---@field names NameRule
---@field names_plain NameRule|false  where forms of `activation` tell that there is no gate
---@field around table[]       { place, what, tensor, text, when = { key, is, default } }
---@field beside string[]      modules of a layer that are not the feed-forward layer's
---@field known string[]       keys of this family that do not touch it
---@field must table[]         { key, is, default, why }: what else would be another function
---@field experts ExpertRule|false
---@field attention AttentionRule|false
---@field head HeadRule|false
---@field refused string|false  why no layer of this family is imported
---@field gguf table[]         architectures of GGUF that are made like these models:
---  gguf/architectures.lua says what a name's list may have
---@field beyond string|false  the key of how many layers more a file may have, which are left

local schema = record.schema {
  model_types = 'table', source = { 'string', false }, code = { 'string', false },
  classes = { 'table', {} }, needs = { 'string', false }, where = { 'table', false },
  nested = { 'string', false }, nested_types = { 'table', {} }, widths = { 'function', false },
  gated = { 'boolean', false }, bias = { 'any', false }, names_plain = { 'table', false },
  around = { 'table', {} }, beside = { 'table', {} }, known = { 'table', {} },
  must = { 'table', {} }, experts = { 'table', false }, refused = { 'string', false },
  attention = { 'table', false }, head = { 'table', false }, gguf = { 'table', {} },
  beyond = { 'string', false }, stacks = { 'table', {} }, d_model = { 'table', {} },
  d_ff = { 'table', {} }, activation = { 'table', {} }, names = { 'table', {} },
}

--- Where it is written down: without a source in the file of transformers that has the model's
--- name, in these classes.
local function source_of(rule)
  local model_type = rule.model_types[1]
  return ('transformers: models/%s/modeling_%s.py, %s'):format(model_type, model_type,
    rule.code or rule.classes[1] .. 'MLP')
end

--- The record of an entry.
---@return FamilyRule
function M.rule(name, given)
  local kind = 'family ' .. name
  local rule = schema:read(given, kind)
  rule.name, rule.source, rule.code = name, rule.source or source_of(rule), nil
  return record.strict(kind, rule)
end

--- A record with other fields.
function M.with(rule, fields)
  local result = record.fields(rule)
  for _, field in ipairs(record.sorted_keys(fields)) do result[field] = fields[field] end
  return result
end

--- A rule like another one, but for some fields; `beside` and `known` are added to.
function M.like(rule, fields)
  local result = M.with(rule, fields)
  for _, field in ipairs { 'beside', 'known' } do
    if rule[field] and fields[field] then
      result[field] = lists.append(lists.append({}, rule[field]), fields[field])
    end
  end
  return result
end

--- The experts of a family, but for some fields: in the names that most files have, in all layers,
--- as wide as intermediate_size says.
local usual_experts = {
  count = { 'num_local_experts' }, used = { 'num_experts_per_tok' },
  d_ff = { keys = { 'intermediate_size' } }, dense = { none = true }, router_at = { 'mlp.gate' },
  forms = {
    { gate = 'mlp.experts.{expert}.gate_proj', up = 'mlp.experts.{expert}.up_proj',
      down = 'mlp.experts.{expert}.down_proj' },
    { fused = 'mlp.experts.gate_up_proj', order = 'gate first', down = 'mlp.experts.down_proj',
      stacked = true, bare = true },
  },
}

---@param fields table
---@return ExpertRule
function M.experts(fields) return M.like(usual_experts, fields) end

return M
