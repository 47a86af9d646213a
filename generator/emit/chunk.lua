--- The function that goes over a chunk of columns, as a draft: the functions of its stage that it
--- calls are handed to it where stages differ in no more.
local k_blocks = require 'emit.k_blocks'
local lists = require 'common.list'
local marks = require 'emit.marks'
local operands = require 'emit.operands'
local parameters = require 'emit.parameters'
local shapes = require 'emit.shapes'
local texts = require 'common.text'

local M = {}

--- A tile that a function takes, for a number of rows, whose parameters are these beside.
---@param items FunctionParameter[]
---@return FunctionParameter
function M.tile(items)
  local types = lists.map(items, function(p) return texts.trimmed(p.type) end)
  return parameters.pointer('sums', lists.append(types, { 'size_t' }))
end

--- The same in C.
---@param items FunctionParameter[]
---@return string
function M.tile_parameter(items) return parameters.declared({ M.tile(items) })[1] end

--- The epilogue of a stage, as a function takes it.
---@param s StagePlan
---@return FunctionArgument
function M.finish(env, s)
  local types = { ('const %s *'):format(env.task), 'const float *', 'size_t', 'size_t' }
  if s.laid.unit > 1 then types[#types + 1] = 'size_t' end
  return { name = env.fn(s) .. '_finish', parameter = parameters.pointer('finish', types) }
end

--- C of the symbols by which a chunk in general terms says what differs with branches and blocks.
---@param s StagePlan
---@param walked StagePlan  what its tiles pass over
---@return table<string, string>
local function sizes_of(env, s, walked)
  return {
    [marks.symbol(env.NAME(walked), 'BRANCHES')] = tostring(#s.stage.stream.branches),
    LAST = env.NAME(s) .. (k_blocks.is_uneven(s) and '_LAST' or '_BLOCK'),
  }
end

---@class Chunk
---@field walked StagePlan  what its tiles pass over: the stage, or what is in scratch
---@field shape string
---@field about string
---@field items FunctionParameter[]    of a tile, but for rows
---@field open string|nil   the function that decodes
---@field uses string[]
---@field text fun(is_general: boolean): string

---@param s StagePlan
---@param chunk Chunk
---@return Draft
function M.draft(env, s, chunk)
  local task, make = ('const %s *'):format(env.task), parameters.parameter
  local takes = { M.finish(env, s) }
  if chunk.open then
    local types = { task, 'size_t', 'size_t' }
    if s.stage.sum.blocks > 1 then types[#types + 1] = 'size_t' end
    takes[2] = { name = chunk.open, parameter = parameters.pointer('decode', types) }
  end
  return shapes.draft {
    name = env.fn(chunk.walked) .. '_chunk', linkage = 'inline', returns = 'size_t ',
    parameters = {
      make(task, 'task'), make('size_t ', 'column'), make('const size_t ', 'cols'),
      make('const size_t ', 'most'), M.tile(chunk.items),
    },
    about = chunk.about, shape = chunk.shape, thin = true, takes = takes,
    uses = lists.append({ env.fn(s) .. '_finish', chunk.open or nil }, chunk.uses),
    text = chunk.text(false),
    general = operands.is_plain(s.stage.operand.format) and function()
      return chunk.text(true), sizes_of(env, s, chunk.walked)
    end,
  }
end

return M
