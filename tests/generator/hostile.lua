--- What lies around where a user stands, and what a spec tries to be: no code but the generator's
--- runs, nothing but the answer is written.
local unit = require 'luaunit'
local support = require 'support'

TestModules = {}

--- Files of the names that `require` looks for, in the folder where ffngen is started and wherever
--- the environment points: none of them runs.
function TestModules.test_nothing_but_ours()
  local folder = support.folder()
  local trap = ("local f = io.open('%s/sprung', 'w') f:close()"):format(folder)
  for _, name in ipairs {
    'lfs', 'argparse', 'dkjson', 'commands', 'pipeline', 'common/message', 'init',
  } do
    support.sh('mkdir -p', folder .. '/common', folder .. '/' .. name)
    support.write(('%s/%s.lua'):format(folder, name), trap)
    support.write(('%s/%s/init.lua'):format(folder, name), trap)
  end
  support.write(folder .. '/lfs.so', 'no library')
  support.write(folder .. '/my.lua', "linear 'a' { d_model = 2, d_out = 2 }")
  for what, env in pairs {
    ['the current folder'] = { 'A=b' },
    ['LUA_PATH'] = { 'LUA_PATH=' .. folder .. '/?.lua', 'LUA_CPATH=./?.so' },
    ['LUA_PATH_5_4'] = { 'LUA_PATH_5_4=./?.lua;;', 'LUA_CPATH_5_4=./?.so;;' },
    ['LUA_INIT'] = { 'LUA_INIT=@init.lua' }, ['LUA_INIT_5_4'] = { 'LUA_INIT_5_4=@init.lua' },
  } do
    local result = support.ffngen({ 'list', 'my.lua' }, { dir = folder, env = env })
    support.assert_code(result, 0, what)
    unit.assertFalse(support.exists(folder .. '/sprung'), what)
  end
  -- Without the launcher, relative places are left out too.
  local main = support.project .. '/generator/main.lua'
  local result = support.run({ 'lua5.4', main, 'list', 'my.lua' },
    { dir = folder, env = { 'LUA_PATH=./?.lua;;', 'LUA_CPATH=./?.so;;' } })
  support.assert_code(result, 0, 'main.lua')
  unit.assertFalse(support.exists(folder .. '/sprung'), 'main.lua')
end

--- What one spec file does to what is in its scope is not seen by the next.
function TestModules.test_spec_files_apart()
  local folder = support.folder()
  support.write(folder .. '/one.lua', [[
local t = { variant = 'relu', d_model = 4, d_ff = d_model * 2 }
ffn 'one' (t)
t.d_ff = 7
]])
  support.write(folder .. '/two.lua', "ffn 'two' { variant = 'relu', d_model = 4, d_ff = d_model }")
  local size = require 'read.size'
  local first, second = size.scope(), size.scope()
  unit.assertFalse(rawequal(first.d_model, second.d_model))
  unit.assertNil(next(first.d_model))
  unit.assertFalse(getmetatable(first.d_model))
  local result = support.ffngen({ 'list', 'one.lua', 'two.lua' }, { dir = folder })
  support.assert_code(result, 0, 'two files')
  support.assert_has(result.out, 'ffn_relu_d4_f4_f32_c ', 'two files')
end
