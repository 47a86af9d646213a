--- Do the hot loops stay as short as they are? Compiles the shipped kernels that have vectors,
--- disassembles them, and counts the instructions of each innermost loop that multiplies and adds,
--- and of the whole text, without asserts, as it ships. tests/data/loops.txt holds the counts: no
--- loop may become longer, no text longer by more than 2 %. Counts are of two compilers; those of
--- others say nothing, and are skipped.
---
---   lua5.4 tests/scripts/loops.lua FOLDER            FOLDER holds objects meanwhile
---   lua5.4 tests/scripts/loops.lua FOLDER --write    what is there becomes the measure
local folder, writes = arg[1], arg[2] == '--write'
local path = 'tests/data/loops.txt'
local more_text = 1.02

local lines_of = dofile('tests/support/lines_of.lua')

--- The innermost loops among jumps back, each from `first` to `last` in a list of instructions.
local function innermost(loops)
  local list = {}
  for _, loop in ipairs(loops) do
    local holds_another = false
    for _, other in ipairs(loops) do
      holds_another = holds_another or other ~= loop and other.first >= loop.first
        and other.last <= loop.last
    end
    if not holds_another then list[#list + 1] = loop end
  end
  return list
end

--- Adds a function's loops to counts: of those with equally many FMAs how many there are, and how
--- long the longest is.
local function add_loops(counts, instructions)
  local at, loops = {}, {}
  for i, one in ipairs(instructions) do at[one.address] = i end
  for i, one in ipairs(instructions) do
    local first = one.target and at[one.target]
    if first and first <= i then loops[#loops + 1] = { first = first, last = i } end
  end
  for _, loop in ipairs(innermost(loops)) do
    local fmas = 0
    for i = loop.first, loop.last do fmas = fmas + (instructions[i].is_fma and 1 or 0) end
    if fmas > 0 then
      local of = counts.loops[fmas] or { loops = 0, longest = 0 }
      counts.loops[fmas] = of
      of.loops, of.longest = of.loops + 1, math.max(of.longest, loop.last - loop.first + 1)
    end
  end
end

--- What an object holds.
local function counted(object)
  local counts, instructions = { text = 0, loops = {} }, {}
  for _, line in ipairs(lines_of(('objdump -d --no-show-raw-insn "%s"'):format(object))) do
    local address, word, rest = line:match('^%s*(%x+):%s+(%S+)%s*(.*)')
    if line:match('^%x+ <') then
      add_loops(counts, instructions)
      instructions = {}
    elseif word and word ~= 'nop' and word ~= 'nopw' and word ~= 'nopl' then
      counts.text = counts.text + 1
      instructions[#instructions + 1] = {
        address = address, is_fma = word:match('^vfn?madd') ~= nil,
        target = word:match('^j') and rest:match('^(%x+)') or nil,
      }
    end
  end
  add_loops(counts, instructions)
  return counts
end

--- The counts of all kernels under a compiler, as lines: { what they count, how many }.
local function measured(cc)
  local list = {}
  for _, source in ipairs(lines_of('ls generated/*_avx2.c generated/*_avx512.c')) do
    local name = source:match('([^/]+)%.c$')
    local object = ('%s/%s_%s.o'):format(folder, cc, name)
    assert(os.execute(('%s -O2 -DNDEBUG -Iruntime -Igenerated -c %s -o %s'):format(cc, source,
      object)))
    local counts, fmas = counted(object), {}
    list[#list + 1] = { ('%s %s: text'):format(cc, name), counts.text }
    for count in pairs(counts.loops) do fmas[#fmas + 1] = count end
    table.sort(fmas)
    for _, count in ipairs(fmas) do
      list[#list + 1] = { ('%s %s: longest loop of %d FMAs'):format(cc, name, count),
        counts.loops[count].longest }
    end
  end
  return list
end

--- The file's counts by what they count, and the compilers' versions.
local function recorded()
  local counts = {}
  for line in io.lines(path) do
    local what, value = line:match('^(.+) = (.+)$')
    if what then counts[what] = value end
  end
  return counts
end

local function version(cc) return lines_of(cc .. ' --version')[1] end

assert(os.execute('mkdir -p ' .. folder))
local compilers, passed, failed, skipped = { 'gcc', 'clang' }, 0, 0, 0
if writes then
  local out = assert(io.open(path, 'w'))
  out:write('Instructions of the shipped kernels. Made by lua5.4 tests/scripts/loops.lua FOLDER '
    .. '--write\n')
  for _, cc in ipairs(compilers) do
    out:write(('%s = %s\n'):format(cc, version(cc)))
    for _, line in ipairs(measured(cc)) do out:write(('%s = %d\n'):format(line[1], line[2])) end
  end
  out:close()
  os.exit(true)
end

local before = recorded()
for _, cc in ipairs(compilers) do
  if before[cc] ~= version(cc) then
    skipped = skipped + 1
    print(('%s is not %s: skipped'):format(version(cc), before[cc]))
  else
    for _, line in ipairs(measured(cc)) do
      local what, count = line[1], line[2]
      local most = tonumber(before[what] or 0)
      if what:find(': text', 1, true) then most = math.floor(most * more_text) end
      if count <= most then
        passed = passed + 1
      else
        failed = failed + 1
        print(('%s: %d, at most %d'):format(what, count, most))
      end
    end
  end
end
print(('%d passed, %d failed, %d skipped'):format(passed, failed, skipped))
os.exit(failed == 0)
