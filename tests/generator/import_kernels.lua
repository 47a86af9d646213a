--- `ffngen import --isa, --cpu, --threads, --file`: DIR/kernels/ is what `ffngen generate` writes
--- of DIR/model.lua with the same options.
local gguf_file = require 'gguf_file'
local support = require 'support'
local unit = require 'luaunit'

TestImportKernels = {}

--- A folder with a model of one layer in a type.
local function model(type)
  local folder = support.folder()
  support.write(folder .. '/m.gguf', (gguf_file.text(gguf_file.typed { { type, type } })))
  return folder
end

local function import(folder, ...)
  return support.ffngen({ 'import', 'm.gguf', '--out', 'out', ... }, { dir = folder })
end

function TestImportKernels.test_as_generated()
  for _, options in ipairs {
    { '--isa', 'avx2,c' }, { '--isa', 'c', '--threads', 'pthreads,team' }, { '--cpu', 'zen4' },
    { '--isa', 'c', '--file', '--threads', 'openmp', '--cpu', 'generic' },
  } do
    local folder, what = model 'F32', table.concat(options, ' ')
    support.assert_code(import(folder, table.unpack(options)), 0, what)
    local result = support.ffngen({ 'generate', 'out/model.lua', '--out', 'alone',
      table.unpack(options) }, { dir = folder })
    support.assert_code(result, 0, what)
    support.assert_same(support.snapshot(folder .. '/out/kernels'),
      support.snapshot(folder .. '/alone'), what)
    unit.assertEquals(support.exists(folder .. '/out/kernels/ffn_file.h'),
      what:find '%-%-file' ~= nil, what)
  end
end

--- Without an option what it added goes; the spec and the plan stay.
function TestImportKernels.test_taken_back()
  local folder = model 'F32'
  support.assert_code(import(folder, '--isa', 'c,avx2', '--file'), 0, 'with')
  local with = support.snapshot(folder .. '/out')
  unit.assertNotNil(with['kernels/ffn_file.c'])
  support.assert_code(import(folder, '--isa', 'c'), 0, 'without')
  local without = support.snapshot(folder .. '/out')
  unit.assertNil(without['kernels/ffn_file.c'])
  for path in pairs(without) do unit.assertNil(path:find '_avx2%.c$', path) end
  unit.assertEquals(without['model.lua'], with['model.lua'])
  unit.assertEquals(without['PLAN.json'], with['PLAN.json'])
end

function TestImportKernels.test_refused()
  local folder = model 'F32'
  local about = ' is about kernels, and %s writes none: leave out one of the two'
  for _, case in ipairs {
    { { '--spec-only', '--isa', 'c' }, 2, '--isa' .. about:format '--spec-only' },
    { { '--spec-only', '--cpu', 'zen4' }, 2, '--cpu' .. about:format '--spec-only' },
    { { '--spec-only', '--file' }, 2, '--file' .. about:format '--spec-only' },
    { { '--list', '--threads', 'team' }, 2, '--threads' .. about:format '--list' },
    { { '--isa', 'avx3' }, 2, 'unknown isa "avx3" (did you mean "avx2"?)' },
    { { '--threads', 'threads' }, 2, 'unknown adapter "threads"' },
    { { '--cpu', 'zen4,generic' }, 2, '"generic" serves every CPU: put it first, or leave it out' },
    { { '--isa', 'avx512_vnni' }, 4, 'layer "ffn_swiglu_d64_f96_f32" has no kernel for the '
      .. 'instruction sets of --isa: change --isa, or build in its spec; isa "avx512_vnni" is for '
      .. 'layers with arithmetic = "dot_s8" alone' },
  } do
    local result = import(folder, table.unpack(case[1]))
    support.assert_code(result, case[2], case[3])
    support.assert_has(result.err, case[3], table.concat(case[1], ' '))
    unit.assertFalse(support.exists(folder .. '/out'), case[3])
  end
  folder = model 'Q8_0'
  support.assert_code(import(folder, '--isa', 'avx512_vnni', '--arithmetic', 'dot_s8'), 0, 'VNNI')
end
