--- Same input, same bytes: from any folder, for any user, locale and time; no trace of any of them.
local unit = require 'luaunit'
local support = require 'support'

TestDeterminism = {}

local layers = [[
for i = 1, 5 do
  ffn('swish' .. i) { variant = 'swish', beta = 0.1 * i, d_model = 8 + i, d_ff = 24, bias = true }
end
ffn 'beta' { variant = 'swiglu_beta', d_model = 8, d_ff = llama_d_ff { multiple_of = 5 } }
mlp 'chain' { d_model = 7, layers = { { 9, 'mish' }, { 300, 'gelu' }, { 2, 'relu2' } } }
linear 'map' { d_model = 600, d_out = 33 }
glu 'gate' { variant = 'geglu_tanh', d_model = 9, d_out = 4 }
selfgate 'self' { activation = 'tanh', d_model = 6 }
]]

--- The output for `layers`, made under some circumstances.
local function output(options)
  local folder = support.folder()
  support.write(folder .. '/my.lua', layers)
  support.sh('chmod a+rwx', support.temp, folder)
  local words = { table.unpack(options.prefix or {}) }
  for _, word in ipairs { support.project .. '/ffngen', 'generate', folder .. '/my.lua', '--out',
    folder .. '/out' } do
    words[#words + 1] = word
  end
  local result = support.run(words, options)
  support.assert_code(result, 0, 'generate')
  local made = support.snapshot(folder .. '/out')
  unit.assertTrue(#support.keys(made) > 40)
  return made, result
end

function TestDeterminism:setUp()
  self.expected = self.expected or output {}
end

function TestDeterminism:test_twice() support.assert_same(output {}, self.expected, 'again') end

function TestDeterminism:test_other_folder()
  for _, dir in ipairs(support.full and { '/', support.project, '/usr/bin',
    support.project .. '/generated' } or { '/', support.project .. '/generated' }) do
    support.assert_same(output { dir = dir }, self.expected, dir)
  end
end

--- A relative path of the spec, and a copy of the project elsewhere.
function TestDeterminism:test_other_checkout()
  local folder, copy = support.folder(), support.copy_project('elsewhere')
  support.write(folder .. '/my.lua', layers)
  local result = support.run({ copy .. '/ffngen', 'generate', 'my.lua', '--out', '.' },
    { dir = folder })
  support.assert_code(result, 0, 'elsewhere')
  local made = support.snapshot(folder)
  made['my.lua'] = nil
  support.assert_same(made, self.expected, 'elsewhere')
  support.assert_code(support.run { copy .. '/ffngen', 'generate' }, 0, 'elsewhere')
  support.assert_same(support.snapshot(copy .. '/generated'),
    support.snapshot(support.project .. '/generated'), 'generated/ elsewhere')
end

--- A locale with a decimal comma; in full form one with a dotless i, too, made here: where
--- localedef is missing it falls back to C, which proves less and does no harm. The others count
--- where they are installed.
function TestDeterminism:test_other_locale()
  if not support.full then
    return support.assert_same(output { env = { 'LC_ALL=de_DE.UTF-8' } }, self.expected, 'de_DE')
  end
  local folder = support.folder()
  local made = os.execute(('localedef -i tr_TR -f UTF-8 %s/tr_TR.UTF-8 >/dev/null 2>&1'):format(
    support.quote(folder)))
  if not made then print('determinism: no localedef: no tr_TR.UTF-8') end
  for _, env in ipairs {
    { 'LOCPATH=' .. folder, 'LC_ALL=tr_TR.UTF-8' }, { 'LC_ALL=de_DE.UTF-8' }, { 'LC_ALL=de_DE' },
    { 'LC_ALL=C' }, { 'LC_ALL=nonsense' },
  } do
    support.assert_same(output { env = env }, self.expected, env[#env])
  end
end

function TestDeterminism:test_other_user()
  support.assert_same(output { env = { '-i', 'PATH=' .. os.getenv('PATH') } }, self.expected,
    'empty environment')
  support.assert_same(output { env = { 'HOME=/home/zaphod', 'USER=zaphod', 'LOGNAME=zaphod',
    'HOSTNAME=betelgeuse', 'TZ=Asia/Kathmandu', 'COLUMNS=40', 'SOURCE_DATE_EPOCH=0',
    'TMPDIR=/nonexistent', 'PWD=/nonsense' } }, self.expected, 'other environment')
  if support.capture('id -u') == '0' and os.execute('command -v setpriv >/dev/null 2>&1') then
    local made = output {
      prefix = { 'setpriv', '--reuid=65534', '--regid=65534', '--clear-groups' },
    }
    support.assert_same(made, self.expected, 'nobody')
  end
end

--- The seed of Lua's string hashes differs from process to process; many processes, one output.
function TestDeterminism.test_hash_order()
  local first
  for _ = 1, 8 do
    local list = support.ffngen { 'list', '--json' }.out .. support.ffngen { 'list' }.out
    unit.assertTrue(first == nil or list == first)
    first = list
  end
  unit.assertTrue(#first > 10000)
end

--- What no output may hold.
function TestDeterminism:test_no_trace()
  local words = { support.temp, support.project, support.root, '/tmp/', '/home/', '/root/', '/usr/',
    '/build/', '__DATE__', '__TIME__', '__FILE__', '__TIMESTAMP__', os.date('%Y-%m-%d'),
    os.date('%d %b'), os.date('%b %d') }
  local host = support.capture('uname -n')
  if #host > 4 then words[#words + 1] = host end
  local home = os.getenv('HOME')
  if home and #home > 4 then words[#words + 1] = home end
  local count = 0
  for _, made in ipairs { self.expected, support.snapshot(support.project .. '/generated') } do
    for path, text in pairs(made) do
      count = count + 1
      for _, word in ipairs(words) do support.assert_lacks(text, word, path) end
      unit.assertNil(text:find('%d%d%d%d%-%d%d%-%d%d'), path .. ': a date')
      unit.assertNil(text:find('%d%d:%d%d:%d%d'), path .. ': a time')
      unit.assertNil(text:find('[^%w%s]/%l+/%l'), path .. ': an absolute path')
      unit.assertNil(text:find('\r', 1, true), path .. ': a carriage return')
      unit.assertNil(text:find('[ \t]\n'), path .. ': a space at the end of a line')
      unit.assertEquals(text:sub(-1), '\n', path .. ': the last line')
    end
  end
  unit.assertTrue(count > 80)
end
