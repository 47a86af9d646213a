--- How ffn-pack writes: over nothing that is not its own, whole or not at all, and nothing is left
--- by what ended a run, killed at its system calls, told that each of them failed, beside another
--- run, or on a full disk. A file that had a name all the time is tried, too, as on systems where
--- none is without.
---
---   lua5.4 tests/pack/writing.lua FFN_PACK FFN_PACK_NAMED FOLDER
---
--- FOLDER is what plans.lua made, and ffn-pack packed. With FULL=1 every call, else some.
local json = require 'dkjson'
local lfs = require 'lfs'

local packers, origin = { arg[1], arg[2] }, arg[3]
local full = os.getenv 'FULL' == '1' or os.getenv 'TURNS' == 'all'
local failed, passed, skipped = 0, 0, {}

local function read(path)
  local file = io.open(path, 'rb')
  if not file then return nil end
  local text = file:read 'a'
  file:close()
  return text
end

local write = dofile('tests/support/write.lua')

local function check(is_right, what, ...)
  passed = passed + (is_right and 1 or 0)
  if is_right then return true end
  failed = failed + 1
  print((what):format(...))
  return false
end

--- Runs a command; its exit code, 128 and a signal's number, and what it said.
local function run(command)
  local pipe = io.popen(('{ %s\n} 2>&1'):format(command))
  local said = pipe:read 'a'
  local _, how, code = pipe:close()
  return how == 'signal' and 128 + code or code, said
end

local function sh(command)
  local code, said = run(command)
  if code ~= 0 then error(command .. ': ' .. said) end
  return said
end

-- ---- A model of two layers, and where it is packed to -------------------------------------------

local here = sh('cd ' .. origin .. ' && pwd'):gsub('%s+$', '') .. '/writing'
sh('rm -rf ' .. here)
lfs.mkdir(here)
do
  local plan = json.decode(read(origin .. '/PLAN.json'), 1, json.null)
  plan.layers, plan.rows = { plan.layers[1], plan.layers[2] }, { plan.rows[1], plan.rows[3] }
  plan.files[1].path = 'numbers.bin'
  lfs.mkdir(here .. '/m')
  write(here .. '/m/PLAN.json', json.encode(plan))
  sh(('cp %s/numbers.bin %s/m/numbers.bin'):format(origin, here))
end
local plan, source = here .. '/m/PLAN.json', here .. '/m/numbers.bin'
local whole = here .. '/whole.ffn'
local function pack(packer, out, more)
  return run(('%s %s %s --out %s'):format(more or '', packer, plan, out))
end
assert(pack(packers[1], whole) == 0)
local new = read(whole)
--- What an earlier run may have left at a place: ours, and another.
local old = new:sub(1, 100) .. ('\0'):rep(5000)

--- Names in a folder, hidden ones too.
local function names(folder)
  local list = {}
  for name in lfs.dir(folder) do
    if name ~= '.' and name ~= '..' then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, ' ')
end

local count = 0
--- An empty folder.
local function fresh()
  count = count + 1
  local folder = ('%s/%d'):format(here, count)
  lfs.mkdir(folder)
  return folder
end

-- ---- What is not written over -------------------------------------------------------------------

--- Whether a run is refused, and all that was there stays as it is.
local function stays(what, out, text)
  local before = sh(('stat -c "%%n %%i %%F %%s %%y" %s/m/* %s'):format(here, out))
  local plan_text, numbers = read(plan), read(source)
  for _, packer in ipairs(packers) do
    local code, said = pack(packer, out)
    check(code == 1 and said:find(text, 1, true), '%s: exit %d, not 1 with "%s": %s', what, code,
      text, said)
    local after = sh(('stat -c "%%n %%i %%F %%s %%y" %s/m/* %s'):format(here, out))
    check(before == after and read(plan) == plan_text and read(source) == numbers,
      '%s: it is another file now:\n%s%s', what, before, after)
  end
end

stays('the source', source, 'it is a file that the plan takes weights from')
stays('the plan', plan, 'it is the plan')
sh(('ln -s m %s/linked'):format(here))
stays('the source, by a linked folder', here .. '/linked/numbers.bin', 'takes weights from')
stays('the source, by another path', here .. '/m/../m/./numbers.bin', 'takes weights from')
do
  local folder = fresh()
  sh(('ln %s %s/hard'):format(source, folder))
  stays('the source, by another name', folder .. '/hard', 'takes weights from')
  sh(('ln -s %s %s/link'):format(source, folder))
  stays('a link to the source', folder .. '/link', 'it is a symbolic link')
  sh(('ln -s nowhere %s/lost'):format(folder))
  stays('a link to nowhere', folder .. '/lost', 'it is a symbolic link')
  sh(('cp %s %s/ours && ln -s ours %s/link_to_ours'):format(whole, folder, folder))
  stays('a link to ours', folder .. '/link_to_ours', 'it is a symbolic link')
  sh(('mkfifo %s/pipe'):format(folder))
  stays('a pipe', folder .. '/pipe', 'not a regular file')
  lfs.mkdir(folder .. '/folder')
  stays('a folder', folder .. '/folder', 'not a regular file')
  stays('a folder, with a slash', folder .. '/folder/', 'it is a folder')
  if run(('mknod %s/null c 1 3 && : >%s/null'):format(folder, folder)) == 0 then
    stays('a device', folder .. '/null', 'not a regular file')
  else
    skipped[#skipped + 1] = 'a device'
  end
  for name, text in pairs { foreign = 'somebody\'s own', short = 'FFN', empty = '',
    zeros = ('\0'):rep(64), near = 'FFNMODEM' .. ('\0'):rep(64) } do
    write(folder .. '/' .. name, text)
    stays('a file that is not ours: ' .. name, folder .. '/' .. name,
      'ffn-pack did not make this file')
  end
  check(names(folder):find('%.ffn%-pack') == nil, 'something is left: %s', names(folder))
end
-- What is ours is replaced, and what is read of a pipe is not waited for.
for _, packer in ipairs(packers) do
  local folder = fresh()
  write(folder .. '/x.ffn', old)
  local code, said = pack(packer, folder .. '/x.ffn')
  check(code == 0 and read(folder .. '/x.ffn') == new, 'over ours: exit %d: %s', code, said)
  check(names(folder) == 'x.ffn', 'over ours: left is %s', names(folder))
  sh(('mkfifo %s/pipe'):format(folder))
  local function waits(what, arguments, text)
    local ended, told = run(('timeout 20 %s %s'):format(packer, arguments))
    check(ended == 4 and told:find(text, 1, true), '%s: exit %d: %s', what, ended, told)
  end
  waits('a pipe as plan', folder .. '/pipe', 'it is not a regular file')
  waits('a pipe to compare', ('%s --check --out %s/pipe'):format(plan, folder),
    'it is not a regular file')
  local other = json.decode(read(plan), 1, json.null)
  other.files[1].path = folder .. '/pipe'
  write(folder .. '/other.json', json.encode(other))
  waits('a pipe as source', folder .. '/other.json', 'it is not a regular file')
end

-- ---- What dead runs left, and what others hold --------------------------------------------------

do
  local folder = fresh()
  local left = folder .. '/.ffn-pack-0123456789abcde'
  write(left .. '0', ('\0'):rep(99))
  write(left .. '1', '')
  write(left .. '2', new)
  write(left .. '3', 'not such a file')
  write(left .. '4x', '')
  sh(('ln -s 9 %s5 && mkfifo %s6'):format(left, left))
  local code, said = pack(packers[1], folder .. '/x.ffn')
  check(code == 0 and names(folder) == ('.ffn-pack-0123456789abcde3 .ffn-pack-0123456789abcde4x '
    .. '.ffn-pack-0123456789abcde5 .ffn-pack-0123456789abcde6 x.ffn'),
    'what dead runs left: exit %d, %s: %s', code, names(folder), said)
end

-- ---- Calls of the system ------------------------------------------------------------------------

local has_strace = run 'strace -o /dev/null true' == 0
if not has_strace then skipped[#skipped + 1] = 'system calls: no strace here' end

--- No second thread, so that calls come in one order.
local alone = '-e inject=clone,clone3:error=EAGAIN '
local slow = '-f -e inject=pwrite64:delay_enter=100000 '
local slower = '-f -e inject=pwrite64:delay_enter=200000 '

local function traced(packer, out, words)
  return pack(packer, out, ('strace -qq -o %s/log %s '):format(here, words))
end

--- Calls that ask for memory or tell the time.
local passive = { brk = true, mmap = true, munmap = true, mremap = true, madvise = true,
  mprotect = true, futex = true, exit_group = true, clone = true, clone3 = true }

--- The calls of a run from where it first looks at its folder, each by its name and number.
local function calls_of(packer, put)
  local folder = fresh()
  put(folder .. '/x.ffn')
  local code, said = traced(packer, folder .. '/x.ffn', '-y ' .. alone)
  assert(code == 0, said)
  local calls, counts = {}, {}
  for line in read(here .. '/log'):gmatch '[^\n]+' do
    local name = line:match '^([%w_]+)%('
    if name then
      counts[name] = (counts[name] or 0) + 1
      local begins = #calls > 0 or name:find '^open' and line:find(folder, 1, true)
      if begins and not passive[name] then
        calls[#calls + 1] = { name = name, number = counts[name], line = line }
      end
    end
  end
  assert(#calls > 15, #calls)
  return calls
end

--- The next run succeeds, and nothing is left of the last.
local function again(packer, folder, what)
  local code, said = pack(packer, folder .. '/x.ffn')
  check(code == 0 and read(folder .. '/x.ffn') == new and names(folder) == 'x.ffn',
    '%s, again: exit %d, %s: %s', what, code, names(folder), said)
end

local function put_old(path) write(path, old) end
local function put_none() end

--- Tries something at each of the calls, over an old file and where there is none.
local function at_each(try)
  for p, packer in ipairs(packers) do
    for _, put in ipairs { put_old, put_none } do
      local before = put == put_old and old or nil
      for i, call in ipairs(calls_of(packer, put)) do
        local of_file = call.name ~= 'pread64' and call.name ~= 'getdents64'
        if full or i % 3 == p % 3 or call.name:find '^rename' or call.name:find '^link' then
          local folder = fresh()
          put(folder .. '/x.ffn')
          try(packer, folder, call, before, of_file)
        end
      end
    end
  end
end

if has_strace then
  at_each(function(packer, folder, call, before)
    local code = traced(packer, folder .. '/x.ffn',
      ('%s-e inject=%s:signal=SIGKILL:when=%d'):format(alone, call.name, call.number))
    local there = read(folder .. '/x.ffn')
    check(code == 137 and (there == before or there == new), 'killed at %s: exit %d, %s', call.line,
      code, there and #there)
    again(packer, folder, 'killed at ' .. call.line)
  end)
  local errors, turn = { 'ENOSPC', 'EIO', 'EROFS', 'EDQUOT' }, 0
  local told = 0
  at_each(function(packer, folder, call, before)
    turn = turn + 1
    local name = errors[turn % #errors + 1]
    local code, said = traced(packer, folder .. '/x.ffn',
      ('%s-e inject=%s:error=%s:when=%d'):format(alone, call.name, name, call.number))
    local there = read(folder .. '/x.ffn')
    local what = ('%s of %s'):format(name, call.line)
    if code == 0 then
      check(there == new, '%s: exit 0, and it is not there', what)
    else
      told = told + 1
      check((there == before or there == new) and (code == 1 or code == 4)
        and (said:find('ffn-pack: ', 1, true) or call.name == 'write'),
        '%s: exit %d: %s', what, code, said)
    end
    local must = call.name:find '^fsync' or call.name == 'pwrite64' or call.name:find 'truncate'
      or call.name:find '^rename'
    check(not must or code == 1, '%s: exit %d, as if all was well', what, code)
    again(packer, folder, what)
  end)
  check(told > 10, 'only %d errors are told', told)

  -- Signals: nothing is left where a program may still act, nor by the next run where it may not.
  -- What this process has ignored, as in the background of a shell, a program ignores, too.
  local ignored = tonumber(read '/proc/self/status':match 'SigIgn:%s*(%x+)', 16)
  for i, signal in ipairs { { 'HUP', 1 }, { 'INT', 2 }, { 'QUIT', 3 }, { 'TERM', 15 },
    { 'ALRM', 14 }, { 'USR1', 10 }, { 'XCPU', 24 } } do
    local name, is_ignored = signal[1], ignored >> signal[2] - 1 & 1 == 1
    for _, packer in ipairs(packers) do
      local folder = fresh()
      write(folder .. '/x.ffn', old)
      local code = traced(packer, folder .. '/x.ffn', ('%s-e inject=%s:signal=SIG%s:when=1'):format(
        alone, i % 2 == 0 and 'fsync' or 'pwrite64', name))
      local there = is_ignored and new or old
      check(code > 128 == not is_ignored and read(folder .. '/x.ffn') == there
        and names(folder) == 'x.ffn', 'SIG%s: exit %d, left is %s', name, code, names(folder))
    end
  end
  for _, name in ipairs { 'PIPE', 'XFSZ' } do -- are errors of what writes
    local folder = fresh()
    local code = traced(packers[2], folder .. '/x.ffn',
      ('%s-e inject=pwrite64:signal=SIG%s:when=2'):format(alone, name))
    check(code == 0 and read(folder .. '/x.ffn') == new and names(folder) == 'x.ffn',
      'SIG%s: exit %d', name, code)
  end

  -- Two at once, as in two containers: both have the same number in a namespace of their own.
  local apart = run 'unshare -pf true' == 0 and 'unshare -pf --kill-child ' or ''
  if apart == '' then skipped[#skipped + 1] = 'two PID namespaces' end
  for _, packer in ipairs(packers) do
    for _, put in ipairs { put_old, put_none } do
      local folder = fresh()
      put(folder .. '/x.ffn')
      local one = ('%sstrace -qq -o /dev/null %s %s %s --out %s/x.ffn 2>%s/said%%d; '):format(apart,
        slow, packer, plan, folder, here) .. ('echo $? >%s/code%%d'):format(here)
      sh(('(%s) & sleep 0.15; (%s) & wait'):format(one:format(1, 1), one:format(2, 2)))
      check(read(here .. '/code1') == '0\n' and read(here .. '/code2') == '0\n'
        and read(folder .. '/x.ffn') == new and names(folder) == 'x.ffn',
        'two at once: exit %s and %s, left is %s: %s%s', read(here .. '/code1'),
        read(here .. '/code2'), names(folder), read(here .. '/said1'), read(here .. '/said2'))
    end
  end

  -- Meanwhile another folder gets the name, or a file comes to the place.
  for _, packer in ipairs(packers) do
    local folder = fresh()
    lfs.mkdir(folder .. '/to')
    local one = ('strace -qq -o %s/log %s -e trace=openat,pwrite64 %s %s --out %s/to/x.ffn 2>&1; ')
      :format(here, slower, packer, plan, folder) .. ('echo $? >%s/code1'):format(here)
    -- Until it has made what it writes to.
    local begun = ('i=0; until grep -sq "O_TMPFILE\\|O_CREAT" %s/log || [ $i = 500 ]; do '
      .. 'sleep 0.02; i=$((i + 1)); done'):format(here)
    os.remove(here .. '/log')
    sh(('(%s) & ' .. begun .. '; mv %s/to %s/moved; mkdir %s/to; wait'):format(one, folder, folder,
      folder))
    check(read(here .. '/code1') == '0\n' and names(folder .. '/to') == ''
      and read(folder .. '/moved/x.ffn') == new, 'a folder that moved: exit %s, %s and %s',
      read(here .. '/code1'), names(folder .. '/to'), names(folder .. '/moved'))
    sh(('rm %s/moved/x.ffn'):format(folder))
    one = one:gsub('/to/', '/moved/')
    os.remove(here .. '/log')
    local said = sh(('(%s) & ' .. begun .. '; echo mine >%s/moved/x.ffn; wait'):format(one, folder))
    check(read(here .. '/code1') == '1\n' and read(folder .. '/moved/x.ffn') == 'mine\n'
      and names(folder .. '/moved') == 'x.ffn', 'a file that came: exit %s, %s: %s',
      read(here .. '/code1'), names(folder .. '/moved'), said)
  end
end

-- ---- Limits -------------------------------------------------------------------------------------

for _, packer in ipairs(packers) do
  local folder = fresh()
  write(folder .. '/x.ffn', old)
  local code, said = pack(packer, folder .. '/x.ffn', 'ulimit -f 8;')
  check(code == 1 and said:find('File too large', 1, true) and read(folder .. '/x.ffn') == old
    and names(folder) == 'x.ffn', 'a limit of sizes: exit %d: %s', code, said)
end
do
  local folder = fresh()
  if run(('mount -t tmpfs -o size=20k ffn-pack %s'):format(folder)) == 0 then
    write(folder .. '/x.ffn', old)
    for _, packer in ipairs(packers) do
      local code, said = pack(packer, folder .. '/x.ffn')
      check(code == 1 and said:find('bytes, and the disk has', 1, true)
        and read(folder .. '/x.ffn') == old and names(folder) == 'x.ffn', 'a full disk: exit %d: '
          .. '%s', code, said)
    end
    sh('umount ' .. folder)
  else
    skipped[#skipped + 1] = 'a full disk: nothing can be mounted'
  end
end

sh('rm -rf ' .. here)
print(('ffn-pack writes: %d as it should be, %d not; skipped: %s'):format(passed, failed,
  #skipped > 0 and table.concat(skipped, ', ') or 'nothing'))
os.exit(failed == 0)
