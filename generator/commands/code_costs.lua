--- Whether compressed weights pay: where a layer is small, code that decodes them may take more
--- bytes than they save. By estimates of code, beside the same layer in f32.
local arithmetics = require 'arithmetic'
local code_bytes = require 'vendor.code_bytes'
local lists = require 'common.list'
local pipeline = require 'pipeline'
local record = require 'common.record'
local weights = require 'weights'

local M = {}

--- The same spec in f32, which give values and no bytes.
---@param s Spec
---@return Spec
local function in_f32(s)
  local fields = record.fields(s)
  fields.weights = lists.map(s.weights, function() return weights.names[1] end)
  fields.arithmetics = lists.map(s.weights, function() return arithmetics.names[1] end)
  return setmetatable(fields, getmetatable(s))
end

local function bytes_of(root, plans)
  local sum = 0
  for _, p in ipairs(plans) do sum = sum + code_bytes.of(root, p).text end
  return sum
end

--- Bytes as people say them; of an estimate the first two digits.
local function kilobytes(n) return n < 9950 and ('%.1f'):format(n / 1000) or tostring(n // 1000) end

--- What is to be said of a layer whose compressed weights cost more code than they save, of its
--- kernels here; nil where they pay, or are f32.
---@param root string
---@param s Spec
---@param plans Plan[]  of that spec
---@param code integer|nil  bytes of their code where that is known
---@return string|nil
function M.told(root, s, plans, code)
  local first = plans[1]
  local names = lists.unique(lists.filter(s.weights, function(name)
    return not weights.by_name[name].floats
  end))
  if #names == 0 then return nil end
  local function saved_beside(packed) return packed - first.passes.forward.packed_bytes end
  code = code or bytes_of(root, plans)
  -- No code costs more than all of it does.
  if saved_beside(2 * first.layer.flop_per_token) >= code then return nil end
  local isas = lists.unique(lists.map(plans, function(p) return p.isa.name end))
  local plain = pipeline.plan(pipeline.lower({ in_f32(s) }, isas), { profiles = { first.profile } })
  local saved = saved_beside(plain[1].passes.forward.packed_bytes)
  local cost = code - bytes_of(root, plain)
  if cost <= saved then return nil end
  -- What is written for few bytes multiplies values alone, as weights in f32 give them.
  local function has(field, value)
    return #lists.filter(s.arithmetics, function(word)
      return arithmetics.by_name[word][field] == value
    end) > 0
  end
  local of_bytes = has('takes', 'bytes')
  local walks = #lists.filter(plans, function(p)
    return p.isa.lanes == 1 and p.passes.forward.form.name ~= 'compact'
  end) > 0 and not of_bytes
  return ('weights of %s save %s KB and cost about %s KB of code: %sweights = "f32"%s'):format(
    table.concat(names, ', '), kilobytes(saved), kilobytes(cost),
    walks and 'optimise = "size" on small devices, or ' or '',
    (of_bytes and ', without arithmetic' or '')
      .. (has('scales', 'static') and ' and operand_scales' or ''))
end

return M
