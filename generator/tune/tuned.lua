--- Records of measurements: written by `ffngen tune`, one file for each CPU; read by generation
--- when it is told to, and refused where they were made for something else.
local checks = require 'tune.record_check'
local choice_names = require 'emit.choices'
local machine = require 'tune.machine'
local disk = require 'common.disk'
local limits = require 'common.limits'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local sandbox = require 'read.sandbox'
local version = require 'common.version'

local M = {}

local max_file = limits.most 'record'

--- How a record is had.
local remedy = 'measure here: ffngen tune my.lua'

---@class TunedCandidate
---@field verdict string    of candidates.verdicts; the control is the default measured once more
---@field choices Choices
---@field ratios number[]   times by those of the plan's own choices, at each cell
---@field mean number       their geometric mean
---@field rounds integer    of the last stage that it was in

---@class TunedRegime
---@field name string
---@field cells string[]    "64 cold 2": tokens, where the weights came from, threads
---@field candidates TunedCandidate[]

---@class TunedKernel
---@field name string
---@field code string          of the C with these choices, as kernel_code.lua has it
---@field compiler string
---@field choices Choices       what to use
---@field from string          the profile whose choices all others were measured by
---@field untried integer      candidates that the time did not hold
---@field regimes TunedRegime[]  the last is that of the winners together, where there were any

---@class TunedRecord
---@field cpu string
---@field kernels TunedKernel[]
---@field path string
---@field by_name table<string, TunedKernel>

function M.path(root, cpu_name) return ('%sgenerator/tuned/%s.lua'):format(root, cpu_name) end

--- The value of a record's text: data, whatever else it tries to be.
local function value_of(path)
  local text, reason = disk.head(path, max_file + 1)
  if not text and not disk.exists(path) then
    problems.bad_input(path, 'there is no record here; %s', remedy)
  elseif not text then
    problems.bad_input(path, 'cannot be read: %s; a record is a file, %s', reason, remedy)
  elseif #text > max_file then
    limits.refuse(path, 'record')
  end
  local chunk, problem = load(text, sandbox.chunk_name, 't', {})
  local value, line
  if chunk then problem, line = sandbox.run(function() value = chunk() end, #text) end
  if problem then
    local at, message = tostring(problem):match('^%(spec%):(%d+): (.*)$')
    problems.bad_input(problems.place(path, math.tointeger(tonumber(at)) or line or 1), '%s; %s',
      message or tostring(problem), checks.remedy)
  elseif type(value) ~= 'table' then
    problems.bad_input(path, 'this file is not a record, as it returns no table; %s', checks.remedy)
  end
  return value
end

--- Whether a record is of this version of ffngen, whatever else is in it. A table that is none of
--- any version is somebody's.
function M.is_current(path)
  local r = value_of(path)
  if math.type(r.schema) ~= 'integer' or type(r.generator) ~= 'string' then
    problems.bad_input(path, 'this file is not a record of ffngen tune; choose another file with '
      .. '--out')
  end
  return r.schema == version.tuned and r.generator == version.generator
end

--- Reads a record, whatever it was made for.
---@param path string
---@return TunedRecord
function M.read(path)
  local check, r = checks.new(path), value_of(path)
  -- Before its fields are looked at: another version may have others.
  if r.schema ~= version.tuned then
    problems.bad_input(path, 'the record has schema %s, and ffngen %s reads schema %d; %s',
      record.shown(r.schema), version.generator, version.tuned, remedy)
  elseif r.generator ~= version.generator then
    problems.bad_input(path, 'the record is of ffngen %s, and this is %s, which may write other '
      .. 'code; %s', record.shown(r.generator), version.generator, remedy)
  end
  check.fields(r, checks.schema, 'the record')
  check.string(r.cpu, 'cpu', '^[%w_.-]+$')
  local by_name = {}
  check.list(r.kernels, 'kernels', function(k, place)
    checks.kernel(check, k, place)
    if by_name[k.name] then check.fail(place, 'occurs twice: %s', k.name) end
    by_name[k.name] = k
  end)
  return { path = path, cpu = r.cpu, kernels = r.kernels, by_name = by_name }
end

--- The record that generation was told to use.
---@param root string the project's folder
---@param given string a file, or 'auto' for the project's own record of the CPU
---@param cpu_name string|nil the CPU to generate for; nil is this machine's
---@return TunedRecord
function M.wanted(root, given, cpu_name)
  local wanted = cpu_name or machine.here()
  if not wanted then
    problems.bad_input('--tuned', 'this system does not say which CPU it has; name the CPU with '
      .. '--tuned-for CPU')
  end
  local path = given == 'auto' and M.path(root, wanted) or given
  local r = M.read(path)
  if r.cpu ~= wanted then
    problems.bad_input(path, 'the record is of the CPU %s, and %s is %s; %s, or write for that '
      .. 'CPU: --tuned-for %s', r.cpu,
      cpu_name and 'the CPU asked for' or 'this CPU', wanted, remedy, r.cpu)
  end
  return r
end

--- What of a record some plans took, in one line.
---@param r TunedRecord
---@param plans Plan[]
function M.summary(r, plans)
  local known, changed = 0, 0
  for _, p in ipairs(plans) do
    if p.tuned_for then known = known + 1 end
    if p.tuned_for and #choice_names.changes(p.choices, p.profile.choices) > 0 then
      changed = changed + 1
    end
  end
  return ('%d of %d kernels have a measurement of %s, and %d of them have other settings for it')
    :format(known, #plans,
    r.cpu, changed)
end

--- Old measurements and new ones, sorted by name. A new one takes the place of an old one, but
--- where the time held none.
---@param old TunedKernel[]
---@param new TunedKernel[]
---@return TunedKernel[]
function M.merged(old, new)
  local result, taken = {}, {}
  local measured = lists.filter(new, function(k) return #k.regimes > 0 end)
  for _, list in ipairs { measured, old, new } do
    for _, k in ipairs(list) do
      if not taken[k.name] then
        taken[k.name] = true
        result[#result + 1] = k
      end
    end
  end
  table.sort(result, function(a, b) return a.name < b.name end)
  return result
end

return M
