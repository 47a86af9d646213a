--- A file of weights to embed: it is taken for what a second reader says it is, or refused.
local files = require 'folder'
local in_process = require 'in_process'
local strict = require 'strict_weights'
local verdict = require 'verdict'
local weight_files = require 'weight_files'

local M = {}

---@param random Random
function M.make(random)
  local form, model = random:pick(weight_files.forms), random:range(1, #weight_files.models)
  return {
    form = form, model = model,
    text = weight_files.random(random, form, weight_files.models[model]),
  }
end

function M.show(case)
  return ('-- w.%s for %s\n%s'):format(case.form, weight_files.models[case.model].spec, case.text)
end

--- A file of weights in C.
local function embedded(folder, root, file)
  local result = in_process.run(root, {
    'vendor', 'my.lua', '--isa', 'c', '--no-dispatch', '--single-file', '--prefix', 'my',
    '--weights', file, '--out', 'out',
  }, folder)
  return result, files.read(folder .. '/out/my.c')
end

---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  local model = weight_files.models[case.model]
  files.write(folder .. '/my.lua', model.spec)
  local file = 'w.' .. case.form
  files.write(folder .. '/' .. file, case.text)
  local expected = strict[case.form](case.text, model.tensors)
  local result, made = embedded(folder, root, file)
  local problem = verdict.of(result, file, made ~= nil)
  if problem then return problem, 'failed' end
  if result.code ~= 0 then
    return expected and 'a right file is refused: ' .. result.err, 'refused'
  end
  if not expected then return 'a file is taken that a second reader refuses', 'failed' end
  files.empty(folder .. '/out')
  files.write(folder .. '/w.bin', expected)
  local _, plain = embedded(folder, root, 'w.bin')
  return made ~= plain and 'other numbers than a second reader has' or nil, 'taken'
end

return M
