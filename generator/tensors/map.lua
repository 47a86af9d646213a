--- A file that says which tensor is which matrix, a line each:
---
---     up.weight = model.fc_a.kernel transposed     # [in][out]; torch.nn.Linear has [out][in]
---     down.weight = model.fc_b.kernel out-in       # square, and as torch.nn.Linear has it
local disk = require 'common.disk'
local limits = require 'common.limits'
local problems = require 'common.problem'
local record = require 'common.record'
local texts = require 'common.text'

local M = {}

local max_bytes = limits.most 'map'

---@class MappedTensor
---@field key string
---@field transposed boolean|nil  nil: the line says nothing

--- The name of a tensor, and the word behind it.
---@return MappedTensor
local function tensor_of(text)
  local function in_front_of(word)
    local name = text:sub(-#word) == word and text:sub(1, -#word - 1)
    return name and name:find('^%s', #name) and texts.trimmed(name)
  end
  local plain, as_it_is = in_front_of 'transposed', in_front_of 'out-in'
  if plain then return { key = plain, transposed = true } end
  if as_it_is then return { key = as_it_is, transposed = false } end
  return { key = text }
end

--- What a line says, without a remark: behind a # that is the first, or stands behind a space.
local function said_of(line)
  local at = 0
  repeat
    at = line:find('#', at + 1, true)
  until not at or at == 1 or line:find('^%s', at - 1)
  return texts.trimmed(at and line:sub(1, at - 1) or line)
end

---@param path string
---@param names string[] of the layer's tensors
---@return table<string, MappedTensor>
function M.read(path, names)
  local text, reason = disk.head(path, max_bytes + 1)
  if not text then problems.bad_input(path, 'cannot be read: %s', reason) end
  if #text > max_bytes then limits.refuse(path, 'map') end
  local map, number, known = {}, 0, {}
  for _, name in ipairs(names) do known[name] = true end
  for line in (text .. '\n'):gmatch('([^\n]*)\n') do
    number = number + 1
    local said = said_of(line)
    if said ~= '' then
      local place = problems.place(path, number)
      local name, key = said:match '^(%S+)%s*=%s*(.*)$'
      if not name or key == '' then
        problems.bad_input(place, 'a line must be MATRIX = TENSOR, with "transposed" behind a '
          .. 'tensor that is [in][out], and not "%s"', record.shown(said))
      elseif not known[name] then
        problems.bad_input(place, 'the layer has no "%s"%s', record.shown(name),
          record.suggest(name, names))
      elseif map[name] then
        problems.bad_input(place, '%s has two lines', name)
      end
      map[name] = tensor_of(key)
    end
  end
  return map
end

return M
