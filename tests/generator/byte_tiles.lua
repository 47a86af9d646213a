--- Register tiles of layers that sum integers: how many rows they have, what they hold of a k, and
--- which of their loops become straight lines.
local unit = require 'luaunit'
local support = require 'support'

TestByteTiles = {}

local function spec(format, kind)
  return ("%s, weights = '%s', arithmetic = 'dot_s8' }\n"):format(kind, format)
end

local swiglu = "ffn 'l' { variant = 'swiglu', d_model = 1024, d_ff = 2816"

--- The C of a layer's kernel for an instruction set.
local function made(text, isa)
  local folder = support.user_folder(text)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'k', '--isa', isa },
    { dir = folder }), 0, text)
  local files = support.snapshot(folder .. '/k')
  for _, path in ipairs(support.keys(files)) do
    if path:find('_dot_s8_' .. isa .. '.c', 1, true) then return files[path] end
  end
  error('no kernel of ' .. text)
end

local pages = {}

--- What explain says of a layer for an instruction set: of all of them it says it at once.
local function explained(text, isa)
  pages[text] = pages[text] or support.ffngen({ 'explain', 'l', 'my.lua' },
    { dir = support.user_folder(text) }).out
  local plan = 'plan %S+_' .. isa
  return pages[text]:match(plan .. '\n.-\n\n') or pages[text]:match(plan .. '\n.*')
end

--- With 32 registers two vectors of bytes are held while the activations of all rows go by: one of
--- 6 rows has 24 sums, and q6_K three sums for each row and vector. A panel that is alone has one
--- vector, whose products read the activations from memory.
function TestByteTiles.test_rows()
  for format, rows in pairs { q4_0 = 6, q8_0 = 6, mxfp4 = 6, q4_K = 6, q6_K = 4 } do
    local text = made(spec(format, swiglu), 'avx512_vnni')
    local plan = explained(spec(format, swiglu), 'avx512_vnni')
    support.assert_has(plan, ('gate_up  rows x columns %d x 16, 2 branches'):format(rows), format)
    support.assert_has(plan, ('down     rows x columns %d x 32, 1 branch'):format(rows), format)
    -- Both vectors stand in front of the first activation, of each k.
    for step in text:gmatch '__m512i w0 = .-products' do
      unit.assertNotNil(step:find 'w1 = .*x0 = ', format .. ': ' .. step)
    end
    support.assert_lacks(text, 'ffn_dot_at_avx512_vnni', format)
  end
  local panel = spec('q4_0', "linear 'l' { d_model = 1024, d_out = 16")
  support.assert_has(explained(panel, 'avx512_vnni'), 'rows x columns 13 x 16, 1 branch', 'a panel')
  support.assert_has(made(panel, 'avx512_vnni'), 'ffn_dot_at_avx512_vnni', 'a panel')
end

--- With 16 registers those of sums that a group is added to wait in memory: the sums of products of
--- 4 rows x 2 vectors take 8, of q6_K, too. One row or two read whole lines of 16 outputs.
function TestByteTiles.test_few_registers()
  for _, format in ipairs { 'q4_0', 'q8_0', 'mxfp4', 'q4_K', 'q6_K' } do
    local plan = explained(spec(format, swiglu), 'avx2')
    support.assert_has(plan, 'gate_up  rows x columns 2 x 16, 4 x 8, 2 branches', format)
    support.assert_has(plan, 'down     rows x columns 2 x 32, 4 x 16, 1 branch', format)
  end
end

--- The macros that stand in front of loops of so many turns, in the text of tiles: `4:_UNROLL`.
local function unrolled(text)
  local found = {}
  for before, turns in text:gmatch '([^\n]*)\n *for %(size_t i%d = 0; FFN_OFTEN%(i%d < (%d+)%)' do
    found[('%s:%s'):format(turns, before:match '^ *FFN(_UNROLL[_4]*)$' or '')] = true
  end
  return table.concat(support.keys(found), ' ')
end

--- Loops over the steps of a group are straight lines, of AVX-512 four steps at a time; so are
--- those over two groups, whose places in the bits of a line are then constants. Others are loops.
function TestByteTiles.test_loops()
  for _, case in ipairs {
    { 'avx512_vnni', 'q4_0', '4:_UNROLL_4' }, { 'avx512_vnni', 'q8_0', '8:_UNROLL_4' },
    { 'avx512_vnni', 'q4_K', '2:_UNROLL 4: 4:_UNROLL_4 8:_UNROLL_4' },
    { 'avx2', 'q8_0', '8:_UNROLL' }, { 'avx2', 'q4_K', '2: 4: 4:_UNROLL 8:_UNROLL' },
    { 'c', 'q4_0', '4:' }, { 'c', 'q4_K', '2: 4: 8:' },
  } do
    local isa, format, expected = table.unpack(case)
    unit.assertEquals(unrolled(made(spec(format, swiglu), isa)), expected, isa .. ' ' .. format)
  end
end
