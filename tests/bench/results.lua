--- What the cells of one run of the benchmark say together.
local json = require 'dkjson'

local M = {}

---@class bench.Cell one line of the benchmark's table; subjects[1] is ffngen's best kernel
---@field spec string
---@field inputs integer
---@field tokens integer
---@field threads integer
---@field cold boolean
---@field bytes integer of weights
---@field flop integer of a call
---@field fraction number how near the kernel is to its roof
---@field of string that roof: 'peak', or where the weights lie
---@field subjects table[] { name =, seconds =, spread = }

--- Reads what bench --json wrote.
---@param path string
function M.read(path)
  local file = assert(io.open(path))
  local results, _, problem = json.decode(file:read('a'))
  file:close()
  if not results then
    error(('%s is no complete JSON (did the run end?): %s'):format(path, problem), 0)
  end
  results.roof = {}
  for _, roof in ipairs(results.roofs) do results.roof[roof.threads] = roof end
  return results
end

---@param cell bench.Cell
---@param name? string of a subject; ffngen's best kernel where absent
---@return number? seconds
function M.seconds(cell, name)
  if not name then return cell.subjects[1].seconds end
  for _, subject in ipairs(cell.subjects) do
    if subject.name == name then return subject.seconds end
  end
end

local isas = { c = true, neon = true, avx2 = true, avx512 = true }

--- The fastest peer of a cell, with its time over ffngen's.
---@param cell bench.Cell
---@return string? name
---@return number? ratio more than 1: ffngen is faster
function M.best_peer(cell)
  local name, least
  for _, subject in ipairs(cell.subjects) do
    if not isas[subject.name] and (not least or subject.seconds < least) then
      name, least = subject.name, subject.seconds
    end
  end
  return name, least and least / M.seconds(cell)
end

--- The cell of another layer, number of tokens or state, else like this one.
---@param results table
---@param cell bench.Cell
---@param other table fields that differ
---@return bench.Cell?
function M.twin(results, cell, other)
  for _, c in ipairs(results.cells) do
    local same = true
    for _, field in ipairs { 'spec', 'tokens', 'threads', 'cold' } do
      local wanted = other[field]
      if wanted == nil then wanted = cell[field] end
      same = same and c[field] == wanted
    end
    if same then return c end
  end
end

---@param values number[]
function M.geomean(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + math.log(value) end
  return math.exp(sum / #values)
end

return M
