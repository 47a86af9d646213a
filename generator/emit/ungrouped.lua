--- What a tile's templates say of weights that stand by themselves.
local addresses = require 'emit.addresses'
local decoding = require 'emit.decoding'
local record = require 'common.record'

local M = {}

---@class TileWeights
---@field heads string    where the heads of panels lie, and what they say; ''
---@field reader fun(states: State[]|nil): fun(v: integer, ahead: integer|string): string, string
--- what reads those of a k: the value of vector v `ahead` of a line, and the statements before it
---@field ascend (fun(begin: string, one_k: OneK): string)|false  the loops over the k of a block
--- in groups, which begin with `begin`, where weights lie in such
---@field opened string   what all k of a block begin with where these are a group of products; ''
---@field closed string   and end with

---@param env table
---@param use TileUse
---@param k TileK
---@param pitch integer  columns from a vector to the next
---@return TileWeights
function M.weights(env, use, k, _, pitch)
  local N, format = env.NAME(use.s), use.s.stage.stream.format
  local base = k.one_chain and 'w + k * ' .. k.bytes or 'w'
  local function value(v, ahead)
    local bundle, lane, is_second = addresses.vector(env, use, v, pitch)
    local at = addresses.plus(base, { { ahead, k.bytes }, { bundle, N .. '_BUNDLE' },
      { lane * format.bytes, '' }, { is_second and 1 or 0, N .. '_SECOND' } })
    return decoding.expression(env.isa, format, ('(const %s *)(%s)'):format(format.c_type, at)), ''
  end
  return record.strict('weights of a tile', {
    heads = '', reader = function() return value end, ascend = false, opened = '', closed = '',
  })
end

return M
