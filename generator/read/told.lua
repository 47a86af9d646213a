--- What kinds, fields and words mean, for people: help and the man page are made of this and of the
--- tables that specs are judged by. Text in backquotes is what a spec says.
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local fields = require 'read.fields'
local isas = require 'isa'
local lists = require 'common.list'
local trace = require 'activation.graph.trace'
local version = require 'common.version'
local weights = require 'weights'

local M = {}

M.example = "ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }"

--- What each kind computes.
local computes = {
  ffn = 'y = act(x W_up^T) W_down^T, or of a gated variant y = (act(x W_gate^T) * (x W_up^T)) '
    .. 'W_down^T.',
  glu = 'y = act(x W_gate^T) * (x W_up^T): a gated variant without the second matrix product.',
  linear = 'y = x W^T.',
  mlp = 'A chain of linear layers, each with its activation.',
  selfgate = 'y = x * act(x W_gate^T).',
}

local function quoted(words)
  return table.concat(lists.map(words, function(word) return "'" .. word .. "'" end), ', ')
end

--- What fields mean, in the order in which they are told.
local meanings = {
  { 'variant', 'The activation, plain or gated: see below.' },
  { 'activation', 'The activation, of those that are plain: see below.' },
  { 'd_model', 'The width of x: a whole number. In rules for other sizes it is a word.' },
  { 'd_ff', 'The width between the matrices: a whole number, or a rule such as `d_model * 8 // 3` '
    .. '(+, -, * and //).' },
  { 'd_out', 'The width of y, a number or a rule. Of ffn it may be left out: d_model. Of linear it '
    .. 'may name several outputs of one x, `d_out = { q = 512, k = 128 }`, in the order of their '
    .. 'names; or a list `{ { q = 512 }, { k = 128 } }` in its own.' },
  { 'layers', ('Widths and activations, `layers = %s`; without one it is the identity.'):format(
    fields.layers_form:gsub('"', "'")) },
  { 'bias', '`true`: every matrix adds a bias. Left out: `false`.' },
  { 'beta', 'Of swish: a number, or `"runtime"`, the default: it comes with the weights.' },
  { 'parameters', 'Of activations that have some: all as numbers, `parameters = { slope = 2 }`, or '
    .. '`"runtime"`, the default. In a chain, in its layer: `{ 64, \'swish\', beta = 1 }`.' },
  { 'sparse', '`false`: no code that skips the zeros of relu and its like. Left out: `true`.' },
  { 'backward', '`true`: functions of training, too, in a file beside each kernel.' },
  { 'dropout', ('Rates of training, from 0 to 1: `dropout = { hidden = 0.1, output = 0.1 }`, of '
    .. 'ffn and mlp %s, of others %s.'):format(table.concat(fields.dropout.ffn, ' and '),
    table.concat(fields.dropout_of_one, ' and ')) },
  { 'optimise', ('What portable C is written for: `%s`, the default, or `%s`, in few bytes for '
    .. 'small devices.'):format(quoted { fields.optimise[1] }, quoted { fields.optimise[2] }) },
  { 'max_tokens', 'The most tokens of a call, for less code and work memory. Left out: any.' },
  { 'weights', ('What packed weights are stored as, of %s: one for all, by role as `{ gate =, up '
    .. '=, down = }`, of a chain a list. Left out: `%s`.'):format(quoted(weights.names),
    quoted { weights.names[1] }) },
  { 'arithmetic', ('How products are summed, of %s, the default.'):format(
    quoted(arithmetics.names)) },
  { 'about', 'A line for people.' },
  { 'build', ("Only these: `build = { { isa = { 'c', 'avx2' } } }`, of %s. Left out: all that have "
    .. 'the arithmetic. `dtype`, in such an entry, is the type of x and y: %s.'):format(
    quoted(isas.names), quoted(fields.dtypes)) },
}

--- Words beside the kinds: { how they are written, what they are }.
local words = {
  { ('schema(%d)'):format(version.schema),
    'The schema that the file is written in, above all layers; it may be left out.' },
  { 'llama_d_ff { multiple_of = 256, ffn_dim_multiplier = 1.3 }',
    'The rule of the Llama models for d_ff; each option may be left out.' },
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
  return { name = kind, computes = computes[kind], fields = fields.of[kind] }
end)

---@type { name: string, meaning: string }[]
M.fields = lists.map(meanings, function(entry) return { name = entry[1], meaning = entry[2] } end)

---@type { form: string, meaning: string }[]
M.words = lists.map(words, function(entry) return { form = entry[1], meaning = entry[2] } end)

M.variants = activations.variant_names

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
