--- vendor: Request -> the files of a folder that a product owns: kernels, the part of the runtime
--- that they need, and what builds, checks and explains them.
---
--- Everything is put together under the names of this project; rename.lua, last, gives it the
--- product's prefix.
local amalgam = require 'amalgam'
local c_text = require 'c_text'
local describe = require 'describe'
local emit = require 'emit'
local isas = require 'isas'
local manifest = require 'manifest'
local name = require 'name'
local preprocess = require 'preprocess'
local record = require 'record'
local rename = require 'rename'
local runtime_files = require 'runtime_files'
local split = require 'split'
local template = require 'template'
local text_size = require 'text_size'
local version = require 'version'

local M = {}

--- What tells a vendored file from its owner's.
M.made = 'Made by ffngen vendor'

local default_license = '0BSD OR MIT-0'
M.default_license = default_license

---@class Request
---@field specs Spec[]
---@field plans Plan[]
---@field prefix string
---@field layout string       files, single, header
---@field dispatch boolean
---@field freestanding boolean
---@field threads string[]    words of runtime_files.threads
---@field license string
---@field max_bytes integer|false  of a translation unit
---@field weights EmbeddedWeights|false
---@field remake string       the command

--- The layers asked for, as the templates print them.
local function layers_of(request)
  local layers = {}
  for i, s in ipairs(request.specs) do
    local kernels, isa_names, fallback, work, first = {}, {}, false, 0, nil
    local layer_name = name.encode_layer(setmetatable({ dtype = 'f32' }, { __index = s }))
    for _, p in ipairs(request.plans) do
      if p.layer.name == layer_name then
        first = first or p
        kernels[#kernels + 1] = {
          symbol = rename.file(request.prefix, p.name .. '.c'):sub(1, -3),
          work_bytes = p.work_bytes, text_bytes = text_size.estimate(p),
        }
        isa_names[#isa_names + 1] = p.isa.title
        fallback = fallback or p.isa.arch == ''
        work = math.max(work, p.work_bytes)
      end
    end
    local l, bounds, matrices, chain, fields, frees = first.layer, {}, {}, {}, {}, ''
    for j, stage in ipairs(l.stages) do
      bounds[j] = ('%s: %s'):format(stage.name, (describe.error(stage):gsub('\n %*%s*', ' ')))
      for _, branch in ipairs(stage.branches) do
        local field = branch.source:match('weights%->(%w+)$')
        local m = { weight = 'w_' .. (field or j), bias = stage.bias and 'b_' .. (field or j),
          inputs = stage.inputs, outputs = stage.outputs, field = field }
        matrices[#matrices + 1] = m
        frees = ('%s, free(%s)%s'):format(frees, m.weight, m.bias and (', free(%s)'):format(m.bias)
          or '')
        local pair = ('{%s, %s}'):format(m.weight, m.bias or 'NULL')
        if field then
          fields[#fields + 1] = ('.%s = %s'):format(field, pair)
        else
          chain[#chain + 1] = pair
        end
      end
    end
    if #chain > 0 then
      fields[1] = ('.chain = (const ffn_linear[]){%s}'):format(table.concat(chain, ', '))
    end
    if l.runtime_beta then fields[#fields + 1] = '.beta = 1' end
    layers[i] = record.strict('vendored layer', {
      spec = s.name, name = l.name, title = name.describe(l.name), about = s.about,
      isas = table.concat(isa_names, ', '), fallback = fallback, kernels = kernels,
      kernel = first.name, guard = first.isa.arch,
      inputs = l.inputs, outputs = l.outputs, flop = l.flop_per_token,
      weight_count = l.flop_per_token // 2,
      packed_bytes = first.packed_bytes, work_bytes = work, bounds = bounds, matrices = matrices,
      weights_text = table.concat(fields, ', '), frees = frees,
    })
  end
  return layers
end

--- What every template may say.
local function environment(request)
  local layers = layers_of(request)
  return {
    D = '$', TOKENS = 3, upper = string.upper, table = table,
    prefix = request.prefix, PREFIX = request.prefix:upper(), license = request.license,
    made = ('%s %s. README.md says how to remake it.'):format(M.made, version.generator),
    version = version.generator, layers = layers, layout = request.layout,
    dispatch = request.dispatch, freestanding = request.freestanding,
    header_only = request.layout == 'header', weights = request.weights and true or false,
    remake = request.remake,
  }
end

--- How a layer is run, for README and header.
local function usage(env)
  local l = env.layers[1]
  local lines = { ('const ffn_kernel *k = ffn_%s();'):format(l.spec) }
  local bytes = ('FFN_%s_'):format(l.spec:upper())
  if env.freestanding then
    lines[#lines + 1] = ('static _Alignas(FFN_ALIGNMENT) unsigned char work[%sWORK_BYTES];'):format(
      bytes)
    if not env.weights then
      lines[#lines + 1] = ('static _Alignas(FFN_ALIGNMENT) unsigned char packed[%sPACKED_BYTES];')
        :format(bytes)
    end
  else
    lines[#lines + 1] = 'void *work = ffn_alloc(ffn_work_bytes(k, 1));'
    if not env.weights then lines[#lines + 1] = 'void *packed = ffn_alloc(k->packed_bytes);' end
  end
  if env.weights then
    lines[#lines + 1] = ('const void *packed = ffn_%s_packed();'):format(l.spec)
  else
    lines[#lines + 1] = ('k->pack(packed, &(ffn_weights){%s});'):format(l.weights_text)
  end
  lines[#lines + 1] = ('k->run(y, %d, x, %d, tokens, packed, work, NULL);'):format(l.outputs,
    l.inputs)
  if not env.freestanding then
    lines[#lines + 1] = (env.weights and '' or 'ffn_free(packed), ') .. 'ffn_free(work);'
  end
  return lines
end

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
  for _, a in ipairs(require('activations').names) do acts[#acts + 1] = used[a] and a or nil end
  local isa_rows = manifest.isas_inc(names)
  if file == 'cpu.c' then isa_rows = isa_rows:gsub('#else\n[^\n]*\n', '') end
  return {
    ['isas.inc'] = isa_rows,
    ['activations.inc'] = manifest.activations_inc(acts),
    ['kernels.inc'] = manifest.kernels_inc(request.plans),
  }
end

--- Whether an architecture's instruction sets are among those asked for.
local function has_arch(request, arch)
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
local function runtime_file(root, request, file)
  local text = preprocess.expand(runtime_files.read(root, file), lists_for(file, request))
  local known = {
    FFN_NO_ALLOC = request.freestanding, FFN_NO_DISPATCH = not request.dispatch,
    FFN_FREESTANDING = request.freestanding,
  }
  if file == 'cpu.c' then
    for _, arch in ipairs { 'FFN_ARCH_X86', 'FFN_ARCH_ARM64' } do
      if not has_arch(request, arch) then known[arch] = false end
    end
  end
  text = preprocess.decide(text, known)
  local is_check = file == 'reference.c' or file == 'selfcheck.c'
  return request.freestanding and not is_check and without_libc(text) or text
end

--- The one place of a text where `find` stands, replaced.
local function replace_once(text, find, put)
  local from, to = text:find(find)
  assert(from and not text:find(find, to + 1), 'not once in its text: ' .. find)
  return text:sub(1, from - 1) .. put .. text:sub(to + 1)
end

--- ffn.h with this folder's layers and their use.
local function api_header(root, request, env)
  local text = runtime_file(root, request, 'ffn.h')
  local words = {}
  for _, piece in ipairs(c_text.pieces(text)) do words[piece.text] = true end
  local layers = template.load(root, 'vendor/layers.h.tpl')(env)
  for _, l in ipairs(env.layers) do
    for _, word in ipairs {
      'ffn_' .. l.spec, 'ffn_' .. l.spec .. '_packed', 'FFN_' .. l.spec:upper() .. '_INPUTS',
    } do
      if words[word] then
        error({ bad_input = ('%s "%s": the name is taken in C: %s is another\'s (rename the spec)')
          :format('spec', l.spec, word) }, 0)
      end
      words[word] = true
    end
  end
  local lines = { 'To run one:', '' }
  for _, line in ipairs(usage(env)) do lines[#lines + 1] = '    ' .. line end
  local use = {}
  for i, line in ipairs(lines) do use[i] = (' * ' .. line):gsub('%s+$', '') end
  text = replace_once(text, ' %* Five steps run one:\n.-\n %*\n %* What',
    table.concat(use, '\n') .. '\n *\n * What')
  return replace_once(text, '#ifdef __cplusplus\n}\n', layers .. '#ifdef __cplusplus\n}\n')
end

--- A kernel's text. Its own remake line is for generated/.
local function kernel_text(root, request, plan)
  local text = replace_once(emit.kernel(root, plan), ' %* Remake [^\n]*\n', '')
  return request.freestanding and without_libc(text) or text
end

--- gcc's immintrin.h takes malloc() of stdlib.h along, unless told that it has.
local function without_malloc(text)
  return (text:gsub('#include <immintrin%.h>\n', [[
#if !__STDC_HOSTED__ && defined(__GNUC__) && !defined(_MM_MALLOC_H_INCLUDED)
#define _MM_MALLOC_H_INCLUDED
#endif
%0]]))
end

--- The library's files: public header, private headers, sources; each { path =, text = }.
local function library(root, request, env)
  local parts = { header = api_header(root, request, env), private = {}, sources = {} }
  local function add(list, path, text) list[#list + 1] = { path = path, text = text } end
  add(parts.private, 'kernel.h', runtime_file(root, request, 'kernel.h'))
  if request.freestanding then
    add(parts.private, 'freestanding.h', runtime_files.read(root, 'freestanding.h'))
  end
  add(parts.sources, 'ffn.c', runtime_file(root, request, 'ffn.c')
    .. template.load(root, 'vendor/layers.c.tpl')(env))
  if request.dispatch then add(parts.sources, 'cpu.c', runtime_file(root, request, 'cpu.c')) end
  if request.weights then
    add(parts.sources, 'weights.c',
      template.load(root, 'vendor/weights.c.tpl') { w = request.weights })
  end
  for _, p in ipairs(request.plans) do
    local text = kernel_text(root, request, p)
    if request.freestanding then text = without_malloc(text) end
    if request.layout ~= 'files' or request.max_bytes then
      text = amalgam.own(text, ('ffn_%s_%s_'):format(p.layer.spec_name, p.isa.name))
    end
    add(parts.sources, p.name .. '.c', text)
  end
  return parts
end

--- The check's files, in the order in which they may be joined.
local function check_files(root, request)
  local list = {}
  local function add(file)
    list[#list + 1] = { path = file, text = runtime_file(root, request, file) }
  end
  if not request.dispatch then add('cpu.c') end
  add('reference.c')
  add('selfcheck.c')
  return list
end

local function texts_of(list)
  local texts = {}
  for i, file in ipairs(list) do texts[i] = file.text end
  return texts
end

local function spdx(about)
  return ('/* SPDX-License-Identifier: %s\n *\n * %s\n */\n'):format(default_license, about)
end

--- Each layout gives public and private headers, sources of the library, and of the check.
local layouts = {}

function layouts.files(_, parts, check)
  local headers = { { path = 'ffn.h', text = parts.header } }
  return headers, parts.private, parts.sources, check
end

--- Sources and private headers as one text behind ffn.h; and what ffn.c has in front of its first
--- header, which asks the system for more than C.
local function joined(parts)
  local inside, sources, asks = { ['ffn.h'] = '' }, { '#include "kernel.h"\n' }, ''
  for _, file in ipairs(parts.private) do inside[file.path] = file.text end
  for _, file in ipairs(parts.sources) do
    local text = amalgam.own(file.text, 'ffn_')
    if file.path == 'ffn.c' then
      text = text:gsub('( %*/\n)(.-)(#include)', function(before, between, after)
        asks = between
        return before .. after
      end, 1)
    end
    sources[#sources + 1] = text
  end
  return amalgam.pruned(amalgam.join(sources, inside)), asks
end

--- The check as one file, behind what it begins with.
local function joined_check(about, begin, check, inside)
  inside['ffn.h'] = ''
  local body = amalgam.pruned(amalgam.join(texts_of(check), inside))
  return { { path = 'selfcheck.c', text = spdx(about) .. begin .. '\n' .. body } }
end

function layouts.single(root, parts, check)
  local body, asks = joined(parts)
  local source = spdx('ffn.c - the kernels and all that they need, behind ffn.h.') .. asks
    .. '#include "ffn.h"\n\n' .. body
  return { { path = 'ffn.h', text = parts.header } }, {}, { { path = 'ffn.c', text = source } },
    joined_check('selfcheck.c - the reference and the self-check.', '#include "ffn.h"\n', check,
      { ['kernel.h'] = runtime_files.read(root, 'kernel.h') })
end

function layouts.header(_, parts, check)
  local body = joined(parts)
  local header = replace_once(parts.header, ' %*/\n#ifndef FFN_H\n', table.concat({
    ' *',
    ' * This header is all: one .c or .cpp file defines FFN_IMPLEMENTATION before it includes it.',
    ' */', '#ifndef FFN_H', '',
  }, '\n'))
  return { { path = 'ffn.h', text = table.concat({
    header, '#if defined(FFN_IMPLEMENTATION) && !defined(FFN_IMPLEMENTED)',
    '#define FFN_IMPLEMENTED', '', body .. '#endif', '',
  }, '\n') } }, {}, {},
    joined_check('selfcheck.c - the implementation, the reference and the self-check.',
      '#define FFN_IMPLEMENTATION\n#include "ffn.h"\n', check, { ['kernel.h'] = '' })
end

--- A C file, marked as made here, under the licence and the prefix of the request.
local function finished(request, env, file)
  local text = file.text:gsub('^(/%* SPDX%-License%-Identifier: )[^\n]*\n', function(start)
    return ('%s%s\n * %s\n'):format(start, request.license, env.made)
  end)
  return {
    path = rename.file(request.prefix, file.path), text = rename.code(request.prefix, text),
  }
end

--- By how many bytes finished() makes a text longer, at most.
local function most_growth(request, env, text)
  local names = select(2, text:gsub('[fF][fF][nN]_', '')) + select(2, text:gsub('_f32_', ''))
  return #env.made + #request.license + 4 + names * (#request.prefix + 1)
end

--- The files of a vendored folder.
---@param root string the project's folder
---@param request Request
---@return table[] files { path =, text = }
---@return table[] layers with their kernels' sizes
function M.folder(root, request)
  local env = environment(request)
  local parts, check = library(root, request, env), check_files(root, request)
  local headers, private, sources, checks = layouts[request.layout](root, parts, check)
  if request.max_bytes then
    sources = split.units(sources, request.max_bytes, function(text)
      return #text + most_growth(request, env, text)
    end)
  end
  for _, file in ipairs(runtime_files.adapters(request.threads)) do
    local list = file:find('^parallel_') and headers or private
    list[#list + 1] = { path = file, text = runtime_files.read(root, file) }
  end

  local files, seen = {}, {}
  local function add(file)
    assert(not seen[file.path], file.path .. ' is made twice')
    seen[file.path] = true
    files[#files + 1] = file
  end
  local function add_all(list)
    local paths = {}
    for i, file in ipairs(list) do
      local done = finished(request, env, file)
      add(done)
      paths[i] = done.path
    end
    return paths
  end
  env.headers, env.adapters = add_all(headers), {}
  -- tasks.h is included by adapters, so it is installed with them.
  local private_paths = add_all(private)
  for _, path in ipairs(private_paths) do
    if path:find('tasks.h', 1, true) then env.headers[#env.headers + 1] = path end
  end
  for i = 2, #headers do env.adapters[i - 1] = '`' .. env.headers[i] .. '`' end
  env.sources, env.check_sources = add_all(sources), add_all(checks)
  env.product_files = {}
  for _, list in ipairs { { env.headers[1] }, private_paths, env.sources } do
    for _, path in ipairs(list) do env.product_files[#env.product_files + 1] = path end
  end
  env.usage = usage(env)

  local function from_template(file)
    return template.load(root, 'vendor/' .. file .. '.tpl')(env)
  end
  add(finished(request, env, { path = 'example_main.c', text = from_template('example_main.c') }))
  add { path = 'README.md', text = rename.prose(request.prefix, from_template('README.md')) }
  add { path = 'LICENSE', text = from_template('LICENSE') }
  add { path = 'CMakeLists.txt', text = from_template('CMakeLists.txt') }
  add { path = 'meson.build', text = from_template('meson.build') }
  add { path = request.prefix .. '.pc.in', text = from_template('pc.in') }
  add { path = request.prefix .. '.ninja', text = from_template('fragment.ninja') }
  return files, env.layers
end

return M
