--- vendor: Request -> the files of a folder that a product owns: kernels, the part of the runtime
--- that they need, and what builds, checks and explains them.
---
--- Everything is put together under the names of this project; rename.lua, last, gives it the
--- product's prefix.
local amalgam = require 'vendor.amalgam'
local c_text = require 'vendor.c_text'
local problems = require 'common.problem'
local rename = require 'vendor.rename'
local runtime_files = require 'common.runtime_files'
local split = require 'vendor.split'
local template = require 'emit.template'
local vendor_layers = require 'vendor.layers'
local vendor_layout = require 'vendor.layout'
local vendor_runtime = require 'vendor.runtime'
local version = require 'common.version'

local M = {}

--- What tells a vendored file from its owner's.
M.made = 'Made by ffngen vendor'

--- That of runtime/ and templates/.
M.default_license = '0BSD OR MIT-0'

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

--- What every template may say.
local function environment(request)
  local layers = vendor_layers.list(request.specs, request.plans)
  return {
    D = '$', TOKENS = 3, upper = string.upper, table = table,
    prefix = request.prefix, PREFIX = request.prefix:upper(), license = request.license,
    made = ('%s %s. README.md says how to remake it.'):format(M.made, version.generator),
    version = version.generator, layers = layers, layout = request.layout,
    dispatch = request.dispatch, freestanding = request.freestanding,
    header_only = request.layout == 'header', weights = request.weights and true or false,
  }
end

--- ffn.h with this folder's layers and their use.
local function api_header(root, request, env)
  local text = vendor_runtime.file(root, request, 'ffn.h')
  local words = {}
  for _, piece in ipairs(c_text.pieces(text)) do words[piece.text] = true end
  local layers = template.load(root, 'vendor/layers.h.tpl')(env)
  for _, l in ipairs(env.layers) do
    for _, word in ipairs {
      'ffn_' .. l.spec, 'ffn_' .. l.spec .. '_packed', 'FFN_' .. l.spec:upper() .. '_INPUTS',
    } do
      if words[word] then
        problems.bad_input(nil, 'layer "%s": the name is taken in C: %s is another\'s (rename it)',
          l.spec, word)
      end
      words[word] = true
    end
  end
  local lines = { 'To run one:', '' }
  for _, line in ipairs(vendor_layers.usage(env)) do lines[#lines + 1] = '    ' .. line end
  local use = {}
  for i, line in ipairs(lines) do use[i] = (' * ' .. line):gsub('%s+$', '') end
  text = amalgam.replaced(text, ' %* Five steps run one:\n.-\n %*\n %* What',
    table.concat(use, '\n') .. '\n *\n * What')
  return amalgam.replaced(text, '#ifdef __cplusplus\n}\n', layers .. '#ifdef __cplusplus\n}\n')
end

--- The library's files: public header, private headers, sources; each { path =, text = }.
local function library(root, request, env)
  local parts = { header = api_header(root, request, env), private = {}, sources = {} }
  parts.portable = vendor_runtime.has_arch(request, '')
  local function add(list, path, text) list[#list + 1] = { path = path, text = text } end
  add(parts.private, 'kernel.h', vendor_runtime.file(root, request, 'kernel.h'))
  if request.freestanding then
    add(parts.private, 'freestanding.h', runtime_files.read(root, 'freestanding.h'))
  end
  add(parts.sources, 'ffn.c', vendor_runtime.file(root, request, 'ffn.c')
    .. template.load(root, 'vendor/layers.c.tpl')(env))
  if request.dispatch then
    add(parts.sources, 'cpu.c', vendor_runtime.file(root, request, 'cpu.c'))
  end
  if request.weights then
    add(parts.sources, 'weights.c',
      template.load(root, 'vendor/weights.c.tpl') { w = request.weights })
  end
  for _, p in ipairs(request.plans) do
    local text = vendor_runtime.kernel(root, request, p)
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
    list[#list + 1] = { path = file, text = vendor_runtime.file(root, request, file) }
  end
  if not request.dispatch then add('cpu.c') end
  add('reference.c')
  add('selfcheck.c')
  return list
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
  local parts = library(root, request, env)
  parts.check = check_files(root, request)
  local headers, private, sources, checks = vendor_layout[request.layout](root, parts)
  if request.max_bytes then
    sources = split.units(sources, request.max_bytes, function(text)
      return #text + most_growth(request, env, text)
    end)
  end
  local adapters = {}
  for i, file in ipairs(runtime_files.adapters(request.threads)) do
    adapters[i] = { path = file, text = runtime_files.read(root, file) }
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
  env.headers, env.product_files = add_all(headers), {}
  local private_paths = add_all(private)
  env.sources, env.check_sources = add_all(sources), add_all(checks)
  for _, list in ipairs { env.headers, private_paths, env.sources } do
    for _, path in ipairs(list) do env.product_files[#env.product_files + 1] = path end
  end
  env.adapters = add_all(adapters)
  table.move(env.adapters, 1, #env.adapters, #env.headers + 1, env.headers)
  env.usage = vendor_layers.usage(env)

  local function from_template(file)
    return template.load(root, 'vendor/' .. file .. '.tpl')(env)
  end
  add(finished(request, env, { path = 'example_main.c', text = from_template('example_main.c') }))
  add { path = 'README.md', text = rename.prose(request.prefix, from_template('README.md'))
    :gsub('REMAKE\n', function() return request.remake .. '\n' end) }
  add { path = 'LICENSE', text = from_template('LICENSE') }
  add { path = 'CMakeLists.txt', text = from_template('CMakeLists.txt') }
  add { path = 'meson.build', text = from_template('meson.build') }
  add { path = request.prefix .. '.pc.in', text = from_template('pc.in') }
  add { path = request.prefix .. '.ninja', text = from_template('fragment.ninja') }
  return files, env.layers
end

return M
