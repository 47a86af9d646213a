--- Weights of every format in folders for one instruction set alone: nothing that its kernels call
--- is missing, whatever others would have brought along, and nothing is carried that nothing calls.
--- In the quick form a third of the formats, whose turn it is, each once; in the full form all of
--- them, and a part of all pairs with instruction sets and shapes.
local unit = require 'luaunit'
local runtime_files = require 'common.runtime_files'
local support = require 'support'
local weights = require 'weights'

local isas = support.f32_isas()

TestAlone = {}

--- Options of a shape, and how many layers: those for other languages want floats.
local shapes = {
  { '--single-file', '--file' }, {}, { '--header-only' }, { '--no-dispatch' },
  { '--single-file', '--no-dispatch', '--cpp' }, { '--max-tu-bytes', '80000' },
  { '--freestanding' }, { '--flat' }, { '--threads', 'mpi' },
}

--- Layers of every kind, small, in a format.
local kinds = {
  "linear 'l' { d_model = 256, d_out = 20, weights = '%s' }",
  "ffn 'l' { variant = 'swiglu', d_model = 256, d_ff = 256, d_out = 20, weights = '%s' }",
  "linear 'l' { d_model = 256, d_out = 20, max_tokens = 1, weights = '%s' }",
  "mlp 'l' { d_model = 256, layers = { { 256, 'relu' }, { 4 } }, bias = true, weights = '%s' }",
  "linear 'l' { d_model = 256, d_out = { q = 20, k = 16 }, weights = '%s' }",
  "ffn 'l' { variant = 'gelu', d_model = 256, d_ff = 256, optimise = 'size', weights = '%s' }",
}
local trained = "ffn 'l' { variant = 'relu', d_model = 24, d_ff = 40, backward = true, "
  .. "weights = '%s' }"

--- What clang compiles for, where that is another machine; portable C is for this one.
local targets = {
  x86_64 = '--target=x86_64', aarch64 = '--target=aarch64', wasm32 = '--target=wasm32 -msimd128',
}
local machines = { avx2 = 'x86_64', avx512 = 'x86_64', neon = 'aarch64', wasm = 'wasm32' }

--- A libc for machines whose own is not here.
local function libc(folder)
  support.sh('mkdir -p', folder .. '/libc')
  local function header(name, text) support.write(folder .. '/libc/' .. name, text .. '\n') end
  header('assert.h', '#define assert(condition) ((void)(condition))')
  header('string.h', '#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\n'
    .. 'void *memset(void *, int, size_t);\nint memcmp(const void *, const void *, size_t);\n'
    .. 'int strcmp(const char *, const char *);')
  header('math.h', '#define NAN __builtin_nanf("")\n#define INFINITY __builtin_inff()\n'
    .. '#define isnan(x) __builtin_isnan(x)\n#define isfinite(x) __builtin_isfinite(x)\n'
    .. '#define signbit(x) __builtin_signbit(x)\ndouble ldexp(double, int);\n'
    .. 'double rint(double);\ndouble floor(double);\ndouble fabs(double);\nfloat fabsf(float);')
  header('stdlib.h', '#include <stddef.h>\nvoid *malloc(size_t);\nvoid free(void *);\n'
    .. 'void *aligned_alloc(size_t, size_t);')
end

local host = support.capture 'uname -m'
local strict = '-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror'

--- What `#ifdef ffn_fma` alone calls, which is for compilers that have the instruction.
local for_fma = 'ffn_flip'

--- No function of the kernels' header is carried that nothing calls: clang says so where nothing
--- allows it.
local function check_carried(folder, options, what)
  local text = support.read(folder .. '/out/ffn.c')
  support.write(folder .. '/bare.c', (text:gsub('(inline, )unused', '%1cold')
    :gsub('#pragma clang[^\n]*unused[^\n]*', '')))
  local said = support.run({ 'sh', '-c', ('clang %s -Wno-error -Wno-attributes -fsyntax-only '
    .. '-Iout bare.c'):format(options) }, { dir = folder })
  support.assert_code(said, 0, what)
  local header = runtime_files.read(support.project .. '/', 'kernel.h')
  local looked_at = 0
  for name in header:gmatch '\n%u[^\n(=]-(ffn_[%w_]+)%(' do
    looked_at = looked_at + (text:find('\n%u[^\n(=]-' .. name .. '%(') and 1 or 0)
    unit.assertTrue(name == for_fma or not said.err:find(("'%s'"):format(name), 1, true),
      ('%s: nothing calls %s'):format(what, name))
  end
  unit.assertTrue(looked_at > 3, what)
end

--- A folder of one layer for one instruction set.
---@param format string
---@param isa string
---@param shape string[]
---@param kind string  of layer
---@param runs boolean its self-check is linked, and run where this machine can
---@return string
local function check(format, isa, shape, kind, runs)
  local what = ('%s for %s %s'):format(kind:format(format), isa, table.concat(shape, ' '))
  local folder = support.user_folder(kind:format(format))
  support.vendor(folder, '--isa', isa, table.unpack(shape))
  local machine = machines[isa] or host
  if runs and machine == host then
    local outcome = support.run({ 'sh', '-c', ('cd out && gcc -O0 %s *.c -lm -o check && ./check')
      :format(strict) }, { dir = folder, seconds = 300 })
    support.assert_code(outcome, 0, what)
    support.assert_has(outcome.out, ' 0 failed', what)
  end
  -- What a product compiles, and no main(): that of another machine has no libc here.
  local options = strict
  if machine ~= host then
    libc(folder)
    options = ('%s %s -ffreestanding -isystem libc'):format(strict, targets[machine])
  end
  for _, file in ipairs { 'example_main', 'selfcheck', 'reference', 'reference_grad' } do
    support.sh('rm -f', ('%s/out/ffn_%s.c'):format(folder, file))
  end
  if shape[1] == '--header-only' then
    support.write(folder .. '/out/t.c', '#define FFN_IMPLEMENTATION\n#include "ffn.h"\n')
  end
  support.assert_code(support.run({ 'sh', '-c', ('clang -fsyntax-only %s -Iout out/*.c')
    :format(options) }, { dir = folder }), 0, what)
  if shape[1] == '--single-file' then check_carried(folder, options, what) end
  return folder
end

--- Whether a shape takes a layer: plain functions take floats, and give one output.
local function takes(shape, format, kind)
  return shape[1] ~= '--flat' or weights.by_name[format].pack ~= false and not kind:find 'd_out = {'
end

--- Every n-th format with an instruction set and a shape in turn: these meet each other, too.
function TestAlone.test_formats()
  local seen = 0
  for i, format in ipairs(weights.names) do
    if support.full or support.is_turn(i % 3, 3) then
      local isa, shape = isas[i % #isas + 1], shapes[i % #shapes + 1]
      local kind = kinds[i % #kinds + 1]
      if not takes(shape, format, kind) then shape = shapes[1] end
      check(format, isa, shape, kind, support.full or i % 9 < 3)
      seen = seen + 1
    end
  end
  unit.assertTrue(seen > 5)
end

--- What packs calls words of portable C: in a file of its own, and in one of several.
function TestAlone.test_what_packs_calls()
  local folder = check('u4g128', 'avx512', { '--max-tu-bytes', '40000' }, kinds[2], false)
  unit.assertTrue(support.exists(folder .. '/out/ffn_swiglu_d256_f256_o20_u4g128_avx512_part2.c'))
  check('q8_0', 'avx2', { '--single-file', '--no-selfcheck' }, kinds[1], false)
end

--- A function that words are made of, in those of several files alone whose functions say it.
function TestAlone.test_words_of_parts()
  local folder = check('u4g128', 'neon', { '--max-tu-bytes', '80000' }, kinds[4], false)
  local with, without = 0, 0
  for path in support.capture('ls ' .. folder .. '/out/mlp_*.c'):gmatch '%S+' do
    local found = support.read(path):find('ffn_load_u8_neon(', 1, true)
    if found then with = with + 1 else without = without + 1 end
  end
  unit.assertTrue(with > 0 and without > 0)
end

--- What is trained has functions of its own.
function TestAlone.test_trained()
  for i, format in ipairs { 'f32', 'bf16' } do
    for n, isa in ipairs(isas) do
      if support.is_turn((n + 5 * i) % 10, 10) then
        check(format, isa, shapes[1 + (n + i) % 2], trained, support.full)
      end
    end
  end
end

--- Weights from memory, whose numbers for each CPU are constants of the kernel's file: no name of
--- them is one of the runtime's, where one file holds both.
function TestAlone.test_profiles()
  for i, shape in ipairs { '--single-file', '--header-only' } do
    check('f32', i == 1 and 'avx2' or 'avx512', { shape }, "linear 'l' { d_model = 1024, "
      .. "d_out = 1024, weights = '%s' }", false)
  end
end

--- All pairs of format and instruction set, in shapes and layers by turns.
function TestAlone.test_all()
  if not support.full then return unit.skip 'FULL=1' end
  local n = 0
  for _, format in ipairs(weights.names) do
    for _, isa in ipairs(isas) do
      for k, shape in ipairs(shapes) do
        n = n + 1
        local kind = kinds[(n + k) % #kinds + 1]
        if support.is_turn(n % 31, 31) and takes(shape, format, kind) then
          check(format, isa, shape, kind, n % 2 == 0)
        end
      end
    end
  end
end
