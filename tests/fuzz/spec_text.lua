--- Texts of spec files: valid ones, those of them with a change, and tries at the edges of what a
--- spec may do.
local edges = require 'spec_edges'
local layer_text = require 'layer_text'
local mutants = require 'text_mutants'

local M = {}

--- Words that change meaning where they land.
local dictionary = {
  'ffn', 'linear', 'mlp', 'glu', 'selfgate', 'd_model', 'd_ff', 'd_out', 'variant', 'activation',
  'layers', 'bias', 'beta', 'parameters', 'sparse', 'about', 'build', 'isa', 'dtype', 'schema', '{',
  'llama_d_ff', 'optimise', '"size"', 'max_tokens',
  '}', '(', ')', '[', ']', '=', ',', ';', '..', '//', '*', '-', 'nil', 'true', 'local', 'return',
  'function', 'end', 'for', 'goto', '"relu"', '"avx2"', '0', '1', '-1', '1e9', '.5', '...', '::',
}

--- Some layers, all right.
---@param random Random
local function valid(random)
  local layers = {}
  for i = 1, 1 + random:skewed(4) do
    layers[i] = layer_text.random(random, ('l%d'):format(i), random:chance(90) and 64 or 1 << 20)
  end
  return layer_text.file(layers)
end

--- A field of a layer with a value that need not belong there.
local function with_value(random)
  local l = layer_text.random(random, 'it', 64)
  local text = layer_text.text(l)
  local what = random:chance(50) and random:pick(edges.values) or random:pick(edges.numbers)
  local starts = {}
  for at in text:gmatch('()[%w_]+ = [^,}]+') do starts[#starts + 1] = at end
  local at = random:pick(starts)
  return text:sub(1, at - 1) .. text:sub(at):gsub('^([%w_]+ = )[^,}]+', function(field)
    return field .. what .. ' '
  end, 1)
end

local function statement(random)
  local list = random:chance(6) and edges.endless or edges.statements
  return random:pick(list):gsub('%%d', ('%d'):format(random:pick(edges.counts)))
    :gsub('%%%%', '%%')
end

local function with_name(random)
  return ('linear(%s) { d_model = 2, d_out = 3 }\n'):format(random:pick(edges.names))
end

local function with_mark(random)
  local text, mark = valid(random), random:pick(edges.marks)
  local at = random:pick { 0, #text, random:below(#text + 1) }
  return text:sub(1, at) .. mark .. text:sub(at + 1)
end

local function with_statement(random)
  local own = statement(random)
  return random:chance(50) and own .. '\n' .. valid(random) or valid(random) .. own
end

--- A text of the grammar with several things changed at once.
local function mixture(random)
  local parts = {}
  for i = 1, random:range(2, 4) do
    local kind = random:below(4)
    parts[i] = kind == 0 and statement(random) or kind == 1 and with_value(random)
      or kind == 2 and with_name(random) or valid(random)
  end
  return table.concat(parts, random:pick { '\n', ' ', '; ', '\r\n' })
end

local kinds = {
  valid,
  function(random) return mutants.bytes(random, valid(random), 4) end,
  function(random) return mutants.bytes(random, mixture(random), 8) end,
  function(random) return mutants.words(random, valid(random), dictionary, 4) end,
  function(random) return mutants.words(random, mixture(random), dictionary, 8) end,
  with_value, with_name, with_mark, with_statement, mixture,
  function(random) return random:chance(50) and edges.nested(random) or edges.many(random) end,
}

---@param random Random
---@return string
function M.random(random) return random:pick(kinds)(random) end

return M
