--- What the generator's tests share: a copy of the project to work on, processes, folders.
local lfs = require 'lfs'
local unit = require 'luaunit'

local M = {}

local function absolute(path)
  return path:match('^/') and path or lfs.currentdir() .. '/' .. path
end

local function capture(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read('a')
  pipe:close()
  return (text:gsub('\n$', ''))
end
M.capture = capture

--- A word for the shell.
function M.quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

--- Runs a command that must succeed.
function M.sh(command, ...)
  local words = { ... }
  for i, word in ipairs(words) do words[i] = M.quote(word) end
  assert(os.execute(command .. ' ' .. table.concat(words, ' ')), command)
end

M.root = capture('cd ' .. M.quote(absolute(arg[0]):match('^(.*)/')) .. '/../.. && pwd')
M.temp = capture('mktemp -d')
assert(M.temp:match('^/.+/.+'), 'mktemp -d gave no folder')

package.path = M.root .. '/tests/support/?.lua;' .. package.path
local in_process = require 'in_process'

function M.clean_up()
  if os.getenv('KEEP') then print('kept: ' .. M.temp) return end
  M.sh('chmod -R u+rwX', M.temp)
  M.sh('rm -rf', M.temp)
end

--- A copy of the project for tests to break. All are copies of the first one: what is edited in
--- the repository while the tests run does not make copies differ.
function M.copy_project(name)
  local copy = M.temp .. '/' .. name
  M.sh('mkdir -p', copy .. '/tests')
  M.sh('cp -R', (M.project or M.root) .. '/tests/specs', copy .. '/tests/')
  for _, part in ipairs { 'generator', 'templates', 'runtime', 'generated', 'ffngen' } do
    M.sh('cp -R', (M.project or M.root) .. '/' .. part, copy .. '/')
  end
  return copy
end

--- The choices of any CPU, some of them changed.
---@param change table<string, integer>
function M.choices(change)
  local choices = {}
  for name, value in pairs(require('cpu').all[1].choices) do choices[name] = value end
  for name, value in pairs(change) do choices[name] = value end
  return choices
end

--- Every spec file of the project: what it ships, and what its tests are made of.
---@return string[] paths
function M.spec_files()
  local paths = {}
  for _, folder in ipairs { M.project .. '/generator/specs/', M.project .. '/tests/specs/' } do
    for _, path in ipairs(M.keys(M.snapshot(folder))) do paths[#paths + 1] = folder .. path end
  end
  return paths
end

-- Files ----------------------------------------------------------------------------------------

function M.read(path)
  local handle = assert(io.open(path, 'rb'))
  local text = handle:read('a')
  handle:close()
  return text
end

function M.write(path, text)
  local handle = assert(io.open(path, 'wb'))
  assert(handle:write(text))
  assert(handle:close())
end

function M.exists(path) return lfs.symlinkattributes(path, 'mode') ~= nil end

--- Keys of a table, sorted.
function M.keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- A folder as { path = text, or '(directory)' }, hidden files included.
function M.snapshot(folder)
  local result = {}
  local function walk(prefix)
    for entry in lfs.dir(folder .. '/' .. prefix) do
      if entry ~= '.' and entry ~= '..' then
        local path = prefix .. entry
        if lfs.attributes(folder .. '/' .. path, 'mode') == 'directory' then
          result[path] = '(directory)'
          walk(path .. '/')
        else
          result[path] = M.read(folder .. '/' .. path)
        end
      end
    end
  end
  if M.exists(folder) then walk('') end
  return result
end

--- Asserts that two snapshots are the same, without printing megabytes.
function M.assert_same(actual, expected, what)
  unit.assertEquals(M.keys(actual), M.keys(expected), what .. ': the files')
  for _, path in ipairs(M.keys(expected)) do
    unit.assertTrue(actual[path] == expected[path], what .. ': ' .. path .. ' differs')
  end
end

local folders = 0

--- A new empty folder.
function M.folder()
  folders = folders + 1
  local path = ('%s/t%d'):format(M.temp, folders)
  assert(lfs.mkdir(path))
  return path
end

--- A new folder with a user's spec file, my.lua.
---@param text string
---@return string path
function M.user_folder(text)
  local folder = M.folder()
  M.write(folder .. '/my.lua', text)
  return folder
end

--- A user's layers: every kind, small.
M.layers = [[
schema(1)
ffn 'block' {
  about = 'A block',
  variant = 'swiglu', d_model = 12, d_ff = llama_d_ff { multiple_of = 8 }, d_out = 7,
}
mlp 'head' {
  d_model = 10, layers = { { 17, 'swish', beta = -0.5 }, { 3, 'sigmoid' } }, bias = true,
}
linear 'map' { d_model = 5, d_out = 33, bias = true }
glu 'gate' { variant = 'swiglu_beta', d_model = 9, d_out = 4 }
selfgate 'self' { activation = 'gelu', d_model = 6 }
]]

M.layer_names = {
  'ffn_swiglu_d12_f32_o7_f32', 'glu_swiglu_beta_d9_o4_f32', 'linear_bias_d5_o33_f32',
  'mlp_10_swish_betam0p5x17_sigmoid3_bias_f32', 'selfgate_gelu_d6_f32',
}

-- Processes ------------------------------------------------------------------------------------

--- Runs words as a process: no shell sees them. Two minutes, and it hangs: code 124.
---@param words string[]
---@param options table|nil { dir =, env = { 'A=b' }, before = shell text, seconds = }
---@return Outcome
function M.run(words, options)
  options = options or {}
  local line = {}
  for _, variable in ipairs(options.env or {}) do line[#line + 1] = M.quote(variable) end
  line[#line + 1] = ('timeout %d'):format(options.seconds or 120)
  for _, word in ipairs(words) do line[#line + 1] = M.quote(word) end
  local out, err = M.temp .. '/stdout', M.temp .. '/stderr'
  local command = ('cd %s && { %s env %s; } >%s 2>%s </dev/null'):format(
    M.quote(options.dir or M.temp), options.before or '', table.concat(line, ' '), M.quote(out),
    M.quote(err))
  local _, how, code = os.execute(command)
  assert(how == 'exit', command .. ': ended by signal ' .. tostring(code))
  return { code = code, out = M.read(out), err = M.read(err) }
end

--- FULL=1 asks for the exhaustive form of what takes long: `ninja test-full` does.
M.full = os.getenv('FULL') == '1'

local turn = dofile(M.root .. '/tests/support/turn.lua')
local ffngen_calls = turn.all() and 0 or turn.number()

--- Whether it is the turn of one of several parts, the first of which is 0.
---@param part integer
---@param parts integer
function M.is_turn(part, parts) return (turn.part(parts) or part) == part end

--- In the full form a tenth of the calls, whose turn it is, is a process, as a user's are.
local function is_turn_of_process()
  ffngen_calls = ffngen_calls + 1
  return M.full and (ffngen_calls % 10 == 0 or turn.all())
end

--- Runs ffngen of the copy: in a process of its own where the options need one.
---@return Outcome
function M.ffngen(arguments, options)
  options = options or {}
  if options.env or options.before or options.seconds or is_turn_of_process() then
    return M.run({ M.project .. '/ffngen', table.unpack(arguments) }, options)
  end
  return in_process.run(M.project, arguments, options.dir or M.temp)
end

--- The format of each stage of a spec, f32.
---@param s table  a spec's fields
---@return string[]
function M.all_f32(s) return M.of_all(s, 'f32') end

--- The arithmetics of a spec's stages: all of them the rule.
function M.all_fma(s) return M.of_all(s, 'fma_f32') end

--- A word for each stage of a spec.
function M.of_all(s, word)
  local words = {}
  for i = 1, s.widths and #s.widths or s.d_ff and 2 or 1 do words[i] = word end
  return words
end

--- With these words behind those of vocabularies, by their folder, for the time of a call.
---@param words table<string, string[]>
function M.with_words(words, call)
  local kept = {}
  for _, folder in ipairs(M.keys(words)) do
    local vocabulary = require(folder)
    kept[folder] = vocabulary.names
    vocabulary.names = table.move(words[folder], 1, #words[folder], #vocabulary.names + 1,
      { table.unpack(vocabulary.names) })
  end
  local ok, problem = pcall(call)
  for _, folder in ipairs(M.keys(words)) do require(folder).names = kept[folder] end
  if not ok then error(problem, 0) end
end

--- The instruction sets that sum in f32: others are there for another arithmetic alone.
---@return string[]
function M.f32_isas()
  local arithmetics = require 'read.arithmetics'
  return arithmetics.isas(require 'arithmetic'.names[1])
end

--- Asserts an exit code, showing what was said when it is another.
function M.assert_code(outcome, code, what)
  if outcome.code ~= code then
    unit.fail(('%s: exit code %d, not %d\nstdout: %s\nstderr: %s'):format(what, outcome.code, code,
      outcome.out:sub(1, 500), outcome.err:sub(1, 1500)))
  end
end

--- Lets kernels of a folder run where this CPU lacks instructions that have stand-ins: they are
--- rewritten, to be compiled with these flags.
---@return string[]
function M.stand_ins(folder)
  local flag = M.capture(('%s/tests/scripts/stand_in.sh %s'):format(M.quote(M.root),
    M.quote(folder)))
  if flag == '' then return {} end
  return { flag, '-include', M.root .. '/tests/support/stand_in.h' }
end

--- `ffngen vendor my.lua --out out ...` in a user's folder, which must succeed.
---@return table<string, string> files, Outcome outcome
function M.vendor(folder, ...)
  local outcome = M.ffngen({ 'vendor', 'my.lua', '--out', 'out', ... }, { dir = folder })
  M.assert_code(outcome, 0, 'vendor ' .. table.concat({ ... }, ' '))
  return M.snapshot(folder .. '/out'), outcome
end

function M.assert_has(text, part, what)
  if not text:find(part, 1, true) then
    unit.fail(('%s: no "%s" in: %s'):format(what, part, text:sub(1, 1500)))
  end
end

function M.assert_lacks(text, part, what)
  local at = text:find(part, 1, true)
  if at then
    unit.fail(('%s: "%s" in: %s'):format(what, part, text:sub(math.max(1, at - 200), at + 200)))
  end
end

-- The copy that most tests share, at a path with a space; its generator is also the one that they
-- require.
M.project = M.copy_project('the project')
package.path = ('%s/generator/?.lua;%s/generator/?/init.lua;'):format(M.project, M.project)
  .. package.path
M.assert_code(M.run { M.project .. '/ffngen', 'generate' }, 0,
  'ffngen generate in a copy of the project')

return M
