--- What the cells of one run of the benchmark say together.
local json = require 'dkjson'

local M = {}

---@class bench.Subject
---@field name string
---@field seconds number a call; of a limit: as much work at that speed
---@field ratio number its time over that of ffngen's best kernel, in the same rounds
---@field unsure number two standard errors of that, as a part of it
---@field spread number
---@field narrow? boolean it rounds what it multiplies to fewer bits than f32

---@class bench.Cell one line of the benchmark's table; subjects[1] is ffngen's best kernel
---@field spec string
---@field inputs integer
---@field tokens integer
---@field threads integer
---@field cold boolean
---@field bytes integer of weights
---@field flop integer of a call
---@field undecided boolean the machine moved more than the result
---@field subjects bench.Subject[]
---@field limits bench.Subject[] 'avx512 peak', 'read' ...

--- Reads what bench --json wrote.
---@param path string
function M.read(path)
  local file = assert(io.open(path))
  local results, _, problem = json.decode(file:read('a'))
  file:close()
  if not results then
    error(('%s is no complete JSON (did the run end?): %s'):format(path, problem), 0)
  end
  if results.schema ~= 2 then
    error(('%s has another schema than 2: make it anew with ninja bench'):format(path), 0)
  end
  return results
end

local function named(list, name)
  for _, subject in ipairs(list) do
    if subject.name == name then return subject end
  end
end

---@param cell bench.Cell
---@param name? string of a subject; ffngen's best kernel where absent
---@return number? seconds
function M.seconds(cell, name)
  local subject = name and named(cell.subjects, name) or not name and cell.subjects[1]
  return subject and subject.seconds or nil
end

--- How near a kernel is to a limit of the same cell.
---@param cell bench.Cell
---@param limit string 'peak', of the kernel's instruction set, or 'read'
---@param isa? string of another kernel than the best one
---@return number?
---@return number? unsure as a part of it
function M.fraction(cell, limit, isa)
  local kernel = isa and named(cell.subjects, isa) or not isa and cell.subjects[1] or nil
  if not kernel then return nil end
  local found = named(cell.limits, limit == 'peak' and kernel.name .. ' peak' or limit)
  if not found then return nil end
  return found.ratio / kernel.ratio, found.unsure + (isa and kernel.unsure or 0)
end

--- What the call takes at least, by the nearer limit of the best kernel.
---@param cell bench.Cell
---@return number? seconds
function M.limit_seconds(cell)
  local peak = named(cell.limits, cell.subjects[1].name .. ' peak')
  local read = named(cell.limits, 'read')
  if peak and read then return math.max(peak.seconds, read.seconds) end
  return peak and peak.seconds or read and read.seconds
end

local isas = { c = true, neon = true, avx2 = true, avx512 = true }

--- Not a kernel of ffngen ('avx512 2' is one once more).
---@param subject bench.Subject
function M.is_peer(subject) return not isas[subject.name:match('^%w+')] end

--- The fastest peer of a cell whose sums are those of floats, with its time over ffngen's.
---@param cell bench.Cell
---@return string? name
---@return number? ratio more than 1: ffngen is faster
---@return number? unsure as a part of it
function M.best_peer(cell)
  local best
  for _, subject in ipairs(cell.subjects) do
    local library = M.is_peer(subject) and subject.name ~= 'f32' and not subject.narrow
    if library and (not best or subject.ratio < best.ratio) then best = subject end
  end
  if best then return best.name, best.ratio, best.unsure end
end

--- The time of the kernel of f32 over that of a cell's, whose weights are compressed.
---@param cell bench.Cell
---@return number? ratio
---@return number? unsure as a part of it
function M.over_f32(cell)
  for _, subject in ipairs(cell.subjects) do
    if subject.name == 'f32' then return subject.ratio, subject.unsure end
  end
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
