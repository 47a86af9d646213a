--- What kernels fetch ahead of weights from memory: every line once, and before it is read.
local unit = require 'luaunit'
local support = require 'support'
local cpus = require 'cpu'
local lists = require 'common.list'

TestFetches = {}

-- Weights of more than 1 MiB in whole panels of the widest tiles; gated ones have two lines a k.
local spec_text = [[
linear 'plain' { d_model = 640, d_out = 640 }
glu 'gated' { variant = 'bilinear', d_model = 512, d_out = 384 }
linear 'few' { d_model = 1024, d_out = 4096, weights = 'q4_0' }
linear 'much' { d_model = 1024, d_out = 4096, weights = 'q4_K' }
]]
local kernels = { plain = 'linear_d640_o640_f32', gated = 'glu_bilinear_d512_o384_f32' }
local in_groups = { few = 'linear_d1024_o4096_q4_0', much = 'linear_d1024_o4096_q4_K' }
local lines = { plain = 640 * 640 // 16, gated = 2 * 512 * 384 // 16 }

--- Follows a kernel made for one CPU, or skips the test where this machine cannot run it.
---@param rows integer[]  calls of so many tokens
---@return table[] of each: lines that are read, late, again, most under way, and fetched into both
--- caches, as fetched.c says
local function followed(layer, isa, cpu, rows)
  local folder = support.user_folder(spec_text)
  local symbol = ('%s_%s'):format(kernels[layer] or in_groups[layer], isa)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', '.', '--isa', isa, '--cpu',
    cpu }, { dir = folder }), 0, 'generate')
  local line = { 'gcc', '-O1', '-w', '-I.', ('-DKERNEL="%s.c"'):format(symbol), '-DSYMBOL='
    .. symbol, support.root .. '/tests/vendor/fetched.c', '-o', 'fetched' }
  lists.append(line, support.stand_ins(folder))
  support.assert_code(support.run(line, { dir = folder }), 0, 'gcc')
  local ran = support.run({ './fetched', table.unpack(lists.map(rows, tostring)) },
    { dir = folder })
  support.assert_code(ran, 0, symbol)
  if ran.out == 'none\n' then unit.skip('no ' .. isa .. ' here') end
  local result = {}
  for read, late, again, most, both in ran.out:gmatch '(%d+) (%d+) (%d+) (%d+) (%d+)\n' do
    result[#result + 1] = {
      read = tonumber(read), late = tonumber(late), again = tonumber(again),
      most = tonumber(most), both = tonumber(both),
    }
  end
  unit.assertEquals(#result, #rows)
  return result
end

--- A single tile reads so many bytes later what it fetches, from the first tile to the last, which
--- has nothing to fetch but its own beginning; few rows fetch nothing.
local function assert_single(layer, isa, cpu, most_rows)
  local choices, rows = cpus.by_name[cpu].choices, {}
  for count = 1, most_rows do rows[count] = count end
  for count, f in ipairs(followed(layer, isa, cpu, rows)) do
    local ahead = (count <= choices.few_rows and choices.few_ahead or choices.fetch_ahead) // 64
    local what = ('%s, %s, %s, %d rows'):format(layer, isa, cpu, count)
    unit.assertEquals(f.read, lines[layer], what)
    if ahead == 0 then
      unit.assertEquals({ f.late, f.again, f.most }, { lines[layer], 0, 0 }, what)
    else
      -- Whole k, and on the way the lines of one more: of 128 columns at most.
      what = ('%s: %d late, %d under way'):format(what, f.late, f.most)
      unit.assertTrue(ahead - 16 < f.late and f.late <= ahead, what)
      unit.assertEquals(f.again, f.late, what)
      unit.assertTrue(f.most > f.late and f.most <= f.late + 16, what)
    end
  end
end

--- A machine without an instruction set skips the tests of that one alone.
function TestFetches.test_single_tiles_of_avx2()
  for _, layer in ipairs(support.keys(kernels)) do assert_single(layer, 'avx2', 'intel', 3) end
end

function TestFetches.test_single_tiles_of_avx512()
  for _, layer in ipairs(support.keys(kernels)) do
    assert_single(layer, 'avx512', 'zen5', 14)
    assert_single(layer, 'avx512', 'intel', 14)
  end
end

--- Weights in groups: a single tile reads 4 KiB to 8 KiB later what it fetches, and 12 KiB to
--- 16 KiB later what it fetches into the second-level cache, although a block has few groups, or
--- half of one; and hardly a line is fetched again. Two bundles of AVX-512 are fetched one group
--- ahead, 9 KiB of q4_K, and the second begins with 4 KiB that are fetched once.
function TestFetches.test_groups()
  for _, layer in ipairs(support.keys(in_groups)) do
    for _, isa in ipairs { 'avx2', 'avx512' } do
      local f, more = table.unpack(followed(layer, isa, 'intel', { 1, 5 }))
      local what = ('%s, %s: %d late, %d again, %d under way, %d of %d into both'):format(layer,
        isa, f.late, f.again, f.most, f.both, f.read)
      unit.assertEquals(f.read, 4096 * 1024 * 18 // 32 // 64, what)
      local more_lines = isa == 'avx512' and layer == 'much' and 16 or 0
      unit.assertTrue(f.late >= 64 and f.late <= 128 + more_lines, what)
      unit.assertTrue(f.most >= 192 and f.most <= 272 + more_lines, what)
      unit.assertTrue(4 * f.again <= f.read, what) -- of two fetches of each line
      local once = 256 + (isa == 'avx512' and f.read // 8 or 0)
      unit.assertTrue(f.both >= f.read - once and f.both < f.read, what)
      unit.assertEquals(more.both, 0, what .. ', 5 rows')
    end
  end
end

--- Of many rows each tile fetches a share of the next block: also parts that have as few rows as
--- fetch nothing where they are all.
local function assert_shares(isa)
  for _, layer in ipairs(support.keys(kernels)) do
    for i, f in ipairs(followed(layer, isa, 'zen4', { 17, 32, 75, 224 })) do
      local what = ('%s, %s, call %d: %d late'):format(layer, isa, i, f.late)
      unit.assertEquals(f.read, lines[layer], what)
      -- Nobody fetches the first block of the first panels.
      unit.assertTrue(f.late > 0 and f.late <= 2 * 128 * 2, what)
    end
  end
end

function TestFetches.test_shares_of_avx2() assert_shares 'avx2' end

function TestFetches.test_shares_of_avx512() assert_shares 'avx512' end

--- The calls that fetch lines of groups: how many lines, and from where.
local function fetches_of(text)
  local at = 1
  return function()
    local _, past, count, from = text:find('ffn_fetch_lines%(fetches, (%d+), (%l+)', at)
    at = past or at
    return count and tonumber(count), from
  end
end

--- Weights in groups: where a tile is in halves, too, all cache lines of a bundle's group are
--- fetched: at its begin, or some there and the others in each of the eight turns of a loop.
function TestFetches.test_lines_of_groups()
  local bytes = { q4_0 = 2 * 16 * 18, q8_0 = 2 * 16 * 34 }
  local folder, looked_at = support.user_folder '', 0
  for _, format in ipairs { 'q4_0', 'q8_0' } do
    support.write(folder .. '/my.lua', ("ffn 'it' { variant = 'swiglu', d_model = 1024, "
      .. "d_ff = 2816, weights = '%s' }\n"):format(format))
    local list = { 'generate', 'my.lua', '--out', format, '--isa', 'avx2,avx512' }
    support.assert_code(support.ffngen(list, { dir = folder }), 0, format)
    for _, isa in ipairs { 'avx2', 'avx512' } do
      local text = support.read(('%s/%s/ffn_swiglu_d1024_f2816_%s_%s.c'):format(folder, format,
        format, isa))
      local begun = 0
      for count, from in fetches_of(text) do
        local turns = from == 'fetched' and 8 or 1
        begun = turns * count + (turns > 1 and begun or 0)
        if turns > 1 or format == 'q4_0' then
          looked_at = looked_at + 1
          unit.assertTrue(begun > 0 and begun % (bytes[format] // 64) == 0,
            ('%s, %s: %d lines'):format(format, isa, begun))
        end
      end
    end
  end
  unit.assertTrue(looked_at >= 4, looked_at)
end

--- Lines of a group lie one behind the other, wherever the second half of a tile's vectors is.
function TestFetches.test_lines_of_halves()
  local folder = support.user_folder("ffn 'it' { variant = 'swiglu', d_model = 1024, "
    .. "d_ff = 2816, weights = 'u4g64' }\n")
  local list = { 'generate', 'my.lua', '--out', 'out', '--isa', 'neon' }
  support.assert_code(support.ffngen(list, { dir = folder }), 0)
  local text = support.read(folder .. '/out/ffn_swiglu_d1024_f2816_u4g64_neon.c')
  support.assert_has(text, ' + SECOND)', 'tiles in halves')
  local seen = 0
  for at in text:gmatch 'FFN_FETCH%(next %+ ([%w_]+)' do
    seen = seen + 1
    unit.assertNotEquals(at, 'SECOND')
  end
  unit.assertTrue(seen > 0)
end
