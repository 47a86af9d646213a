--- The function that goes over a chunk of columns, as a draft: the functions of its stage that it
--- calls are handed to it where stages differ in no more.
local blocks = require 'emit.blocks'
local lists = require 'common.list'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local shapes = require 'emit.shapes'

local M = {}

--- A tile that a function takes, for a number of rows, whose parameters are these beside.
---@param items FunctionParameter[]
---@return string
function M.tile_parameter(items)
  local types = lists.map(items, function(p) return (p.type:gsub(' $', '')) end)
  return parameters.pointer('sums', lists.append(types, { 'size_t' }))
end

--- C of the symbols by which a chunk in general terms says what differs with branches and blocks.
---@param s StagePlan
---@param walked StagePlan  what its tiles pass over
---@return table<string, string>
local function sizes_of(env, s, walked)
  return {
    [shapes.symbol(env.NAME(walked), 'BRANCHES')] = tostring(#s.stage.stream.branches),
    LAST = env.NAME(s) .. (blocks.is_uneven(s) and '_LAST' or '_BLOCK'),
  }
end

---@class Chunk
---@field walked StagePlan  what its tiles pass over: the stage, or what is in scratch
---@field shape string
---@field about string
---@field items FunctionParameter[]    of a tile, but for rows
---@field open string|nil   the function that decodes
---@field uses string[]
---@field text fun(is_general: boolean, sums: string): string  C; `sums` is a parameter

---@param s StagePlan
---@param chunk Chunk
---@return Draft
function M.draft(env, s, chunk)
  local task, size = ('const %s *'):format(env.task), 'size_t'
  local finish, opens = { task, 'const float *', size, size }, { task, size, size }
  if s.laid.unit > 1 then finish[#finish + 1] = size end
  if s.stage.sum.blocks > 1 then opens[#opens + 1] = size end
  local takes, sums = {}, M.tile_parameter(chunk.items)
  local function take(name, symbol, types)
    takes[#takes + 1] = { name = name, symbol = symbol, type = parameters.pointer(symbol, types) }
  end
  take(env.fn(s) .. '_finish', 'finish', finish)
  if chunk.open then take(chunk.open, 'decode', opens) end
  local name = env.fn(chunk.walked) .. '_chunk'
  return {
    name = name, shape = chunk.shape, about = chunk.about, inline = true, thin = true,
    declaration = ('size_t %s(\n    %stask, size_t column, const size_t cols, const size_t most,'
      .. '\n    %s)'):format(name, task, sums),
    uses = lists.append({ env.fn(s) .. '_finish', chunk.open }, chunk.uses), takes = takes,
    text = chunk.text(false, sums),
    general = operands.is_plain(s.stage.operand.format) and function()
      return { text = chunk.text(true, sums), sizes = sizes_of(env, s, chunk.walked) }
    end or nil,
  }
end

return M
