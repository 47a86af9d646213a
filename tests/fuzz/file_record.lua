--- A record of measurements: data with every field in its place, or refused.
local files = require 'folder'
local in_process = require 'in_process'
local mutants = require 'text_mutants'
local records = require 'records'
local verdict = require 'verdict'

local M = {}

local spec = "linear 'it' { d_model = 20, d_out = 33 }"
local kernel = 'linear_d20_o33_f32_c'

local dictionary = {
  'return', '{', '}', '=', ',', '[', ']', 'nil', 'true', '0', '-1', '1e9', '0/0', '1.5', "'x'",
  'schema', 'generator', 'cpu', 'kernels', 'name', 'choices', 'ratios', 'mean', 'regimes',
  'function() while true do end end', '(function() while true do end end)()', 'goto', 'os.exit()',
  '"x"', '("x"):rep(1 << 40)', '..', '#', 'local', 'end',
}

--- A right record of the spec's kernel in portable C.
local function right(random, root)
  local path = os.tmpname()
  files.write(path, spec)
  local text = records.text(random, root, path, 'c')
  os.remove(path)
  return text
end

---@param random Random
---@param root string of the project
function M.make(random, root)
  local text, way = right(random, root), random:below(8)
  if way == 0 then return { text = text, valid = true } end
  return {
    valid = false,
    text = way < 5 and mutants.words(random, text, dictionary, 3)
      or mutants.bytes(random, text, 3),
  }
end

function M.show(case) return case.text end

--- Whether the text is a table that says so of itself, by Lua alone.
local function says_so(text)
  local chunk = load(text, '=record', 't', {})
  local ok, r = pcall(chunk or error)
  return ok and type(r) == 'table' and r.cpu == records.cpu and type(r.kernels) == 'table'
    and r.kernels[1].name == kernel
end

---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  files.write(folder .. '/my.lua', spec)
  files.write(folder .. '/tuned.lua', case.text)
  local result = in_process.run(root, {
    'generate', 'my.lua', '--isa', 'c', '--tuned', 'tuned.lua', '--tuned-for', records.cpu, '--out',
    'out',
  }, folder)
  local problem = verdict.of(result, 'tuned.lua', #files.list(folder .. '/out') > 0)
  if problem then return problem, 'failed' end
  if result.code ~= 0 then
    return case.valid and 'a right record is refused: ' .. result.err or nil, 'refused'
  end
  if not says_so(case.text) then return 'a record is taken that is none', 'failed' end
  return nil, 'taken'
end

return M
