--- What lies in the folder that `generate` writes to: its own files in any state, and others'.
local files = require 'folder'
local in_process = require 'in_process'
local lfs = require 'lfs'
local mutants = require 'text_mutants'
local process = require 'process'

local M = {}

local spec = "linear 'it' { d_model = 3, d_out = 2 }"
local own = {
  'linear_d3_o2_f32_c.c', 'kernels.inc', 'isas.inc', 'kinds.inc', 'ffn.h', 'ffn.c', 'kernel.h',
  'cpu.c', 'activations.inc', 'formats.inc', 'profiles.inc',
}
local others = {
  'main.c', 'notes.txt', 'old_f32_c.c', 'more.inc', '.hidden', '.ffngen-new-1', '.ffngen.lock',
  'my.lua', 'ffn.h.new', '.ffn.c.new',
}
local states = { 'changed', 'cut', 'foreign', 'empty', 'link', 'loop', 'folder', 'pipe', 'gone' }

---@param random Random
function M.make(random)
  local changes, taken = {}, {}
  for _ = 1, random:range(1, 4) do
    local name = random:chance(60) and random:pick(own) or random:pick(others)
    if not taken[name] then
      local state = random:pick(states)
      changes[#changes + 1] = { name = name, state = state, seed = random:below(1 << 30) }
    end
    taken[name] = true
  end
  return { changes = changes }
end

function M.show(case)
  local lines = {}
  for i, change in ipairs(case.changes) do
    lines[i] = ('%s: %s'):format(change.name, change.state)
  end
  return table.concat(lines, '\n')
end

local put = {}

function put.changed(path, text, random) files.write(path, mutants.bytes(random, text, 3)) end
function put.cut(path, text, random) files.write(path, text:sub(1, random:below(#text + 1))) end
function put.foreign(path) files.write(path, '/* somebody\'s own */\nint x;\n') end
function put.empty(path) files.write(path, '') end
function put.link(path) lfs.link('../outside', path, true) end
function put.loop(path) lfs.link(path:match('[^/]+$'), path, true) end
function put.folder(path)
  lfs.mkdir(path)
  files.write(path .. '/inside', 'inside')
end
function put.pipe(path) os.execute('mkfifo ' .. process.quote(path)) end
function put.gone() end

local function generate(folder, root, out)
  return in_process.run(root, { 'generate', 'my.lua', '--isa', 'c', '--out', out }, folder)
end

--- What a run may leave or take away: what dead runs left, and the lock.
local of_writer = { ['.ffngen-new-1'] = true, ['.ffngen.lock'] = true }

--- Everything right after success, and nobody's file touched that is none of ours.
local function problem_of(case, before, after, clean)
  local extra = {}
  for path in pairs(after) do extra[path] = clean[path] == nil end
  local name = files.difference(clean, after, extra)
  if name then return name .. ' is not what it should be' end
  for _, change in ipairs(case.changes) do
    local there = change.state ~= 'changed' and change.state ~= 'cut'
    if there and not clean[change.name] and not of_writer[change.name]
      and after[change.name] ~= before[change.name] then
      return change.name .. ', somebody\'s own, is touched'
    end
  end
  return nil
end

---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  local random = require('random').new(case.changes[1] and case.changes[1].seed or 0)
  files.write(folder .. '/my.lua', spec)
  files.write(folder .. '/outside', 'outside')
  assert(generate(folder, root, 'clean').code == 0)
  assert(generate(folder, root, 'out').code == 0)
  local clean = files.snapshot(folder .. '/clean')
  for _, change in ipairs(case.changes) do
    local path = ('%s/out/%s'):format(folder, change.name)
    os.remove(path)
    put[change.state](path, clean[change.name] or '/* text */\n', random)
  end
  local before = files.snapshot(folder .. '/out')
  local result = generate(folder, root, 'out')
  local after = files.snapshot(folder .. '/out')
  if files.read(folder .. '/outside') ~= 'outside' then
    return 'a file outside is touched', 'failed'
  end
  if result.code == 0 then return problem_of(case, before, after, clean), 'written' end
  if result.code ~= 1 or result.err:find('internal error', 1, true)
    or not result.err:find('^ffngen: out/[^\n]+\n') then
    return ('exit %d, %s'):format(result.code, result.err), 'failed'
  end
  local name = files.difference(before, after, of_writer)
  return name and ('%s is touched by a run that fails: %s'):format(name, result.err) or nil,
    'refused'
end

return M
