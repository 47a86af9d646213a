--- What a module may hold in place of a plain matrix, or beside it. Each makes another matrix of
--- it: what stands there under a known name is not what the model computes with.
local lists = require 'common.list'
local weight_names = require 'tensors.names'

local M = {}

---@class WeightForm
---@field of string          what it is
---@field mend string        what makes a plain weight of it
---@field modules string[]|nil  names of its modules in that of the matrix
---@field tensors string[]|nil  names of its tensors there
---@field told_by string|nil    one of them that others of these names lack
---@field stands string[]       names of what stands for weight or bias: {part} says for which, a *
---  at the end is for anything

---@type WeightForm[]
M.all = weight_names.data.forms

local of_module, of_tensor = {}, {}
for _, form in ipairs(M.all) do
  for _, name in ipairs(form.modules or {}) do of_module[name] = form end
  for _, name in ipairs(form.tensors or {}) do
    of_tensor[name] = lists.append(of_tensor[name] or {}, { form })
  end
end

--- The form of a tensor of this name in a module, or nil.
local function of_last(name, module, has)
  for _, form in ipairs(of_tensor[name] or {}) do
    if not form.told_by or has[module .. form.told_by] then return form end
  end
end

--- The module in which a tensor is a part of such a form, its name there, and the form; or nil.
---@param key string
---@param has table<string, boolean>
---@return string|nil module ends in a dot
---@return string|nil name
---@return WeightForm|nil
function M.of(key, has)
  for at, part in key:gmatch '()([^.]+)' do
    local form = of_module[part]
    if form then return key:sub(1, at - 1), key:sub(at), form end
  end
  local module, name = key:match '^(.*%.)([^.]+)$'
  local form = module and of_last(name, module, has)
  if not form then return nil end
  -- bitsandbytes writes weight.absmax and weight.quant_state.bitsandbytes__nf4, quanto
  -- weight._data.
  module = module:gsub('%f[^%.\0]weight%..*$', '')
  return module, key:sub(#module + 1), form
end

--- The pattern of Lua for one of a form's names.
local function pattern_of(stands)
  local escaped = stands:gsub('[^%w*{}]', '%%%0'):gsub('{part}', '(%%w+)'):gsub('%*', '.*')
  return '^' .. escaped .. '$'
end

--- What a tensor of a form stands for in its module: weight, bias, or nil.
---@param form WeightForm
---@param name string
function M.stands_for(form, name)
  for _, pattern in ipairs(form.stands) do
    local part = name:match(pattern_of(pattern))
    if part then return part == 'bias' and 'bias' or 'weight' end
  end
end

return M
