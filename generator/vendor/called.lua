--- The functions and types of a C text that another names, by itself or through each other:
--- compilers warn of a static function that nothing calls.
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

--- What a definition defines: a type, or a function.
local function name_of(definition)
  local type = definition:match '\n} ([%w_]+);\n$'
  if type then return type end
  for line in definition:gmatch '[^\n]+' do
    local name = line:match '^static [^(]-([%w_]+)%('
    if name then return name end
  end
  return error('neither a type nor a function: ' .. definition)
end

--- Those of some texts that define what others call: what a caller names, by itself or through
--- one that is called.
---@param texts string[]  each behind those that it names
---@param caller string
---@return string[]
function M.texts(texts, caller)
  local kept = {}
  for i = #texts, 1, -1 do
    local is_called = false
    for line in texts[i]:gmatch '[^\n]+' do
      local name = line:match '^#define ([%w_]+)' or line:match '^%a[^(=]-([%w_]+)%('
      is_called = is_called or name and caller:find('%f[%w_]' .. name .. '%f[^%w_]') ~= nil
    end
    if is_called then
      table.insert(kept, 1, texts[i])
      caller = caller .. texts[i]
    end
  end
  return kept
end

---@param text string   functions and types, each behind those that it names
---@param caller string
---@return string
function M.of(text, caller)
  local kept, list = '', definitions(text)
  for i = #list, 1, -1 do
    local name = name_of(list[i])
    if (caller .. kept):find('%f[%w_]' .. name .. '%f[^%w_]') then kept = list[i] .. kept end
  end
  return kept
end

return M
