--- What kinds, fields and words mean, for people: help and the man page are made of this and of the
--- tables that specs are judged by. Text in backquotes is what a spec says.
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local fields = require 'read.fields'
local isas = require 'isa'
local kinds = require 'kind'
local lists = require 'common.list'
local mixture = require 'read.mixture'
local record = require 'common.record'
local trace = require 'activation.graph.trace'
local version = require 'common.version'
local weights = require 'weights'

local M = {}

M.example = "ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }"

--- Some kinds in a row.
---@param is_such fun(kind: Kind): boolean
local function some_kinds(is_such)
  return table.concat(lists.filter(kinds.sorted, function(name)
    return is_such(kinds.by_name[name])
  end), ' and ')
end

local function of_choices(choices)
  return some_kinds(function(kind) return kind.choices == choices end)
end

local function quoted(words)
  return table.concat(lists.map(words, function(word) return "'" .. word .. "'" end), ', ')
end

local function drops_hidden(kind) return #kind.dropout > 1 end

--- What fields mean, in the order in which they are told; what kinds say of them is added.
local meanings = {
  { 'variant', 'The activation, plain or gated: see below.' },
  { 'activation', 'The activation, of those that are plain: see below.' },
  { 'd_model', 'The width of x: a whole number. In rules for other sizes it is a word.' },
  { 'd_ff', 'The width between the matrices: a whole number, or a rule such as `d_model * 8 // 3` '
    .. '(+, -, * and //).' },
  { 'd_out', 'The width of y, a number or a rule.' },
  { 'bias', '`true`: every matrix adds a bias. Left out: `false`.' },
  { 'beta', 'Of swish: a number, or `"runtime"`, the default: it comes with the weights.' },
  { 'parameters', 'Of activations that have some: all as numbers, `parameters = { slope = 2 }`, or '
    .. '`"runtime"`, the default. In a chain, in its layer: `{ 64, \'swish\', beta = 1 }`.' },
  { 'sparse', '`false`: no code that skips the zeros of relu and its like. Left out: `true`.' },
  { 'backward', '`true`: functions of training, too, in a file beside each kernel.' },
  { 'dropout', ('Rates of training, from 0 to 1: `dropout = { hidden = 0.1, output = 0.1 }`, of '
    .. '%s %s, of others %s.'):format(some_kinds(drops_hidden),
    table.concat(fields.dropout, ' and '), fields.dropout[2]) },
  { 'optimise', ('What portable C is written for: `%s`, the default, or `%s`, in few bytes for '
    .. 'small devices.'):format(quoted { fields.optimise[1] }, quoted { fields.optimise[2] }) },
  { 'max_tokens', 'The most tokens of a call, for less code and work memory. Left out: any.' },
  { 'weights', ('What packed weights are stored as, of %s: one for all, by role as `{ gate =, up '
    .. '=, down = }`, of a chain a list. Left out: `%s`.'):format(quoted(weights.names),
    quoted { weights.names[1] }) },
  { 'arithmetic', ('How products are summed, of %s: said as weights are. Left out: `%s`.'):format(
    quoted(arithmetics.words), quoted { arithmetics.words[1] }) },
  { 'operand_scales', ('Of what `%s` makes bytes: `%s`, the default: of each token its own; or '
    .. '`%s`: one for each product, which comes with the weights. Said as weights are.'):format(
    arithmetics.words[2], table.unpack(arithmetics.scales)) },
  { 'about', 'A line for people.' },
  { 'build', ("Only these: `build = { { isa = { 'c', 'avx2' } } }`, of %s. Left out: all that have "
    .. 'the arithmetic. `dtype`, in such an entry, is the type of x and y: %s.'):format(
    quoted(isas.names), quoted(fields.dtypes)) },
}

--- A sentence of a kind's about a field that others have, too; or a field that it alone has, which
--- is told behind those that make kinds what they are.
for _, name in ipairs(kinds.sorted) do
  local own = kinds.by_name[name].meanings
  for _, field in ipairs(record.sorted_keys(own)) do
    local at, told = #meanings
    for i, meaning in ipairs(meanings) do
      if meaning[1] == field then told = meaning end
      if meaning[1] == 'bias' then at = i end
    end
    if told then
      told[2] = told[2] .. ' ' .. own[field]
    else
      table.insert(meanings, at, { field, own[field] })
    end
  end
end

--- Words beside the kinds: { how they are written, what they are }.
local words = {
  { ('schema(%d)'):format(version.schema),
    'The schema that the file is written in, above all layers; it may be left out.' },
  { 'llama_d_ff { multiple_of = 256, ffn_dim_multiplier = 1.3 }',
    'The rule of the Llama models for d_ff; each option may be left out.' },
  { "moe 'mine' { d_model = 256, experts = 16, top_k = 4, "
    .. "expert = { variant = 'swiglu', d_ff = 96 } }",
    ('A mixture of experts: an ffn for each expert, and a router. Fields: %s.'):format(
    table.concat(mixture.fields, ', ')) },
  { "activation 'mine' (function(x) return x * sigmoid(1.5 * x) end)",
    "An activation for the layers of the file: variants 'mine' and 'mine_glu'. The function takes "
    .. 'x, and p for parameters such as p.beta, or gate and up for both branches. It is made of '
    .. ('+ - * /, powers with a whole exponent, numbers, and %s.'):format(
    table.concat(trace.words, ', ')) },
}

---@class ToldKind
---@field name string
---@field computes string
---@field fields string[]

M.kinds = lists.map(fields.kinds, function(kind)
  return { name = kind, computes = kinds.by_name[kind].computes, fields = fields.of[kind] }
end)

---@type { name: string, meaning: string }[]
M.fields = lists.map(meanings, function(entry) return { name = entry[1], meaning = entry[2] } end)

---@type { form: string, meaning: string }[]
M.words = lists.map(words, function(entry) return { form = entry[1], meaning = entry[2] } end)

M.variants = activations.variant_names

--- Kinds by the activations that they name.
M.of_plain, M.of_variants = of_choices 'plain_names', of_choices 'variant_names'
M.of_gated = of_choices 'gated_names'

---@class ToldActivation
---@field plain string       '' of a function of both branches
---@field gated string
---@field parameters string  with commas between

M.activations = lists.map(activations.names, function(name)
  local a = activations.by_name[name]
  return {
    plain = a.both and '' or name, gated = a.both and name or a.gated,
    parameters = table.concat(a.parameters, ', '),
  }
end)

return M
