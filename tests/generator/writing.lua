--- The one writer: whatever stops it, whatever lies in its way, whoever else writes there.
local lfs = require 'lfs'
local unit = require 'luaunit'
local support = require 'support'

local files = require 'write.files'

local function user_folder(text)
  return support.user_folder(text or "linear 'map' { d_model = 5, d_out = 33 }")
end

local function generate(folder, options, ...)
  options = options or {}
  options.dir = folder
  return support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', 'c,avx2', ... }, options)
end

--- The output for a spec, made elsewhere.
local function output_of(text)
  local folder = user_folder(text)
  support.assert_code(generate(folder), 0, 'elsewhere')
  return support.snapshot(folder .. '/out')
end

TestWriting = {}

--- A move that fails half way: what was moved is put back. No file system does this on demand.
function TestWriting.test_failing_move()
  local rename, remove, link = os.rename, os.remove, lfs.link
  for round = 1, 12 do
    local fails_at, links = (round + 1) // 2, round % 2 == 0
    local folder, moves = support.folder(), 0
    for _, name in ipairs { 'changed', 'same', 'stale', 'stale2' } do
      support.write(folder .. '/' .. name, (name == 'changed' and 'old' or name) .. ' text')
    end
    local before = support.snapshot(folder)
    --- Moves into the folder, and removals from it, are what can fail.
    local function fragile(operation, place_of)
      return function(...)
        if place_of(...):match('^' .. folder:gsub('%p', '%%%0') .. '/%w+$') then
          moves = moves + 1
          if moves == fails_at then return nil, 'the disk is gone' end
        end
        return operation(...)
      end
    end
    local output = {
      folder = folder, maker = 'test', is_ours = function() return true end,
      is_stale = function(name) return name:match('^stale') ~= nil end,
      files = {
        { path = 'changed', text = 'new text' }, { path = 'same', text = 'same text' },
        { path = 'fresh', text = 'fresh text' }, { path = 'late', text = 'late text' },
      },
    }
    unit.assertEquals(#files.compare(output), 5)
    os.rename = fragile(rename, function(_, to) return to end) -- luacheck: ignore
    os.remove = fragile(remove, function(path) return path end) -- luacheck: ignore
    if not links then lfs.link = function() return nil, 'no links here' end end
    local ok, problem = pcall(files.write, output)
    os.rename, os.remove, lfs.link = rename, remove, link -- luacheck: ignore
    if fails_at == 6 then
      unit.assertTrue(ok, tostring(problem))
      unit.assertEquals(support.snapshot(folder), { changed = 'new text', same = 'same text',
        fresh = 'fresh text', late = 'late text' })
    else
      unit.assertFalse(ok)
      unit.assertStrContains(tostring(problem), 'the disk is gone')
      unit.assertStrContains(tostring(problem), folder .. '/')
      support.assert_same(support.snapshot(folder), before, 'move ' .. fails_at)
    end
  end
end

-- What lies in the way ---------------------------------------------------------------------------

--- Files that generate did not make are not overwritten, whatever their names.
function TestWriting.test_others_files()
  for _, name in ipairs {
    'cpu.c', 'ffn.c', 'ffn.h', 'ffn.hpp', 'ffn_arrange.h', 'kernel.h', 'reference.c', 'reference.h',
    'reference_s8.c', 'registry.c', 'selfcheck.c', 'kernels.inc', 'activations.inc',
    'linear_d5_o33_f32_c.c', 'tasks.h',
  } do
    for i, text in ipairs { '', 'int mine;\n', '/* SPDX-License-Identifier: MIT */\n' } do
      local folder = user_folder()
      support.sh('mkdir', folder .. '/out')
      support.write(folder .. '/out/' .. name, text)
      local before = support.snapshot(folder)
      local ways = { '--threads=team', '--dry-run' }
      for _, dry in ipairs(support.full and ways or { ways[i % 2 + 1] }) do
        local result = generate(folder, {}, '--threads=team', dry)
        support.assert_code(result, 1, name)
        support.assert_has(result.err,
          ('out/%s: ffngen generate did not make this file, and does not'):format(name), name)
        support.assert_has(result.err, 'nothing was written', name)
        support.assert_same(support.snapshot(folder), before, name)
      end
    end
  end
end

--- Each verb leaves what the other made.
function TestWriting.test_two_verbs()
  local folder = user_folder()
  support.assert_code(generate(folder), 0, 'generate')
  local before = support.snapshot(folder)
  local vendor = { 'vendor', 'my.lua', '--out', 'out' }
  local result = support.ffngen(vendor, { dir = folder })
  support.assert_code(result, 1, 'vendor over generate')
  support.assert_has(result.err, 'ffngen vendor did not make this file', 'vendor over generate')
  support.assert_same(support.snapshot(folder), before, 'vendor over generate')
  support.sh('rm -rf', folder .. '/out')
  support.assert_code(support.ffngen(vendor, { dir = folder }), 0, 'vendor')
  before = support.snapshot(folder)
  result = generate(folder)
  support.assert_code(result, 1, 'generate over vendor')
  support.assert_has(result.err, 'ffngen generate did not make this file', 'generate over vendor')
  support.assert_same(support.snapshot(folder), before, 'generate over vendor')
end

--- What an older version made is replaced: runtime and kernels are known by their first lines.
function TestWriting.test_older_version()
  local folder = user_folder()
  support.assert_code(generate(folder), 0, 'generate')
  local made = support.snapshot(folder .. '/out')
  for path, text in pairs(made) do
    support.write(folder .. '/out/' .. path, (text:gsub('\n#', '\n/* older */\n#', 1)) .. '\n')
  end
  support.assert_code(generate(folder), 0, 'over an older version')
  support.assert_same(support.snapshot(folder .. '/out'), made, 'over an older version')
end

--- A checkout that changes line ends makes no file somebody else's.
function TestWriting.test_line_ends()
  local folder = user_folder()
  support.assert_code(generate(folder), 0, 'generate')
  local made = support.snapshot(folder .. '/out')
  for path, text in pairs(made) do
    -- Of an older version: compared by its first lines.
    support.write(folder .. '/out/' .. path, ((text .. '\n'):gsub('\n', '\r\n')))
  end
  support.assert_code(generate(folder), 0, 'over other line ends')
  support.assert_same(support.snapshot(folder .. '/out'), made, 'over other line ends')
end

--- Links are replaced, and never written through.
function TestWriting.test_links()
  local expected = output_of()
  local folder = user_folder()
  support.sh('mkdir', folder .. '/out', folder .. '/elsewhere')
  support.write(folder .. '/elsewhere/kernel.h', expected['kernel.h'] .. '\n')
  support.write(folder .. '/elsewhere/same.h', expected['ffn.h'])
  for name, target in pairs {
    ['kernel.h'] = 'kernel.h', ['ffn.h'] = 'same.h', ['cpu.c'] = 'nothing.c',
    ['.cpu.c.new'] = 'nothing.c', ['.ffngen.lock'] = 'lock',
  } do
    assert(lfs.link('../elsewhere/' .. target, folder .. '/out/' .. name, true))
  end
  local elsewhere = support.snapshot(folder .. '/elsewhere')
  support.assert_code(generate(folder), 0, 'over links')
  support.assert_same(support.snapshot(folder .. '/elsewhere'), elsewhere, 'behind the links')
  for path, text in pairs(expected) do
    unit.assertEquals(lfs.symlinkattributes(folder .. '/out/' .. path, 'mode'), 'file', path)
    unit.assertTrue(support.read(folder .. '/out/' .. path) == text, path)
  end
  -- A link to somebody's own file is his.
  os.remove(folder .. '/out/kernel.h')
  support.write(folder .. '/elsewhere/kernel.h', 'mine\n')
  assert(lfs.link('../elsewhere/kernel.h', folder .. '/out/kernel.h', true))
  local result = generate(folder)
  support.assert_code(result, 1, 'a link to mine')
  support.assert_has(result.err, 'out/kernel.h: ffngen generate did not make this file',
    'a link to mine')
  unit.assertEquals(support.read(folder .. '/elsewhere/kernel.h'), 'mine\n')
  unit.assertEquals(lfs.symlinkattributes(folder .. '/out/kernel.h', 'mode'), 'link')
end

--- What is no file is not opened, and what is long not read: a pipe would wait for ever.
function TestWriting.test_pipes_and_large_files()
  for _, case in ipairs { { 'generate', 'kernel.h' }, { 'vendor', 'ffn_kernel.h' } } do
    local words, header = { case[1], 'my.lua', '--out', 'out' }, 'out/' .. case[2]
    local folder, limits = user_folder(), { before = 'ulimit -v 100000;', seconds = 10 }
    limits.dir = folder
    support.sh('mkdir', folder .. '/out')
    support.sh('mkfifo', folder .. '/out/mine.c', folder .. '/out/ffn_relu_d4_f8_f32_c.c')
    support.sh('truncate -s 6G', folder .. '/out/data.c', folder .. '/out/data.inc')
    support.assert_code(support.ffngen(words, limits), 0, 'beside ' .. words[1])
    os.remove(folder .. '/' .. header)
    support.sh('mkfifo', folder .. '/' .. header)
    local result = support.ffngen(words, limits)
    support.assert_code(result, 1, 'a pipe: ' .. words[1])
    support.assert_has(result.err, header .. ': this is a named pipe, and a file must be here',
      'a pipe')
    os.remove(folder .. '/' .. header)
    support.sh('truncate -s 6G', folder .. '/' .. header)
    result = support.ffngen(words, limits)
    support.assert_code(result, 1, 'a large file: ' .. words[1])
    support.assert_has(result.err, ('%s: ffngen %s did not make this file'):format(header,
      words[1]), 'a large file')
    support.sh('rm -r', folder .. '/out')
  end
end

-- What stops it ----------------------------------------------------------------------------------

--- A folder that cannot be written, or is full: the message names it, and it is as it was.
function TestWriting.test_no_room()
  local folder = user_folder()
  local result = support.ffngen({ 'generate', 'my.lua', '--out', '/proc/ffngen' }, { dir = folder })
  support.assert_code(result, 1, 'no such folder')
  support.assert_has(result.err, 'ffngen: /proc/ffngen: No such file', 'no such folder')
  -- What was made for nothing goes again.
  result = generate(folder, { before = "trap '' XFSZ; ulimit -f 20;" }, '--out', 'out/of/room')
  support.assert_code(result, 1, 'a full disk')
  support.assert_has(result.err, 'ffngen: out/of/room/', 'a full disk')
  support.assert_has(result.err, ': File too large', 'a full disk')
  unit.assertFalse(support.exists(folder .. '/out'), 'a full disk')
  -- A small disk, and one that is read only.
  local script = ([[
mkdir disk && mount -t tmpfs -o size=%s tmpfs disk || exit 77
if [ %s = ro ]; then mkdir disk/out && mount -o remount,ro disk || exit 77; fi
"$@" || code=$?
find disk -mindepth 1
exit $code]])
  for _, case in ipairs {
    { '64k', 'rw', 'No space left on device', '' },
    { '64k', 'ro', 'Read-only file system', 'disk/out\n' },
  } do
    folder = user_folder()
    result = support.run({ 'unshare', '-rm', 'sh', '-c', script:format(case[1], case[2]), 'sh',
      support.project .. '/ffngen', 'generate', 'my.lua', '--out', 'disk/out' }, { dir = folder })
    if result.code ~= 77 and result.code ~= 127 and not result.err:find('unshare') then
      support.assert_code(result, 1, case[3])
      support.assert_has(result.err, 'ffngen: disk/out', case[3])
      support.assert_has(result.err, case[3], case[3])
      unit.assertEquals(result.out, case[4], case[3])
    end
  end
end

-- Who else writes there --------------------------------------------------------------------------

--- Several runs at once end as if they had come one after the other.
function TestWriting.test_side_by_side()
  local specs = {}
  for i = 1, 4 do
    specs[i] = ("linear 'a' { d_model = 4, d_out = %d } linear 'b' { d_model = 4, d_out = 9 }")
      :format(i)
  end
  local outputs = {}
  for i, text in ipairs(specs) do
    local folder = support.folder()
    support.write(('%s/spec%d.lua'):format(folder, i), text)
    support.assert_code(support.ffngen({ 'generate', ('spec%d.lua'):format(i), '--out', 'out',
      '--isa', 'c,avx2' }, { dir = folder }), 0, 'alone')
    outputs[i] = support.snapshot(folder .. '/out')
  end
  for round = 1, support.full and 100 or 6 do
    local folder, script, runs = user_folder(), {}, 2 + round % 3
    for i = 1, runs do
      support.write(('%s/spec%d.lua'):format(folder, i), specs[i])
      script[i] = ('"$0" generate spec%d.lua --out out --isa c,avx2 >log%d 2>&1; echo $? >code%d')
        :format(i, i, i)
    end
    local together = '{ ' .. table.concat(script, '; } & { ') .. '; } & wait'
    support.assert_code(support.run({ 'sh', '-c', together, support.project .. '/ffngen' },
      { dir = folder }), 0, 'together')
    for i = 1, runs do
      unit.assertEquals(support.read(('%s/code%d'):format(folder, i)), '0\n',
        support.read(('%s/log%d'):format(folder, i)))
    end
    local found, same = support.snapshot(folder .. '/out'), 0
    for _, output in ipairs(outputs) do
      local is_same = #support.keys(found) == #support.keys(output)
      for path, text in pairs(output) do is_same = is_same and found[path] == text end
      if is_same then same = same + 1 end
    end
    unit.assertEquals(same, 1, ('round %d: %s'):format(round,
      table.concat(support.keys(found), ' ')))
  end
end

--- What lies where the lock would be, and is none, stays as it is: also by another name.
function TestWriting.test_no_lock()
  local folder = user_folder()
  support.sh('mkdir', folder .. '/out')
  support.write(folder .. '/precious', 'mine\n')
  support.sh('ln', folder .. '/precious', folder .. '/out/.ffngen.lock')
  local result = generate(folder)
  support.assert_code(result, 1, 'a file of another')
  support.assert_has(result.err, '.ffngen.lock: this file is not a lock of ffngen: move it to '
    .. 'another place')
  unit.assertEquals(support.read(folder .. '/precious'), 'mine\n')
  unit.assertEquals(support.read(folder .. '/out/.ffngen.lock'), 'mine\n')
end

--- A run waits while another has the lock, and no longer than the other lives.
function TestWriting.test_waits()
  local folder, expected = user_folder(), output_of()
  support.sh('mkdir', folder .. '/out')
  support.write(folder .. '/hold.lua', [[
local lfs = require 'lfs'
local handle = io.open('out/.ffngen.lock', 'w')
assert(lfs.lock(handle, 'w'))
io.stdout:write('held\n') io.stdout:flush()
os.execute('sleep 30')
]])
  local script = [[
lua5.4 hold.lua >held & hold=$!
until [ -s held ]; do sleep 0.05; done
"$0" generate my.lua --out out --isa c,avx2 & ffngen=$!
sleep 0.5
kill -0 $ffngen && ls out && kill $hold && wait $ffngen]]
  local result = support.run({ 'sh', '-c', script, support.project .. '/ffngen' }, { dir = folder })
  support.assert_code(result, 0, 'after the other has died')
  unit.assertEquals(result.out:match('^[^\n]*\n'), 'cd out && cc -O2 -I. *.c -lm -o selfcheck '
    .. '&& ./selfcheck\n')
  support.assert_same(support.snapshot(folder .. '/out'), expected, 'after the other has died')
  -- In vain.
  local lock = require 'write.lock'
  local holder = io.popen(('cd %s && echo $$ && exec lua5.4 hold.lua'):format(
    support.quote(folder)))
  local process = holder:read 'l'
  unit.assertEquals(holder:read 'l', 'held')
  local patience = lock.patience
  lock.patience = 0
  local ok, problem = pcall(lock.take, folder .. '/out')
  lock.patience = patience
  support.sh('kill', process)
  holder:close()
  unit.assertFalse(ok)
  unit.assertStrContains(tostring(problem), 'out: another run of ffngen is writing to this folder')
end
