--- vendor: VendorRequest -> the files of a folder that a product owns: kernels, the part of the
--- runtime that they need, and what builds, checks and explains them.
local decoders = require 'emit.decoders'
local flat = require 'vendor.flat'
local integers = require 'emit.integers'
local kernels = require 'vendor.kernels'
local lists = require 'common.list'
local manifest = require 'emit.manifest'
local mixtures = require 'vendor.mixtures'
local needs_of = require 'vendor.needs'
local prefix_words = require 'common.prefix_words'
local prefixes = require 'common.prefix'
local problems = require 'common.problem'
local runtime_files = require 'common.runtime_files'
local shapes = require 'vendor.shapes'
local template = require 'emit.template'
local texts = require 'common.text'
local vendor_layers = require 'vendor.layers'
local version = require 'common.version'
local weights = require 'weights'

local M = {}

--- What tells a vendored file from its owner's.
M.made = 'Made by ffngen vendor'

--- What undoes the flags of a product that would change bits: fast-math, in all its parts. The
--- first stands first because clang warns where -fno-fast-math has to change it.
M.exact = {
  '-ffp-contract=off', '-fno-fast-math', '-fno-unsafe-math-optimizations',
  '-fno-associative-math', '-fno-reciprocal-math', '-fsigned-zeros',
}

--- That of runtime/ and templates/.
M.default_license = '0BSD OR MIT-0'

---@class VendorRequest
---@field layers table[]      { spec = Spec, name = of its layer }
---@field plans Plan[]
---@field prefix string
---@field layout string       files, single, header
---@field dispatch boolean
---@field freestanding boolean
---@field threads string[]    names of runtime_files.threads
---@field cpp boolean         with ffn.hpp
---@field selfcheck boolean   with the self-check, its reference and the example
---@field flat boolean        with functions for languages that translate headers
---@field file boolean        with what maps packed weights from a file
---@field license string
---@field max_bytes integer|false  of a translation unit
---@field weights EmbeddedWeights|false
---@field remake Remake

--- What every template may say.
local function environment(root, request)
  local needs = needs_of.of(request.plans)
  local env = {
    D = '$', TOKENS = 3, upper = string.upper, table = table,
    prefix = request.prefix, PREFIX = request.prefix:upper(), license = request.license,
    made = ('%s %s. README.md says how to remake it.'):format(M.made, version.generator),
    version = version.generator, layout = request.layout, remake = request.remake,
    dispatch = request.dispatch, freestanding = request.freestanding,
    selfcheck = request.selfcheck, header_only = request.layout == 'header',
    weights = request.weights and true or false,
    ninja = request.selfcheck or request.layout ~= 'header', -- or it has nothing to make
    without_pack = needs_of.without_pack(request) or false,
    exact = M.exact, training = needs.training, tiles = needs.tiles, flat = request.flat,
    file = request.file, mixtures = request.mixtures,
    alone = request.layout == 'files',
  }
  env.layers = vendor_layers.list(root, request)
  for _, l in ipairs(env.layers) do
    if l.max_tokens > 0 then env.TOKENS = math.min(env.TOKENS, l.max_tokens) end
  end
  env.blocks = #lists.filter(env.layers, function(l)
    return #lists.filter(l.matrices, function(m) return m.row_bytes end) > 0
  end) > 0
  env.find = function(l) return vendor_layers.find_call(l, 'ffn_cpu()', request.prefix) end
  env.pack_call = function(l)
    return prefixes.text(table.concat(vendor_layers.pack_call(l), '\n'), request.prefix)
  end
  env.layer_comment = function(l) return vendor_layers.comment(env, l) end
  env.trained = lists.filter(env.layers, function(l) return l.training end)
  env.train_call = function(l)
    return prefixes.text(table.concat(vendor_layers.train_call(l, 'TOKENS'), '\n'),
      request.prefix)
  end
  env.training_usage = env.training and vendor_layers.training_usage(env, env.trained[1])
  env.usages = lists.map(vendor_layers.examples(env.layers), function(l)
    return vendor_layers.usage(env, l)
  end)
  local use = { 'To run one:', '' }
  for _, line in ipairs(env.usages[1]) do use[#use + 1] = '    ' .. line end
  env.usage_comment = texts.comment(use)
  local function from(file, values)
    return template.load(root, 'vendor/' .. file .. '.tpl', request.prefix)(values or env)
  end
  env.layers_h, env.layers_c = from 'layers.h', from 'layers.c'
  env.train_layers_h, env.train_layers = from 'train_layers.h', from 'train_layers.c'
  if request.weights then
    env.weights_c = from('weights.c', { w = request.weights, alone = env.alone })
  end
  if request.flat then flat.add(env, from) end
  return env, from
end

--- Refuses a prefix that makes names of the runtime the system's, and layers whose names are those
--- of the runtime, in any file that may stand beside them.
local function check_names(root, request, env)
  local parts = {}
  local all = lists.append({ table.unpack(runtime_files.core) }, runtime_files.training)
  lists.append(all, runtime_files.file)
  if lists.has(request.threads, 'mpi') then
    lists.append(all, runtime_files.adapters { 'mpi' })
  end
  if #request.mixtures > 0 then lists.append(all, runtime_files.moe) end
  for _, file in ipairs(all) do
    if file:match('%.[ch]$') then parts[#parts + 1] = runtime_files.read(root, file) end
  end
  -- What formats mean, and what makes them of floats.
  parts[#parts + 1] = decoders.of(root, weights.names, prefixes.default)
  parts[#parts + 1] = manifest.integers_inc(root)
  local needs = needs_of.of(request.plans)
  parts[#parts + 1] = integers.functions(needs.applied, prefixes.default)
  parts[#parts + 1] = manifest.activation_names(needs.activations)
  for _, name in ipairs(weights.names) do lists.append(parts, weights.by_name[name].helpers) end
  local prefix, code = request.prefix, prefixes.text(table.concat(parts), request.prefix)
    .. (env.flat and env.flat.own or '')
  local declared = prefix_words.declared_in(code, prefix)
  if declared then
    problems.bad_input('--prefix', '"%s": %s is a name of C or of a system; choose another '
      .. 'prefix, such as my_%s', prefix, declared, prefix)
  end
  vendor_layers.refuse_taken(env.layers, prefix, code)
end

--- A C file, marked as made here, under the licence of the request.
local function finished(request, env, code)
  local line = kernels.license
  assert(code:sub(1, #line) == line, 'no licence, but ' .. code:sub(1, 60))
  return ('/* SPDX-License-Identifier: %s\n * %s\n%s'):format(request.license, env.made,
    prefixes.vendored(code:sub(#line + 1), request.prefix))
end

--- The C files by kind, finished and under their names; the kinds in the order of the folder.
local function c_files(root, request, env)
  local parts = shapes[request.layout](root, request, env, function(code)
    return #finished(request, env, code)
  end)
  local function done(kind)
    return lists.map(parts[kind], function(file)
      return {
        path = prefixes.file(file.path, request.prefix), text = finished(request, env, file.text),
      }
    end)
  end
  local beside = needs_of.of(request.plans).arranged and { 'ffn_arrange.h' } or {}
  lists.append(beside, runtime_files.adapters(request.threads))
  beside = lists.map(beside, function(file)
    return { path = file, text = runtime_files.chosen(root, file, request.prefix, {}) }
  end)
  local function is_source(file) return runtime_files.is_source(file.path) end
  local function is_header(file) return not is_source(file) end
  parts.adapters = lists.filter(beside, is_header)
  lists.append(parts.sources, lists.filter(beside, is_source))
  local mixed = request.layout ~= 'header' and mixtures.files(root, request) or {}
  lists.append(parts.headers, lists.filter(mixed, is_header))
  -- The one source has those of mixtures in it.
  if request.layout == 'files' then lists.append(parts.sources, lists.filter(mixed, is_source)) end
  parts.cpp = request.cpp and {
    { path = 'ffn.hpp', text = runtime_files.chosen(root, 'ffn.hpp', request.prefix, {
      outputs = needs_of.of(request.plans).outputs,
    }) },
  } or {}
  --- What a header for C++ is beside, where it is a header of its own.
  local function add_cpp(path, header)
    parts.cpp[#parts.cpp + 1] = { path = path, text = runtime_files.chosen(root, path,
      request.prefix, { header = header }) }
  end
  if request.cpp and env.training then add_cpp('ffn_train.hpp', request.layout == 'files') end
  if request.cpp and #request.mixtures > 0 then
    add_cpp(runtime_files.moe_cpp, request.layout ~= 'header')
  end
  return {
    headers = done 'headers', private = done 'private', sources = done 'sources',
    check = done 'check', adapters = done 'adapters', cpp = done 'cpp',
  }
end

local function paths_of(files) return lists.map(files, function(file) return file.path end) end

--- The files of a vendored folder.
---@param root string the project's folder
---@param request VendorRequest
---@return table[] files { path =, text = }
---@return table[] layers with their kernels' sizes
function M.folder(root, request)
  local env, from = environment(root, request)
  check_names(root, request, env)
  local made = c_files(root, request, env)
  env.sources, env.check_sources = paths_of(made.sources), paths_of(made.check)
  env.product_files = lists.append(lists.append(paths_of(made.headers), paths_of(made.private)),
    env.sources)
  env.adapters = paths_of(made.adapters)
  env.cpp = paths_of(made.cpp)[1] or false
  env.headers = lists.append(lists.append(paths_of(made.headers), paths_of(made.cpp)), env.adapters)

  local files = {}
  local function add(path, code)
    files[#files + 1] = { path = path, text = prefixes.vendored(code, request.prefix) }
  end
  for _, kind in ipairs { 'headers', 'private', 'sources', 'check', 'adapters', 'cpp' } do
    for _, file in ipairs(made[kind]) do add(file.path, file.text) end
  end
  if request.selfcheck then
    add(prefixes.file('example_main.c', request.prefix),
      finished(request, env, from 'example_main.c'))
  end
  for _, file in ipairs {
    'README.md', 'LICENSE', 'CMakeLists.txt', 'meson.build', 'meson_options.txt',
  } do
    add(file, from(file))
  end
  add('.gitattributes', from 'gitattributes')
  add(request.prefix .. '.pc.in', from 'pc.in')
  if env.ninja then add(request.prefix .. '.ninja', from 'fragment.ninja') end
  return files, env.layers
end

return M
