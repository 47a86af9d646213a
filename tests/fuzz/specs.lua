--- Specs as text: what ffngen reads is either layers or somebody's mistake, with its place.
local files = require 'folder'
local in_process = require 'in_process'
local layer_text = require 'layer_text'
local mutants = require 'text_mutants'
local spec_text = require 'spec_text'
local verdict = require 'verdict'

local M = {
  name = 'specs',
  kilobytes = 512 * 1024, -- of memory, in all; nothing is started that would need more
  seconds = 40, -- until a case counts as endless
}

local most_cpu_seconds = 20

---@class SpecCase
---@field text string
---@field generate boolean  makes files of it, too

---@param random Random
---@return SpecCase
function M.make(random)
  return { text = spec_text.random(random), generate = random:chance(8) }
end

function M.show(case) return case.text end

local spec, root_of = 'my.lua', nil

--- A spec that is right, and what is said of it: it stays so whatever was read before it.
local sound = layer_text.file {
  { kind = 'ffn', name = 'sound', variant = 'swiglu', d_model = 24, d_ff = 'd_model * 8 // 3' },
}
local first_answer

local function still_sound(folder)
  files.write(folder .. '/sound.lua', sound)
  local again = in_process.run(root_of, { 'list', 'sound.lua' }, folder)
  first_answer = first_answer or again.out
  if again.code == 0 and again.out == first_answer then return nil end
  return ('another spec is read otherwise after it: exit %d, %s'):format(again.code,
    again.err .. again.out)
end

--- The same bytes twice, and then nothing to change.
local function generated(folder)
  local arguments = { 'generate', spec, '--isa', 'c,avx2', '--out', 'one' }
  local result = in_process.run(root_of, arguments, folder)
  local problem = verdict.of(result, spec, #files.list(folder .. '/one') > 0)
  if problem or result.code ~= 0 then return problem end
  local before = files.snapshot(folder .. '/one')
  arguments[#arguments] = 'two'
  in_process.run(root_of, arguments, folder)
  if not files.same(before, files.snapshot(folder .. '/two')) then return 'two runs differ' end
  local again = in_process.run(root_of, { table.unpack(arguments, 1, #arguments) }, folder)
  if again.code ~= 0 or not again.err:find(' 0 changed', 1, true) then
    return 'a second run changes files: ' .. again.err
  end
  return nil
end

---@param case SpecCase
---@param folder string is empty
---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  root_of = root
  files.write(folder .. '/' .. spec, case.text)
  local began = os.clock()
  local result = in_process.run(root, { 'list', spec }, folder)
  local took = os.clock() - began
  local problem = verdict.of(result, spec, false)
  if problem then return problem, 'failed' end
  if took > most_cpu_seconds then return ('reading it takes %.1f s'):format(took), 'failed' end
  if result.code == 0 then
    local again = in_process.run(root, { 'list', spec }, folder)
    if again.out ~= result.out then return 'it is read in two ways', 'failed' end
    -- Text for every layer takes long: where there are few.
    local _, kernels = result.out:gsub('\n', '')
    if case.generate and kernels <= 40 then problem = generated(folder) end
  end
  return problem or still_sound(folder), result.code == 0 and 'read' or 'refused'
end

---@param case SpecCase
function M.smaller(case)
  return coroutine.wrap(function()
    if case.generate then coroutine.yield { text = case.text, generate = false } end
    for text in mutants.shorter(case.text) do
      coroutine.yield { text = text, generate = case.generate }
    end
  end)
end

return M
