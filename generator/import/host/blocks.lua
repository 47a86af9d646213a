--- Blocks as Llama has them: what readers say of one, or why the blocks of a model are others.
--- A reader calls differs() where it meets something that such a block has not.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- Ends the look at a block.
function M.differs(message, ...) error({ block_problem = message:format(...) }, 0) end

--- A number from 1 on.
---@param name string  of the key, for the reason
function M.count(value, name, default)
  if value == nil then value = default end
  if math.type(value) ~= 'integer' or value < 1 then
    M.differs('%s is %s', name, type(value) == 'table' and 'a list' or record.described(value))
  end
  return value
end

--- A float above 0.
---@param name string
function M.real(value, name, default)
  if value == nil then value = default end
  if type(value) ~= 'number' or value <= 0 then
    M.differs('%s is %s', name, record.described(value))
  end
  return value + 0.0
end

--- How many positions attention sees all of: a window of that many is none.
---@param positions integer
---@param window integer|nil
function M.positions(positions, window)
  return window and math.min(positions, window) or positions
end

--- Heads share keys and values evenly, and consist of pairs.
function M.check_heads(heads, kv_heads, head_dim)
  if heads % kv_heads ~= 0 then
    M.differs('%d heads share %d key and value heads', heads, kv_heads)
  end
  if head_dim % 2 ~= 0 then M.differs('a head has %d numbers, which are no pairs', head_dim) end
end

--- The model has no norm that the block has not, and none with a bias.
---@param block HostBlock
---@param norms HostNorm[]
---@param count integer  of blocks
local function check_norms(block, norms, count)
  local known = { [block.final_norm] = true }
  for _, name in ipairs { 'attention_norm', 'ffn_norm', 'q_norm', 'k_norm' } do
    for i = 0, block[name] and count - 1 or -1 do known[block[name]:format(i)] = true end
  end
  for _, norm in ipairs(norms) do
    if not known[norm.tensor] or norm.bias then
      M.differs('there is a tensor %s', record.shown(norm.bias or norm.tensor, 80))
    end
  end
end

--- The block that a reader says, or why there is none.
---@param said fun(): HostBlock  may call differs()
---@param norms HostNorm[]
---@param count integer  of blocks
---@return HostBlock|false
---@return string|false block_problem
function M.of(said, norms, count)
  local is_whole, block = pcall(function()
    local one = said()
    check_norms(one, norms, count)
    return one
  end)
  if is_whole then return block, false end
  local why = type(block) == 'table' and block.block_problem or error(block, 0)
  return false, why
end

--- The tensors that nothing takes and that are no norms.
---@param names string[]
---@param taken table<string, boolean>
---@param norms HostNorm[]
---@return string[]
function M.left(names, taken, norms)
  local is_norm = {}
  for _, norm in ipairs(norms) do
    is_norm[norm.tensor] = true
    if norm.bias then is_norm[norm.bias] = true end
  end
  return lists.filter(names, function(name) return not taken[name] and not is_norm[name] end)
end

return M
