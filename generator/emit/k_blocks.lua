--- The k block under way, in C.
local M = {}

--- Whether the last block of a sum is shorter.
---@param s StagePlan
function M.is_uneven(s) return s.stage.sum.last ~= s.stage.sum.block end

--- How many k it has.
---@param s StagePlan
---@param is_general boolean|nil  as if the last block might be shorter
---@return string
function M.length(env, s, is_general)
  local sum, N = s.stage.sum, env.NAME(s)
  if sum.blocks == 1 then return N .. '_INPUTS' end
  if sum.last == sum.block and (not is_general or sum.parts > 1) then return N .. '_BLOCK' end
  if sum.parts > 1 then
    return ('(block + 1) %% %s_PART_BLOCKS > 0 ? %s_BLOCK : %s_LAST'):format(N, N, N)
  end
  return ('block + 1 < %s_BLOCKS ? %s_BLOCK : %s_LAST'):format(N, N, N)
end

--- How many groups of weights it begins or goes on with.
---@param s StagePlan
---@param is_general boolean|nil
---@return string
function M.groups(env, s, is_general)
  local sum, group = s.stage.sum, s.stage.stream.layout.group
  local k = M.length(env, s, is_general)
  if group == 1 then return k end
  if sum.blocks > 1 and (M.is_uneven(s) or is_general and sum.parts == 1) then
    k = ('(%s)'):format(k)
  end
  local phase = sum.blocks > 1 and sum.block % group > 0
      and ('block * %s_BLOCK %% %d + '):format(env.NAME(s), group) or ''
  return ('(%s%s + %d) / %d'):format(phase, k, group - 1, group)
end

--- The first k of it, or of one after it.
---@param s StagePlan
---@param ahead integer
---@return string
function M.first(env, s, ahead)
  if s.stage.sum.blocks == 1 then return '0' end
  return ('%s * %s_BLOCK'):format(ahead == 0 and 'block' or '(block + 1)', env.NAME(s))
end

return M
