--- What every part of fast-math does to bits, by compiler and machine: one table. A flag, and each
--- pair of those that are not refused, is refused by exact.h, or the bits are equal, or the
--- self-check fails, as the table says; anything else is a defect.
---
---   lua5.4 tests/platforms/flags.lua FOLDER NAME
---
--- Of the flags a third is tried, of the pairs an eleventh, whose turn it is (support/turn.lua);
--- all by PAIRS=all. Compilers take turns by five (tests/ninja): each meets all flags, since
--- neither number is a multiple of that.
local out, only = arg[1], arg[2]
local turn = dofile('tests/support/turn.lua')

---@param parts integer
---@return fun(number: integer): boolean
local function turns_of(parts)
  local part = os.getenv 'PAIRS' ~= 'all' and turn.part(parts)
  return function(number) return not part or number % parts == part end
end
local is_turn_of_flag, is_turn_of_pair = turns_of(3), turns_of(11)

--- Flags of both compilers, of which some are several in one, as gcc takes them.
local flags = {
  '-ffast-math', '-Ofast', '-ffinite-math-only', '-funsafe-math-optimizations',
  '-fassociative-math -fno-signed-zeros -fno-trapping-math', '-freciprocal-math',
  '-fno-signed-zeros', '-fno-trapping-math', '-fno-math-errno', '-frounding-math',
  '-ffp-contract=fast', '-ffp-contract=off',
}
--- Nothing is left of it but how it links.
local undone =
  '-funsafe-math-optimizations -fno-associative-math -fno-reciprocal-math -fsigned-zeros'
local gcc_flags = {
  '-fcx-limited-range', '-fcx-fortran-rules', '-fexcess-precision=fast', '-fno-rounding-math',
  '-fsingle-precision-constant', '-mrecip', undone,
}
local clang_flags = {
  '-fno-honor-nans', '-fno-honor-infinities', '-fapprox-func', '-mrecip', '-ffp-model=fast',
}

--- Of neither a macro tells, but of both together.
local told_together = { ['-fno-honor-nans -fno-honor-infinities'] = true }

--- What is no part of fast-math stands in no pair.
local alone = {
  ['-ffp-contract=off'] = true, ['-fno-rounding-math'] = true, ['-fcx-limited-range'] = true,
  ['-fcx-fortran-rules'] = true, ['-fexcess-precision=fast'] = true,
}

--- Refused wherever a macro tells: gcc tells all of it.
local told = { ['-ffast-math'] = true, ['-Ofast'] = true, ['-ffinite-math-only'] = true,
  ['-ffp-model=fast'] = true }
local told_by_gcc = {
  ['-funsafe-math-optimizations'] = true, ['-freciprocal-math'] = true,
  ['-fassociative-math -fno-signed-zeros -fno-trapping-math'] = true,
  ['-fno-signed-zeros'] = true,
}

--- What fails in the self-check. Linked with -funsafe-math-optimizations a program flushes
--- subnormals to zero, but for RISC-V; and gcc takes reciprocals out of loops.
local zeros = {
  ['-fno-signed-zeros'] = true, ['-fassociative-math -fno-signed-zeros -fno-trapping-math'] = true,
}
local linked = { ['-funsafe-math-optimizations'] = true, [undone] = true }
local all_parts = { ['-freciprocal-math'] = true, ['-fno-honor-nans'] = true,
  ['-fno-honor-infinities'] = true }

local function both(...)
  local set = {}
  for _, one in ipairs { ... } do
    for flag in pairs(one) do set[flag] = true end
  end
  return set
end

--- One row for each compiler and machine. Flags that are in neither set give equal bits.
---@class FlagPlatform
---@field name string
---@field compile string
---@field run string
---@field isa string
---@field from integer|nil   the least major version of clang
---@field below integer|nil  and the first that is another row's
---@field fails table<string, boolean>
local platforms = {
  { name = 'gcc', compile = 'gcc -O2', run = '', isa = 'c,avx2,avx512', fails = linked },
  { name = 'gcc_fma', compile = 'gcc -O3 -mfma', run = '', isa = 'c,avx2', fails = linked },
  { name = 'clang', compile = 'clang -O2', run = '', isa = 'c,avx2,avx512', below = 15,
    fails = both(zeros, linked) },
  { name = 'clang_fma', compile = 'clang -O3 -mfma', run = '', isa = 'c,avx2', below = 15,
    fails = both(zeros, linked) },
  { name = 'clang', compile = 'clang -O2', run = '', isa = 'c,avx2,avx512', from = 19,
    fails = linked },
  { name = 'clang_fma', compile = 'clang -O3 -mfma', run = '', isa = 'c,avx2', from = 19,
    fails = linked },
  { name = 'aarch64', compile = 'aarch64-linux-gnu-gcc -O2 -static', run = 'qemu-aarch64',
    isa = 'c,neon', fails = linked },
  { name = 'clang_aarch64', compile = 'clang --target=aarch64-linux-gnu -O2 -static',
    run = 'qemu-aarch64', isa = 'c,neon', below = 15, fails = both(zeros, linked, all_parts) },
  { name = 'riscv64', compile = 'riscv64-linux-gnu-gcc -O2 -static', run = 'qemu-riscv64',
    isa = 'c', fails = { [undone] = true } },
  { name = 'windows', compile = 'x86_64-w64-mingw32-gcc -O2', run = 'tests/platforms/wine.sh',
    isa = 'c,avx2,avx512', fails = linked },
}

local function read(path)
  local handle = io.open(path, 'rb')
  local text = handle and handle:read('a') or ''
  return handle and handle:close() and text
end

local function sh(command, ...) return os.execute(command:format(...)) == true end

--- The lines of a program, each once, in order; and the first apart.
local function lines_of(path)
  local seen, list, first = {}, {}, nil
  for line in read(path):gmatch('[^\r\n]+') do
    if first and not seen[line] then list[#list + 1] = line end
    seen[line], first = true, first or line
  end
  table.sort(list)
  return table.concat(list, '\n'), first
end

--- What becomes of some flags: refused, fails, equal, or a sentence.
local function outcome(p, given, reference)
  local stem = ('%s/%s'):format(out, p.name)
  local compile = ('%s %s -w -I%s/%s %s/%s/my.c tests/platforms/flags.c -lm -o %s.out 2>%s.err')
    :format(p.compile, given, out, p.isa, out, p.isa, stem, stem)
  if not sh('LC_ALL=C %s', compile) then
    local said = read(stem .. '.err')
    if said:find('ffn kernels promise exact bits', 1, true) then return 'refused' end
    if said:find('unknown argument', 1, true) or said:find('unrecognized', 1, true) then
      return 'unknown'
    end
    return 'does not compile: ' .. said:sub(1, 300)
  end
  if not sh('%s %s.out >%s.txt 2>%s.err', p.run, stem, stem, stem) then return 'does not run' end
  local bits, problem = lines_of(stem .. '.txt')
  if problem ~= 'ok' then return 'fails' end
  return bits == reference and 'equal' or 'other bits, and the self-check is silent'
end

local function expected(p, given)
  if told[given] or not p.clang and told_by_gcc[given] then return 'refused' end
  return p.fails[given] and 'fails' or 'equal'
end

local counts = { passed = 0, failed = 0, skipped = 0 }

local function try(p, given, wanted, reference)
  local found = outcome(p, given, reference)
  local how = found == 'unknown' and 'skipped' or found == wanted and 'passed' or 'failed'
  counts[how] = counts[how] + 1
  print(('%-14s %-60s %s%s'):format(p.name, given, found,
    how == 'failed' and ', not ' .. wanted or ''))
end

--- Of a pair the stricter outcome of both counts.
local function pair_of(a, b)
  if a == 'refused' or b == 'refused' then return 'refused' end
  return (a == 'fails' or b == 'fails') and 'fails' or 'equal'
end

local function try_all(p, reference)
  local own = {}
  table.move(flags, 1, #flags, 1, own)
  local more = p.clang and clang_flags or gcc_flags
  table.move(more, 1, #more, #own + 1, own)
  try(p, '', 'equal', reference)
  local pairs_seen = 0
  for i, flag in ipairs(own) do
    if is_turn_of_flag(i) then try(p, flag, expected(p, flag), reference) end
    for j = 1, alone[flag] and 0 or i - 1 do
      local wanted = pair_of(expected(p, own[j]), expected(p, flag))
      -- A macro tells of its flag whatever stands beside it.
      if wanted ~= 'refused' and not alone[own[j]] then
        pairs_seen = pairs_seen + 1
        if is_turn_of_pair(pairs_seen) then
          local both_flags = own[j] .. ' ' .. flag
          try(p, both_flags, told_together[both_flags] and 'refused' or wanted, reference)
        end
      end
    end
  end
end

--- The vendored layers for some instruction sets, and their bits where nothing optimises.
local function reference_of(isa)
  local folder = ('%s/%s'):format(out, isa)
  assert(sh('./ffngen vendor tests/platforms/flags_layers.lua --prefix my --single-file --isa %s '
    .. '--out %s >%s/log 2>&1', isa, folder, out), read(out .. '/log'))
  return folder
end

assert(sh('rm -rf %s && mkdir -p %s', out, out))
reference_of('c')
assert(sh('gcc -O0 -w -I%s/c %s/c/my.c tests/platforms/flags.c -lm -o %s/plain.out', out, out,
  out))
assert(sh('%s/plain.out >%s/plain.txt', out, out))
local reference, problem = lines_of(out .. '/plain.txt')
assert(problem == 'ok', problem)
local version = io.popen('clang -dumpversion 2>&1')
local major = tonumber(version:read('a'):match('^%d+')) or 0
version:close()
local found = false
for _, p in ipairs(platforms) do
  p.clang = p.compile:find('^clang') ~= nil
  if p.name ~= only or p.clang and (major < (p.from or 0) or major >= (p.below or math.huge)) then
    -- Another row's.
    goto next
  end
  found = true
  if not sh('command -v %s >%s/log && { test -z "%s" || command -v %s >%s/log; }',
    p.compile:match('%S+'), out, p.run, p.run ~= '' and p.run or 'true', out) then
    print(('no %s or %s (./setup.sh --platforms installs them): skipped')
      :format(p.compile:match('%S+'), p.run))
    counts.skipped = counts.skipped + 1
  else
    reference_of(p.isa)
    try_all(p, reference)
  end
  ::next::
end
if not found then
  print(('no row of the table is for %s with clang %d: skipped'):format(only, major))
  counts.skipped = counts.skipped + 1
end
print(('%d passed, %d failed, %d skipped'):format(counts.passed, counts.failed, counts.skipped))
os.exit(counts.failed == 0 and counts.passed + counts.skipped > 0)
