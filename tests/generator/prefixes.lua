--- Names under a prefix of a product's own, and how vendored files look.
local unit = require 'luaunit'
local support = require 'support'
local prefixes = require 'common.prefix'
local template = require 'emit.template'

local layers = [[
ffn 'block' { about = 'A block', variant = 'swiglu', d_model = 24, d_ff = 40 }
ffn 'few' { about = 'Few bytes', variant = 'swiglu', d_model = 24, d_ff = 56, optimise = 'size' }
mlp 'head' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
}
]]

TestPrefix = {}

function TestPrefix.test_text()
  local text = [[
#include "ffn.h"
#include <stdlib.h>
#include "parallel_team.h"
/* ffn_find() of ffn.h, of kernel.h; FFN_NO_MAIN; ffngen; my_ffn_x; ffn.hpp; FFNP */
#define FFN_X(a) FFN_ISA_##a
namespace ffn { ffn::layer a; } // namespace ffn
static const ffn_kernel *k = &${symbol};
]]
  unit.assertEquals(prefixes.text(text, 'my'), [[
#include "my.h"
#include <stdlib.h>
#include "my_parallel_team.h"
/* my_find() of my.h, of my_kernel.h; MY_NO_MAIN; ffngen; my_ffn_x; my.hpp; FFNP */
#define MY_X(a) MY_ISA_##a
namespace my { my::layer a; } // namespace my
static const my_kernel *k = &${symbol};
]])
  unit.assertEquals(prefixes.text(text, 'ffn'), text)
  for _, other in ipairs {
    'xkernel.h', 'kernel.hh', 'kernel_h', 'xffn.h', 'ffn.hh', 'ffn.cpp', 'parallel_.h', 'FFN',
    'parallel_x.hh', 'xparallel_x.h', '_ffn_x', 'aFFN_X', 'a_namespace ffn_', 'xffn::y', 'ffn',
  } do
    local kept = other:find 'namespace' and 'a_namespace my_' or other
    unit.assertEquals(prefixes.text(other, 'my'), kept)
    unit.assertEquals(prefixes.text(other .. ' cpu.c ' .. other, 'my'),
      kept .. ' my_cpu.c ' .. kept)
  end
  unit.assertEquals(prefixes.text('ffn.h kernel.h tasks.h', 'tasks'),
    'tasks.h tasks_kernel.h tasks_tasks.h')
  unit.assertEquals(prefixes.file('ffn.c', 'my'), 'my.c')
  for _, file in ipairs { 'cpu.c', 'reference_grad.c', 'selfcheck.c', 'kernel.h', 'tasks.h' } do
    unit.assertEquals(prefixes.file(file, 'my'), 'my_' .. file)
    unit.assertEquals(prefixes.file(file, 'ffn'), 'ffn_' .. file)
    unit.assertEquals(prefixes.file(file, 'cpu'), 'cpu_' .. file)
  end
  unit.assertEquals(prefixes.file('linear_d10_o5_f32_c.c', 'ffn'), 'linear_d10_o5_f32_c.c')
  unit.assertEquals(prefixes.symbol('ffn_relu_d4_f8_f32_c', 'my'), 'my_ffn_relu_d4_f8_f32_c')
  unit.assertEquals(prefixes.symbol('ffn_relu_d4_f8_f32_c', 'ffn'), 'ffn_relu_d4_f8_f32_c')
end

--- Values are filled in behind the prefix: a layer's name stays.
function TestPrefix.test_templates()
  local folder = support.folder()
  support.sh('mkdir', folder .. '/templates')
  support.write(folder .. '/templates/prefix_test.tpl', 'ffn_find(${name}, FFN_ISA_C)\n')
  local function made(prefix)
    return template.load(folder .. '/', 'prefix_test.tpl', prefix) { name = '"ffn_relu_d4_f8_f32"' }
  end
  unit.assertEquals(made 'my', 'my_find("ffn_relu_d4_f8_f32", MY_ISA_C)\n')
  unit.assertEquals(made(nil), 'ffn_find("ffn_relu_d4_f8_f32", FFN_ISA_C)\n')
end

--- Every kernel under a prefix is the kernel under ours, but for the prefix: nothing that emit puts
--- in by itself lacks it.
function TestPrefix.test_kernels()
  local folder = support.user_folder(layers)
  local ours = support.vendor(folder, '--layer', 'block,few')
  support.sh('rm -rf', folder .. '/out')
  local theirs = support.vendor(folder, '--layer', 'block,few', '--prefix', 'two_b')
  local kernels = 0
  for path, text in pairs(theirs) do
    local kernel = path:match('^two_b_(ffn_swiglu.*%.c)$')
    if kernel then
      kernels = kernels + 1
      text = text:gsub('two_b_ffn_swiglu', 'ffn_swiglu')
      for _, word in ipairs { 'ffn_kernel', 'FFN_', 'ffn_stage', 'ffn_min' } do
        unit.assertNil(text:find('%f[%w_]' .. word), path .. ': ' .. word)
      end
      -- Longer names break other lines.
      local back = text:gsub('%f[%w_]two_b_', 'ffn_'):gsub('%f[%w_]TWO_B_', 'FFN_')
        :gsub('%s+', ' ')
      unit.assertTrue(back == ours[kernel]:gsub('%s+', ' '), path)
    end
  end
  unit.assertEquals(kernels, 10)
end

--- A vendored file reads as if written by hand: no gaps, no marks, no lists to be expanded, nothing
--- for what is not there.
function TestPrefix.test_looks()
  local folder = support.user_folder(layers)
  for _, options in ipairs {
    { '--single-file', '--isa', 'avx2' }, { '--header-only' }, { '--isa', 'c,avx512' },
    { '--freestanding', '--single-file', '--isa', 'c,neon' }, { '--no-dispatch', '--isa', 'avx2' },
    { '--flat', '--isa', 'c' }, { '--flat', '--single-file', '--isa', 'c,avx2' },
  } do
    support.sh('rm -rf', folder .. '/out')
    local made = support.vendor(folder, '--layer', 'block', '--prefix', 'my', table.unpack(options))
    for path, text in pairs(made) do
      if path:match('%.[ch]$') then
        local what = table.concat(options, ' ') .. ': ' .. path
        unit.assertNil(text:find('\n\n\n', 1, true), what .. ': two empty lines')
        unit.assertNil(text:find('\n */\n', 1, true), what .. ': a lone end of a comment')
        unit.assertNil(text:find('/*@', 1, true), what .. ': a mark')
        unit.assertNil(text:find('.inc"', 1, true), what .. ': a list')
        local number = 0
        for line in text:gmatch('([^\n]*)\n') do
          number = number + 1
          unit.assertTrue((utf8.len(line) or #line) <= 100, ('%s:%d: long'):format(what, number))
          unit.assertNil(line:find('%s$'), ('%s:%d: a space at the end'):format(what, number))
        end
      end
    end
  end
end

--- Names that a kernel keeps to itself say no more than they must.
function TestPrefix.test_own_names()
  local folder = support.user_folder(layers)
  local function source(...)
    support.sh('rm -rf', folder .. '/out')
    return support.vendor(folder, '--prefix', 'my', '--single-file', ...)['my.c']
  end
  support.assert_has(source('--layer', 'block', '--isa', 'avx2'), ' my_stages[]', 'one kernel')
  support.assert_has(source('--layer', 'block', '--isa', 'c,avx2'), ' my_avx2_stages[]', 'two ISAs')
  support.assert_has(source('--layer', 'block,head', '--isa', 'c'), ' my_block_stages[]',
    'two layers')
  support.assert_has(source('--layer', 'block,head', '--isa', 'c,avx2'), ' my_block_c_stages[]',
    'both')
end
