--- The functions of a C text that another calls, by itself or through each other: compilers warn of
--- a static function that nothing calls.
local M = {}

--- Its definitions, each with the comment before it: one begins where the last one's brace closed.
local function definitions(text)
  local list, lines = {}, {}
  for line in text:gmatch '([^\n]*)\n' do
    lines[#lines + 1] = line .. '\n'
    if line:find '^}' or line:find '^static .*}$' then
      list[#list + 1], lines = table.concat(lines), {}
    end
  end
  return list
end

---@param text string   functions, each behind those that it calls
---@param caller string
---@return string
function M.of(text, caller)
  local kept, list = '', definitions(text)
  for i = #list, 1, -1 do
    local name = list[i]:match 'static inline [^(]-([%w_]+)%('
    if (caller .. kept):find('%f[%w_]' .. name .. '%f[^%w_]') then kept = list[i] .. kept end
  end
  return kept
end

return M
