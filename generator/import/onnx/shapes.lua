--- Lists of sizes that a graph computes as it runs. Of the shape of what a product gives the width
--- is known, and what is made of that never changes: where a chunk ends, the last size of a
--- Reshape.
local attributes = require 'import.onnx.attributes'
local cuts = require 'import.onnx.cuts'
local record = require 'common.record'
local views = require 'import.onnx.views'

local M = {}

---@class Sizes  a list, or a single one
---@field count integer
---@field is_single boolean
---@field [integer] integer|false  false: it depends on what the model is given

local most = 32

--- The sizes that a value is, or nil.
---@param value Value|false|nil
---@return Sizes|nil
function M.of(value)
  if not value then return nil end
  local list = not value.sizes and cuts.integers(value)
  if not list or #list > most then return value.sizes or nil end
  return { count = #list, is_single = #value.view.dims == 0, table.unpack(list) }
end

local function part(sizes, first, count, is_single)
  return { count = count, is_single = is_single, table.unpack(sizes, first, first + count - 1) }
end

local makers = {}

--- The shape of a value, of which the size at one axis may be known.
function makers.Shape(step, width, axis)
  local rank = step.ins[1].rank
  if not rank or rank > most or not attributes.are(step.node, { 'start', 'end' }) then
    return nil
  end
  local all = { count = rank, is_single = false }
  for i = 1, rank do all[i] = false end
  if width then all[(axis or rank - 1) + 1] = width end
  local function place(name, default)
    local at = attributes.get(step.node, name, 'i', default)
    return at and math.max(0, math.min(rank, at < 0 and at + rank or at))
  end
  local first, last = place('start', 0), place('end', rank)
  return first and last and part(all, first + 1, math.max(0, last - first), false)
end

function makers.Gather(step)
  local sizes, at = M.of(step.ins[1]), M.of(step.ins[2])
  if not sizes or sizes.is_single or not at or at.count ~= 1 or not at[1]
    or not attributes.are(step.node, { 'axis' })
    or attributes.get(step.node, 'axis', 'i', 0) ~= 0 then
    return nil
  end
  local index = cuts.axis(at[1], sizes.count)
  return index and part(sizes, index + 1, 1, at.is_single)
end

function makers.Slice(step)
  local sizes, list = M.of(step.ins[1]), cuts.of(step)
  if not sizes or sizes.is_single or not list or #list ~= 1
    or not cuts.axis(list[1].axis, 1) or list[1].by ~= 1 then
    return nil
  end
  local first, count = cuts.range(list[1], sizes.count)
  return first and part(sizes, first + 1, count, false)
end

function makers.Squeeze(step)
  local sizes = M.of(step.ins[1])
  return sizes and sizes.count == 1 and not sizes.is_single and part(sizes, 1, 1, true)
end

function makers.Unsqueeze(step)
  local sizes = M.of(step.ins[1])
  return sizes and sizes.is_single and part(sizes, 1, 1, false)
end

function makers.Concat(step)
  local all = { count = 0, is_single = false }
  if not cuts.axis(attributes.get(step.node, 'axis', 'i', 1), 1) then return nil end
  for _, value in ipairs(step.ins) do
    local sizes = M.of(value)
    if not sizes or sizes.is_single or all.count + sizes.count > most then return nil end
    for i = 1, sizes.count do all[all.count + i] = sizes[i] end
    all.count = all.count + sizes.count
  end
  return all
end

--- Tells the sizes that a step gives, as numbers of the file where all of them are known.
---@param step GraphStep
---@param width integer|nil   of what a Shape is asked of
---@param axis integer|false  of that width; false: the last
---@return boolean
function M.follow(step, width, axis)
  local make, out = makers[step.op], step.outs[1]
  local sizes = make and out and step.ins[1] and make(step, width, axis)
  if not sizes then return false end
  local is_known = true
  for i = 1, sizes.count do is_known = is_known and sizes[i] ~= false end
  out.sizes = sizes
  if is_known then
    views.give(out, record.strict('ONNX tensor', {
      name = '', type = 'i64', dims = sizes.is_single and {} or { sizes.count }, bits = 64,
      count = sizes.count, numbers = { table.unpack(sizes, 1, sizes.count) }, place = false,
      external = false, apart = 'the graph',
    }))
  end
  return true
end

return M
