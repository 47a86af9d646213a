--- What a plan chooses and may be told to choose differently, as text.
local cpus = require 'cpu'

local M = { fields = cpus.choice_names }

--- What differs from the choices of a profile.
---@param choices Choices
---@param own Choices of the profile
---@return string[] such as "fetch_ahead = 4096"
function M.changes(choices, own)
  local list = {}
  for _, field in ipairs(M.fields) do
    if choices[field] ~= own[field] then
      list[#list + 1] = ('%s = %d'):format(field, choices[field])
    end
  end
  return list
end

--- What a kernel reads of them at run time, in words.
---@param choices Choices
function M.reading(choices)
  local function bytes(n) return n == 0 and 'nothing' or ('%d bytes'):format(n) end
  local few = choices.few_rows == 1 and '1 row' or ('1 to %d rows'):format(choices.few_rows)
  local cache = choices.fetch_level > 1 and ', into L2' or ''
  local second = choices.few_l2_ahead > choices.few_ahead and choices.few_ahead > 0
    and (', of compressed weights %s into L2, too'):format(bytes(choices.few_l2_ahead)) or ''
  local twice = choices.reread > 0 and '; lines read twice at 1 row' or ''
  return ('%d panels side by side; fetched ahead: %s at %s%s, %s at more%s%s'):format(
    choices.streams, bytes(choices.few_ahead), few, second, bytes(choices.fetch_ahead), cache,
    twice)
end

--- All choices in one line.
---@param choices Choices
function M.all_text(choices)
  local list = {}
  for i, field in ipairs(M.fields) do list[i] = ('%s %d'):format(field, choices[field]) end
  return table.concat(list, ', ')
end

return M
