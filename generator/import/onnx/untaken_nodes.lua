--- What of a graph is not taken, each node by its name and with the reason.
local labels = require 'import.onnx.labels'
local layer_choice = require 'import.onnx.layer_choice'
local lists = require 'common.list'
local similar_texts = require 'import.similar_texts'

local M = {}

local function told(what, form, item)
  return {
    what = what, node = labels.at(item.step),
    text = form:format(('%s: %s'):format(labels.step(item.step), item.why)),
  }
end

--- Products of the file that stand alone, or in parts that nobody asked for.
local function alone(of, is_told, taken)
  local list = {}
  for _, product in ipairs(of.found.products) do
    local step = product.step
    if not taken[step] and not is_told[step] then
      list[#list + 1] = told('alone', 'left to the host: %s', {
        step = step, why = '--also all takes it, --node it alone',
      })
    end
  end
  return list
end

--- All of it, as found.lua takes it.
---@param of Seen
---@param taken table<GraphStep, boolean>
function M.of(of, taken)
  local list, is_told = {}, {}
  local function add(what, form, items)
    for _, item in ipairs(items) do
      if not taken[item.step] then list[#list + 1] = told(what, form, item) end
      is_told[item.step] = true
    end
  end
  add('product', 'not taken: %s', of.found.refused)
  local text, first = layer_choice.functions(of.linked)
  if text then list[#list + 1] = { what = 'function', node = labels.at(first), text = text } end
  add('product', 'not taken: %s', of.lost)
  add('rounding', 'no layer: %s', of.roundings)
  add('part', 'part of a layer: %s', of.halves)
  return lists.append(list, alone(of, is_told, taken))
end

local most_lines = 8

--- The same as comments of a spec, what is alike in a line, but for products that stand alone.
---@return string[]
function M.comments(list)
  local texts = {}
  for _, item in ipairs(list) do
    if item.what ~= 'alone' then texts[#texts + 1] = item.text end
  end
  local groups, lines = similar_texts.of(texts), {}
  for i = 1, math.min(#groups, most_lines) do lines[i] = similar_texts.told(groups[i]) end
  if #groups > most_lines then
    lines[#lines + 1] = ('and %d more reasons, which `ffngen import --list` tells'):format(
      #groups - most_lines)
  end
  return lines
end

return M
