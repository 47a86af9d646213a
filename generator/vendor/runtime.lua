--- The runtime's files as a vendored folder needs them: lists spelled out, what is not needed left
--- out, and no libc where there is none.
local activations = require 'activation'
local c_text = require 'vendor.c_text'
local emit = require 'emit.emit'
local isas = require 'isa'
local manifest = require 'emit.manifest'
local preprocess = require 'vendor.preprocess'
local runtime_files = require 'common.runtime_files'

local M = {}

--- The lists that the runtime's files spell out, for what is asked for alone. Enumerators have no
--- conditions; whether a machine allows an instruction set that it cannot have is not asked.
local function lists_for(file, request)
  local used, wanted, names, acts = {}, { c = true }, {}, {}
  for _, p in ipairs(request.plans) do
    wanted[p.isa.name] = true
    for _, s in ipairs(p.layer.stages) do used[s.activation.name] = true end
  end
  used.identity = true
  for _, isa in ipairs(isas.names) do names[#names + 1] = wanted[isa] and isa or nil end
  for _, a in ipairs(activations.names) do acts[#acts + 1] = used[a] and a or nil end
  local isa_rows = manifest.isas_inc(names)
  if file == 'cpu.c' then isa_rows = isa_rows:gsub('#else\n[^\n]*\n', '') end
  return {
    ['isas.inc'] = isa_rows,
    ['activations.inc'] = manifest.activations_inc(acts),
    ['kernels.inc'] = manifest.kernels_inc(request.plans),
  }
end

--- Whether an architecture's instruction sets are among those asked for.
---@param request Request
---@param arch string of an instruction set; '' for portable C
function M.has_arch(request, arch)
  for _, p in ipairs(request.plans) do
    if p.isa.arch == arch then return true end
  end
  return false
end

--- The names that stand for a libc's where there is none: freestanding.h has them.
local stand_ins = {
  memcpy = 'FFN_MEMCPY', assert = 'FFN_ASSERT', memcmp = 'ffn_differ',
  strcmp = 'ffn_differ_string', FLT_MAX = 'FFN_FLT_MAX',
}

--- Code of the library without a libc.
local function without_libc(text)
  text = text:gsub('#include <assert%.h>\n#include <float%.h>\n#include <string%.h>\n',
    '#include "freestanding.h"\n')
  return c_text.rename(text, function(word) return stand_ins[word] end)
end

--- A file of the runtime, fit for this request.
---@param root string
---@param request Request
---@param file string
function M.file(root, request, file)
  local text = preprocess.expand(runtime_files.read(root, file), lists_for(file, request))
  local known = {
    FFN_NO_ALLOC = request.freestanding, FFN_NO_DISPATCH = not request.dispatch,
    FFN_FREESTANDING = request.freestanding,
  }
  if file == 'cpu.c' then
    for _, arch in ipairs { 'FFN_ARCH_X86', 'FFN_ARCH_ARM64' } do
      if not M.has_arch(request, arch) then known[arch] = false end
    end
  end
  text = preprocess.decide(text, known)
  local is_check = file == 'reference.c' or file == 'selfcheck.c'
  return request.freestanding and not is_check and without_libc(text) or text
end

--- gcc's immintrin.h takes malloc() of stdlib.h along, unless told that it has.
local function without_malloc(text)
  return (text:gsub('#include <immintrin%.h>\n', [[
#if !__STDC_HOSTED__ && defined(__GNUC__) && !defined(_MM_MALLOC_H_INCLUDED)
#define _MM_MALLOC_H_INCLUDED
#endif
%0]]))
end

--- A kernel's text. How it is made again is for its folder to say.
---@param root string
---@param request Request
---@param plan Plan
function M.kernel(root, request, plan)
  local text, count = emit.kernel(root, plan):gsub(' %* Remake [^\n]*\n', '')
  assert(count == 1, 'a kernel that does not say how it is made')
  return request.freestanding and without_malloc(without_libc(text)) or text
end

return M
