--- A case as text, to be kept in a file: tables of strings, numbers and booleans.
local M = {}

local function put(out, v)
  if type(v) ~= 'table' then
    out[#out + 1] = ('%q'):format(v)
    return
  end
  local keys = {}
  for key in pairs(v) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) == 'number' end
    return a < b
  end)
  out[#out + 1] = '{'
  for _, key in ipairs(keys) do
    out[#out + 1] = ('[%q]='):format(key)
    put(out, v[key])
    out[#out + 1] = ','
  end
  out[#out + 1] = '}'
end

---@return string
function M.text(case)
  local out = { 'return ' }
  put(out, case)
  return table.concat(out)
end

--- The case of a text that is ours.
function M.case(text) return assert(load(text, '=case', 't', {}))() end

return M
