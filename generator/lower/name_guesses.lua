--- What a name might say: every way to cut it into the words of all vocabularies, a spec's own
--- activations among them. name.encode tells which of these it says.
local arithmetics = require 'arithmetic'
local cpus = require 'cpu'
local isas = require 'isa'
local kinds = require 'kind'
local lists = require 'common.list'
local parts_of = require 'lower.name_parts'
local record = require 'common.record'

local M = {}

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
---@param stages integer
local function has_stages(stages, words) return #words < 2 or #words == stages end

--- Whether kernels of an instruction set may have a descriptor for such CPUs.
local function has_descriptor(cpu, isa)
  local profile = cpus.by_name[cpu]
  return profile ~= cpus.all[1] and cpus.suits(profile, isas.by_name[isa])
end

--- A kernel's name without its CPU, and that.
local function cpus_of(text)
  return lists.append({ { text } }, ended(text, cpus.names))
end

--- A kernel's name without the most tokens of a call, and these.
local function tokens_of(text)
  local rest, tokens = text:match('^(.+)_(%d+)tokens?$')
  return { { text }, rest and { rest, math.tointeger(tonumber(tokens)) } or nil }
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

--- What a kind and the text behind it might say: the text is cut at any _, or at its ends, into
--- what stands in front of the word for biases and what stands behind it.
---@param kind Kind
---@param words NameWords
local function layers_of(kind, rest, words)
  local list = {}
  local function add(head, back)
    for _, sizes in ipairs(kind.back.read(back, words)) do
      for _, of_bias in ipairs(biases_of(head)) do
        for _, said in ipairs(kind.front.read(of_bias[1], words)) do
          local l = { kind = kind.name, bias = of_bias[2] }
          for _, fields in ipairs { said, sizes } do
            for _, field in ipairs(record.sorted_keys(fields)) do l[field] = fields[field] end
          end
          list[#list + 1] = l
        end
      end
    end
  end
  add('', rest)
  for at in rest:gmatch '()_' do add(rest:sub(1, at - 1), rest:sub(at + 1)) end
  add(rest, '')
  return list
end

--- Whether dropout is where a layer may have it, in rates that drop something.
local function is_dropout(l, stages)
  if not l.dropout then return true end
  local places = kinds.dropout(l.kind, stages)
  for _, place in ipairs(parts_of.dropout_places) do
    local rate = l.dropout[place]
    if rate ~= 0 and not (lists.has(places, place) and rate >= 2.0^-32 and rate <= 1) then
      return false
    end
  end
  return true
end

--- What a name might say, of whatever looks like one.
---@param name string
---@param known table the vocabulary of activations
---@return table[]
function M.of(name, known)
  local list, words = {}, parts_of.words(known)
  for _, kernel in ipairs(kernels_of(name)) do
    for _, of_stages in ipairs(stages_of(kernel[1])) do
      for _, of_dropout in ipairs(parts_of.dropouts_of(of_stages[1])) do
        local name_of_kind, rest = of_dropout.body:match('^(%l+)_(.+)$')
        local kind = kinds.by_name[name_of_kind]
        for _, l in ipairs(kind and layers_of(kind, rest, words) or {}) do
          l.formats, l.arithmetics, l.dropout = of_stages[2], of_stages[3], of_dropout.dropout
          l.isa, l.optimise = kernel.isa, kernel.optimise
          l.max_tokens, l.cpu = kernel.max_tokens, kernel.cpu
          list[#list + 1] = l
        end
      end
    end
  end
  return lists.filter(list, function(l)
    local stages = #kinds.stages(l, known)
    return is_dropout(l, stages) and has_stages(stages, l.formats)
      and has_stages(stages, l.arithmetics)
  end)
end

return M
