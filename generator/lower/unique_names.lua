--- The names of several specs' layers and kernels. Equal layers share theirs. Two different ones
--- never do, nor do names that differ in capital letters alone: they are files, too.
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class TakenName
---@field text string
---@field layer Layer

--- Whether two layers compute the same from the same packed weights. Activations of two files are
--- two, whatever they are called.
---@param a Layer
---@param b Layer
local function same(a, b)
  local function is_activation(t)
    return rawequal(a.activations.by_name[rawget(t, 'name')], t)
  end
  return a.name == b.name and record.equal(a.passes.forward, b.passes.forward, is_activation)
end

--- Takes a name for a layer.
---@param taken table<string, TakenName>  those of one run
---@param text string
---@param l Layer
function M.take(taken, text, l)
  local key = text:lower()
  local before = taken[key]
  if not before then
    taken[key] = { text = text, layer = l }
  elseif before.text ~= text or not same(before.layer, l) then
    problems.bad_input(l.place, '"%s" would be named %s, as "%s" at %s is, and is another layer: '
      .. 'rename an activation of one of them, or generate each for itself', l.spec_name, text,
      before.layer.spec_name, before.layer.place)
  end
end

return M
