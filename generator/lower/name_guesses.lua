--- What a name might say: every way to cut it into the words of all vocabularies, a spec's own
--- activations among them. name.encode tells which of these it says.
local arithmetics = require 'arithmetic'
local cpus = require 'cpu'
local isas = require 'isa'
local lists = require 'common.list'
local parts_of = require 'lower.name_parts'

local M = {}

local function is_size(v) return math.type(v) == 'integer' and v > 0 end

--- The integer that a text is; nil where it is none, or no text.
local function integer(text) return math.tointeger(tonumber(text or 'x')) end

--- A text without its end, or nil.
local function without(text, ending)
  return #text > #ending and text:sub(-#ending) == ending and text:sub(1, -#ending - 1) or nil
end

-- What stands behind a layer ------------------------------------------------------------------

--- Each text without one of some words at its end: { text, word }.
local function ended(text, words)
  local list = {}
  for _, word in ipairs(words) do
    local rest = without(text, '_' .. word)
    if rest then list[#list + 1] = { rest, word } end
  end
  return list
end

--- Each text without some words at its end, one or more: { text, words in order }.
local function sequences(text, words)
  local list = {}
  for _, last in ipairs(ended(text, words)) do
    list[#list + 1] = { last[1], { last[2] } }
    for _, more in ipairs(sequences(last[1], words)) do
      list[#list + 1] = { more[1], lists.append({ table.unpack(more[2]) }, { last[2] }) }
    end
  end
  return list
end

--- A layer's name without its arithmetics and formats: { text, formats, arithmetics }.
local function stages_of(text)
  local list = {}
  local heads = lists.append({ { text, {} } }, sequences(text, arithmetics.names))
  for _, head in ipairs(heads) do
    for _, found in ipairs(sequences(head[1], parts_of.format_words())) do
      list[#list + 1] = { found[1], parts_of.formats_of(found[2]), head[2] }
    end
  end
  return list
end

--- Whether a layer has a stage for each of these words; one word is for all.
local function has_stages(l, words)
  return #words < 2
    or #words == (l.widths and #l.widths or l.outputs and #l.outputs or l.d_ff and 2 or 1)
end

--- Whether kernels of an instruction set may have a descriptor for such CPUs.
local function has_descriptor(cpu, isa)
  local profile = cpus.by_name[cpu]
  return profile ~= cpus.all[1] and cpus.suits(profile, isa)
end

--- A kernel's name without its CPU, and that.
local function cpus_of(text)
  return lists.append({ { text } }, ended(text, cpus.names))
end

--- A kernel's name without the most tokens of a call, and these.
local function tokens_of(text)
  local rest, tokens = text:match('^(.+)_(%d+)tokens?$')
  return { { text }, rest and { rest, integer(tokens) } or nil }
end

--- A layer's name with what stands behind it: { name, isa =, optimise =, max_tokens =, cpu = }.
local function kernels_of(text)
  local list = { { text } }
  for _, of_cpu in ipairs(cpus_of(text)) do
    for _, few in ipairs(tokens_of(of_cpu[1])) do
      local size = without(few[1], '_size')
      for _, aim in ipairs { { few[1] }, size and { size, 'size' } or nil } do
        for _, found in ipairs(ended(aim[1], isas.names)) do
          if not of_cpu[2] or has_descriptor(of_cpu[2], found[2]) then
            list[#list + 1] = { found[1], isa = found[2], optimise = aim[2], max_tokens = few[2],
              cpu = of_cpu[2] }
          end
        end
      end
    end
  end
  return list
end

-- What a layer says ---------------------------------------------------------------------------

--- A text with and without the word for biases at its end: { text, bias }.
local function biases_of(text)
  local rest = text == 'bias' and '' or without(text, '_bias')
  return { { text, false }, rest and { rest, true } or nil }
end

--- The activations of a chain, cut at any _ that ends a width: lists of widths. Two of a length are
--- enough to know that there are several; the words of stages tell lengths apart.
local function chains_of(text, known)
  local chains_from
  local memory = {}
  local function chains_at(at)
    memory[at] = memory[at] or chains_from(at)
    return memory[at]
  end
  function chains_from(at)
    if at > #text + 1 then return { {} } end
    local chains, stop, counts = {}, at - 1, {}
    while stop <= #text do
      stop = text:find('_', stop + 1, true) or #text + 1
      local activation, width = parts_of.of_width(text:sub(at, stop - 1))
      local readings = is_size(width)
        and parts_of.activations_of(activation, known, known.plain_names) or {}
      for _, reading in ipairs(readings) do
        for _, rest in ipairs(chains_at(stop + 1)) do
          counts[#rest] = (counts[#rest] or 0) + 1
          if counts[#rest] <= 2 then
            chains[#chains + 1] = { {
              activation = reading.name, parameters = reading.parameters, width = width,
            }, table.unpack(rest) }
          end
        end
      end
      if stop > #text then break end
    end
    return chains
  end
  return chains_at(1)
end

local layers = {}

function layers.mlp(rest, known)
  local list = {}
  local d_model, text = rest:match('^(%d+)_(.+)$')
  if not is_size(integer(d_model)) then return list end
  for _, of_bias in ipairs(biases_of(text)) do
    for _, widths in ipairs(of_bias[1] ~= '' and chains_of(of_bias[1], known) or {}) do
      list[#list + 1] = {
        kind = 'mlp', d_model = integer(d_model), widths = widths, bias = of_bias[2],
      }
    end
  end
  return list
end

--- The kinds that say their sizes behind all else.
---@param rest string  of the name, behind its kind
---@param forms string[]  of the sizes
---@param choices string[]|nil  names of what it applies
---@param field string|nil      what a layer calls it
local function sized(kind, rest, known, forms, choices, field)
  local list = {}
  for _, form in ipairs(forms) do
    local head, sizes = rest:match('^(.+)_(' .. form .. ')$')
    if not head and rest:match('^' .. form .. '$') then head, sizes = '', rest end
    for _, of_bias in ipairs(head and biases_of(head) or {}) do
      local applied = choices and parts_of.activations_of(of_bias[1], known, choices)
        or of_bias[1] == '' and { {} } or {}
      for _, reading in ipairs(applied) do
        local l = {
          kind = kind, bias = of_bias[2], parameters = reading.parameters,
          d_model = integer(sizes:match('^d(%d+)')), d_ff = integer(sizes:match('_f(%d+)')),
          d_out = integer(sizes:match('_o(%d+)')),
        }
        if field then l[field] = reading.name end
        if kind == 'ffn' or kind == 'selfgate' then l.d_out = l.d_out or l.d_model end
        list[#list + 1] = l
      end
    end
  end
  return lists.filter(list, function(l)
    return is_size(l.d_model) and is_size(l.d_out) and (kind ~= 'ffn' or is_size(l.d_ff))
  end)
end

function layers.ffn(rest, known)
  return sized('ffn', rest, known, { 'd%d+_f%d+_o%d+', 'd%d+_f%d+' }, known.variant_names,
    'variant')
end

function layers.glu(rest, known)
  return sized('glu', rest, known, { 'd%d+_o%d+' }, known.gated_names, 'variant')
end

function layers.selfgate(rest, known)
  return sized('selfgate', rest, known, { 'd%d+' }, known.plain_names, 'activation')
end

function layers.linear(rest, known)
  local head, d_model, text = rest:match('^(.-)d(%d+)_to_(.+)$')
  local outputs = text and parts_of.outputs_of(text)
  if not outputs then return sized('linear', rest, known, { 'd%d+_o%d+' }) end
  local width = 0
  for _, output in ipairs(outputs) do width = width + output.width end
  if head ~= '' and head ~= 'bias_' or not is_size(integer(d_model)) then return {} end
  return { {
    kind = 'linear', bias = head ~= '', d_model = integer(d_model), d_out = width,
    outputs = outputs,
  } }
end

--- Whether dropout is where a layer may have it, in rates that drop something.
local function is_dropout(l)
  if not l.dropout then return true end
  local has_hidden = l.kind == 'ffn' or l.kind == 'mlp' and #l.widths > 1
  if l.dropout.hidden > 0 and not has_hidden then return false end
  for _, place in ipairs(parts_of.dropout_places) do
    local rate = l.dropout[place]
    if rate ~= 0 and not (rate >= 2.0^-32 and rate <= 1) then return false end
  end
  return true
end

--- What a name might say, of whatever looks like one.
---@param name string
---@param known table the vocabulary of activations
---@return table[]
function M.of(name, known)
  local list = {}
  for _, kernel in ipairs(kernels_of(name)) do
    for _, of_stages in ipairs(stages_of(kernel[1])) do
      for _, of_dropout in ipairs(parts_of.dropouts_of(of_stages[1])) do
        local kind, rest = of_dropout.body:match('^(%l+)_(.+)$')
        for _, l in ipairs(layers[kind] and layers[kind](rest, known) or {}) do
          l.formats, l.arithmetics, l.dropout = of_stages[2], of_stages[3], of_dropout.dropout
          l.isa, l.optimise = kernel.isa, kernel.optimise
          l.max_tokens, l.cpu = kernel.max_tokens, kernel.cpu
          list[#list + 1] = l
        end
      end
    end
  end
  return lists.filter(list, function(l)
    return is_dropout(l) and has_stages(l, l.formats) and has_stages(l, l.arithmetics)
  end)
end

return M
