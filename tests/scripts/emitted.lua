--- Does emitted C stay as short as it is? Generates a layer of each format, form and instruction
--- set, and counts lines and bytes of each file. tests/data/emitted.txt holds the counts: none may
--- grow, and what shrinks by more than a fiftieth becomes the measure.
---
---   lua5.4 tests/scripts/emitted.lua FOLDER            FOLDER holds the files meanwhile
---   lua5.4 tests/scripts/emitted.lua FOLDER --write    what is emitted becomes the measure
package.path = 'generator/?.lua;generator/?/init.lua;' .. package.path
local weights = require 'weights'

local folder, writes = arg[1], arg[2] == '--write'
local path = 'tests/data/emitted.txt'
local shrunk = 0.98
local write, lines_of = dofile('tests/support/write.lua'), dofile('tests/support/lines_of.lua')

local builds = "build = { { isa = { 'c', 'avx2', 'avx512', 'neon', 'wasm' } } }"
local formats = "%s '%s_%s' { %s, weights = '%s', " .. builds .. ' }'

--- Layers in each form that a walk, a tile or a descriptor has.
local forms = {
  "ffn 'trained' { variant = 'swiglu', d_model = 1024, d_ff = 2816, backward = true, %s }",
  "ffn 'plain' { variant = 'gelu', d_model = 768, d_ff = 3072, bias = true, %s }",
  "linear 'side_by_side' { d_model = 512, d_out = { q = 512, k = 128, v = 128 }, %s }",
  "linear 'few_outputs' { d_model = 512, d_out = 1, %s }",
  "linear 'wide_odd' { d_model = 2816, d_out = 1040, weights = 'q4_K', %s }",
  "linear 'odd' { d_model = 512, d_out = 80, weights = 'q8_0', %s }",
  "mlp 'small' { d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1 } }, %s }",
  "mlp 'odd_stages' { d_model = 10, layers = { { 40, 'relu' }, { 40, 'relu' }, { 1 } }, "
    .. "weights = 'i8', %s }",
  "selfgate 'gated_by_itself' { activation = 'silu', d_model = 512, %s }",
  "ffn 'one_token' { variant = 'swiglu', d_model = 1024, d_ff = 2816, max_tokens = 1, %s }",
}
local of_bytes = "ffn 'bytes_%s' { variant = 'swiglu', d_model = 1024, d_ff = 2816, "
  .. "weights = '%s', arithmetic = 'dot_s8' }"
local small = "ffn 'small_%s' { variant = 'swiglu', d_model = 256, d_ff = 512, optimise = 'size', "
  .. "weights = '%s', build = { { isa = { 'c' } } } }"

local function spec()
  local lines = {}
  for _, format in ipairs(weights.names) do
    lines[#lines + 1] = formats:format('ffn', 'gated', format,
      "variant = 'swiglu', d_model = 1024, d_ff = 2816", format)
    lines[#lines + 1] = small:format(format, format)
  end
  for _, format in ipairs { 'q8_0', 'q4_0', 'q4_K', 'q6_K', 'mxfp4', 'u4g32' } do
    lines[#lines + 1] = of_bytes:format(format, format)
  end
  for _, form in ipairs(forms) do lines[#lines + 1] = form:format(builds) end
  return table.concat(lines, '\n') .. '\n'
end

--- Lines and bytes of each kernel's file, by its name.
local function counted()
  assert(os.execute(('rm -rf %s && mkdir -p %s'):format(folder, folder)))
  write(folder .. '/layers.lua', spec())
  assert(os.execute(('./ffngen generate %s/layers.lua --out %s/c >%s/log 2>&1'):format(folder,
    folder, folder)), folder .. '/log')
  local counts, names = {}, {}
  for _, line in ipairs(lines_of(('cd %s/c && wc -lc *_*.c'):format(folder))) do
    local count, bytes, name = line:match '^ *(%d+) +(%d+) (%l+_[%w_]*%d[%w_]*)%.c$'
    if name and not name:find '^reference_' then
      counts[name] = { lines = math.tointeger(count), bytes = math.tointeger(bytes) }
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return counts, names
end

local function read()
  local counts, count = {}, 0
  for line in io.lines(path) do
    local name, lines, bytes = line:match '^([%w_]+) +(%d+) +(%d+)$'
    if name then
      counts[name] = { lines = math.tointeger(lines), bytes = math.tointeger(bytes) }
      count = count + 1
    end
  end
  return counts, count
end

local counts, names = counted()
if writes then
  local command = ('lua5.4 %s build/emitted --write'):format(arg[0])
  local text = { '# Lines and bytes of emitted C, by kernel: ' .. command }
  for _, name in ipairs(names) do
    text[#text + 1] = ('%-64s %5d %7d'):format(name, counts[name].lines, counts[name].bytes)
  end
  write(path, table.concat(text, '\n') .. '\n')
  os.exit(true)
end

local measure, measured = read()
local passed, failed = 0, 0
local function complain(...)
  failed = failed + 1
  print(('failed: ' .. (...)):format(select(2, ...)))
end
for _, name in ipairs(names) do
  local now, before = counts[name], measure[name]
  if not before then
    complain('%s is not in %s: write it anew', name, path)
  elseif now.lines > before.lines or now.bytes > before.bytes then
    complain('%s has %d lines, %d bytes; it had %d, %d', name, now.lines, now.bytes, before.lines,
      before.bytes)
  elseif now.lines < before.lines * shrunk or now.bytes < before.bytes * shrunk then
    complain('%s has %d lines, %d bytes for %d, %d: write %s anew', name, now.lines, now.bytes,
      before.lines, before.bytes, path)
  else
    passed = passed + 1
  end
end
if #names ~= measured then complain('%s has %d kernels, not %d', path, measured, #names) end
print(('%d passed, %d failed, 0 skipped'):format(passed, failed))
os.exit(failed == 0 and passed > 0)
