--- Folders that a product owns, by random prefixes and options: each compiles without a warning as
--- C11, its headers as C++17, too; it passes its self-check, and is the same when made again.
local files = require 'folder'
local layer_text = require 'layer_text'
local part = require 'part'
local process = require 'process'
local weight_files = require 'weight_files'

local M = {
  name = 'vendor',
  seconds = 300, -- of CPU, until a case counts as endless
}

local warnings = '-Wall -Wextra -Wpedantic -Wshadow -Werror'

--- Words that C, its libraries and our own files use, and words like them.
local words = {
  'main', 'int', 'cpu', 'kernel', 'reference', 'selfcheck', 'weights', 'std', 'memcpy', 'exp',
  'ffn', 'printf', 'layer', 'pack', 'run', 'x', 'linux', 'unix', 'inline', 'class', 'string',
  'math',
  'stdint', 'errno', 'size_t', 'namespace', 'example_main', 'license', 'readme', 'avx2', 'isa', 'c',
  'my', 'b2', 'a_b_c', 'parallel', 'tasks', 'f32', 'immintrin', 'i386', 'near', 'far', 'small',
}

local function prefix(random)
  local way = random:below(10)
  if way < 6 then return random:pick(words) end
  if way < 8 then return random:pick(words) .. '_' .. random:pick(words) end
  local letters, text = 'abcdefghijklmnopqrstuvwxyz0123456789_', ''
  for _ = 1, 1 + random:skewed(40) do
    local at = random:range(1, #letters)
    text = text .. letters:sub(at, at)
  end
  return way == 8 and text
    or random:pick { text:upper(), text .. '-', text .. '-b', '_' .. text, text .. ' x' }
end

---@class VendorCase
---@field compiler string
---@field layers FuzzLayer[]
---@field prefix string
---@field options string[]       each as the shell takes it
---@field weights string|boolean bytes to embed

---@param random Random
---@return VendorCase
function M.make(random)
  local layers, options = {}, {}
  local embedded = random:chance(20)
  for i = 1, embedded and 1 or 1 + random:skewed(2) do
    local name = random:chance(15) and random:pick(words) or ('l%d'):format(i)
    layers[i] = layer_text.random(random, name, 40)
    if random:chance(40) then layer_text.store(random, layers[i]) end
  end
  local isa = random:pick { 'c', 'avx2', 'avx512', 'c,avx2', 'c,avx2', 'c,avx512,neon', 'neon' }
  options[1] = '--isa ' .. isa
  local layout = random:pick { '', '--single-file', '--header-only', '--max-tu-bytes 40000' }
  if layout ~= '' then options[#options + 1] = layout end
  if not isa:find(',') and random:chance(50) then options[#options + 1] = '--no-dispatch' end
  if random:chance(25) then options[#options + 1] = '--freestanding' end
  if random:chance(30) then
    options[#options + 1] = '--threads ' .. random:pick { 'pthreads', 'team', 'pthreads,team' }
  end
  if random:chance(20) then options[#options + 1] = '--license LicenseRef-Acme' end
  if layout ~= '--header-only' and random:chance(30) then options[#options + 1] = '--flat' end
  local weights = false
  if embedded then
    layers = { { kind = 'ffn', name = 'it', variant = 'relu', d_model = 1, d_ff = 17 } }
    weights = weight_files.valid(random, 'bin', weight_files.models[3])
  end
  return {
    compiler = random:pick { 'gcc', 'clang' }, layers = layers, prefix = prefix(random),
    options = options, weights = weights,
  }
end

local function command_of(case)
  return ('vendor my.lua --out out --prefix %s %s%s'):format(process.quote(case.prefix),
    table.concat(case.options, ' '), case.weights and ' --weights w.bin' or '')
end

---@param case VendorCase
function M.show(case)
  return ('-- %s; ffngen %s\n%s'):format(case.compiler, command_of(case),
    layer_text.file(case.layers))
end

--- A program in C++: the header, and all that it implements where it is all there is.
local c_plus_plus = [[
#define %s_IMPLEMENTATION
#include "%s.h"
int main() { return %s_isa_name(%s_ISA_C) == 0; }
]]

--- Commands in the folder that must succeed, each with what it looks for.
local function steps(case)
  local strict = ('%s -std=c11 %s -Wconversion -O1'):format(case.compiler, warnings)
  local cxx = case.compiler == 'gcc' and 'g++' or 'clang++'
  return {
    { 'it does not compile as C', strict .. ' *.c -lm -o selfcheck' },
    { 'it does not compile as C++',
      ('%s -std=c++17 %s -O1 -c t.cc -o t.o'):format(cxx, warnings) },
    { 'its self-check fails', './selfcheck' },
  }
end

---@param case VendorCase
---@param folder string is empty
---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  files.write(folder .. '/my.lua', layer_text.file(case.layers))
  if case.weights then files.write(folder .. '/w.bin', case.weights) end
  local ffngen = process.quote(root .. '/ffngen') .. ' '
  local ok, said = process.run(folder, 100, ffngen .. command_of(case))
  if not ok then
    local code = tonumber(said:match('^exit (%d+)'))
    if said:find('internal error', 1, true) or code ~= 2 and code ~= 4 then
      return said, 'failed'
    end
    if #files.list(folder .. '/out') > 0 then return 'files after an error: ' .. said, 'failed' end
    return nil, 'refused'
  end
  ok, said = process.run(folder, 100, ffngen .. command_of(case) .. ' --check')
  if not ok then return 'it is another when it is made again: ' .. said, 'failed' end
  local prefix_in_c = case.prefix:lower():gsub('[.-]', '_')
  files.write(folder .. '/out/t.cc', c_plus_plus:format(prefix_in_c:upper(), prefix_in_c,
    prefix_in_c, prefix_in_c:upper()))
  for _, step in ipairs(steps(case)) do
    ok, said = process.run(folder, 200, ('sh -c %s'):format(process.quote('cd out && ' .. step[2])))
    if not ok then return ('%s: %s'):format(step[1], said), 'failed' end
  end
  return nil, 'by ' .. case.compiler
end

---@param case VendorCase
function M.smaller(case)
  local function with(field, value) return part.with(case, field, value) end
  return coroutine.wrap(function()
    for i = 1, #case.layers > 1 and #case.layers or 0 do
      coroutine.yield(with('layers', { case.layers[i] }))
    end
    for i = #case.options, 2, -1 do
      coroutine.yield(with('options', part.without(case.options, i)))
    end
    if case.prefix ~= 'my' then coroutine.yield(with('prefix', 'my')) end
    for _, layer in ipairs(#case.layers == 1 and not case.weights
      and layer_text.smaller(case.layers[1]) or {}) do
      coroutine.yield(with('layers', { layer }))
    end
  end)
end

return M
