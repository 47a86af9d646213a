--- The shapes of a vendored folder: many files, one .c and one .h, or one header.
local called = require 'vendor.called'
local kernels = require 'vendor.kernels'
local lists = require 'common.list'
local mixtures = require 'vendor.mixtures'
local needs_of = require 'vendor.needs'
local problems = require 'common.problem'
local runtime = require 'vendor.runtime'
local runtime_files = require 'common.runtime_files'
local prefixes = require 'common.prefix'
local texts = require 'common.text'
local vendor_layers = require 'vendor.layers'

local M = {}

---@class VendoredFiles
---@field headers table[]  { path =, text = } of those that a product includes
---@field private table[]  those that the sources include
---@field sources table[]  of the library
---@field check table[]    of the self-check

--- Those of which a folder has what is called.
local by_calls = lists.set {
  'kernel.h', 'dropout.h', 'train_walk.h', 'ffn.c', 'registry.c', 'cpu.c', 'reference.c',
  'reference_s8.c', 'reference_grad.c',
}

--- Reads files of the runtime as chosen.
local function reader(root, request, own, env)
  local choices = runtime.choices(root, request, own)
  local trained = runtime.training_choices(root, request, own, env.train_layers)
  return function(file, changes)
    local choice = choices[file] or trained[file]
    for _, change in ipairs(changes or {}) do choice[change[1]] = change[2] end
    return runtime_files.chosen(root, file, request.prefix, choice, by_calls[file])
  end
end

--- Sources one after the other, with what the headers declare and what that calls.
---@param read fun(file: string): string
---@param files string[]
---@return string
local function sources_of(env, read, files)
  local declared = env.training and { read 'ffn.h', read 'ffn_train.h' } or { read 'ffn.h' }
  return called.of({ texts.paragraphs(lists.map(files, read)) }, declared)[1]
end

--- The headers that kernels include, each with what is called.
---@param callers string[]
---@return table[] files
local function headers_of(env, read, callers)
  local files = env.training and { 'kernel.h', 'dropout.h', 'train_walk.h' } or { 'kernel.h' }
  local all = called.of(lists.map(files, function(file) return read(file) end), callers)
  for i, file in ipairs(files) do all[i] = { path = file, text = all[i] } end
  return all
end

--- Texts of files, of adapters' and mixtures' sources among them: what calls the header of kernels.
local function callers_of(root, request, files)
  local beside = lists.append(runtime_files.adapters(request.threads),
    #request.mixtures > 0 and runtime_files.moe or {})
  return lists.append(lists.map(files, function(file) return file.text end),
    lists.map(lists.filter(beside, runtime_files.is_source), function(file)
      return prefixes.text(runtime_files.read(root, file), request.prefix)
    end))
end

--- The public header with the layers of this folder; `behind` stands behind them.
local function header(env, read, behind, changes)
  return read('ffn.h', lists.append({
    { 'usage', env.usage_comment }, { 'layers', env.layers_h .. behind },
  }, changes or {}))
end

--- The public header of training, as a part of the other one.
local function training_header(root, request, env)
  if not env.training then return '' end
  return kernels.ruler 'Training' .. '\n'
    .. reader(root, request, false, env)('ffn_train.h', { { 'layers', env.train_layers_h } })
end

--- The sources of the references.
local function references(request, env)
  local has_integers = #needs_of.of(request.plans).integers > 0
  return lists.append({ 'reference.c', has_integers and 'reference_s8.c' or nil },
    { env.training and 'reference_grad.c' or nil })
end

--- Sources of the check that a folder of many files has.
local function check_sources(request, env)
  if not request.selfcheck then return {} end
  local files = request.dispatch and {} or { 'cpu.c' }
  return lists.append(lists.append(files, references(request, env)), { 'selfcheck.c' })
end

---@param size fun(text: string): integer
---@return VendoredFiles
function M.files(root, request, env, size)
  local read = reader(root, request, true, env)
  local headers, sources = { { path = 'ffn.h', text = header(env, read, '') } }, {}
  local private = {}
  if request.freestanding then
    private[1] = { path = 'freestanding.h', text = read 'freestanding.h' }
  end
  if env.training then
    headers[2] = {
      path = 'ffn_train.h', text = read('ffn_train.h', { { 'layers', env.train_layers_h } }),
    }
  end
  local function add(path, code) sources[#sources + 1] = { path = path, text = code } end
  local function source(...) return sources_of(env, read, { ... }) end
  add('ffn.c', texts.paragraphs { source('ffn.c', 'registry.c'), env.layers_c })
  if request.dispatch then add('cpu.c', source 'cpu.c') end
  if request.weights then add('weights.c', env.weights_c) end
  for _, plan in ipairs(request.plans) do
    lists.append(sources, kernels.files(root, request, plan, size))
  end
  if env.training then add('train.c', texts.paragraphs { read 'train.c', read 'dropout.c' }) end
  for _, plan in ipairs(needs_of.trained(request.plans)) do
    sources[#sources + 1] = kernels.training(root, request, plan)
  end
  if env.flat then
    headers[#headers + 1] = { path = 'ffn_flat.h', text = env.flat.header }
    private[#private + 1] = { path = 'ffn_flat_checks.h', text = env.flat.checks }
    add('ffn_flat.c', env.flat.code)
    if env.training then add('ffn_flat_train.c', env.flat.training) end
  end
  if request.file then
    headers[#headers + 1] = { path = 'ffn_file.h', text = read 'ffn_file.h' }
    add('ffn_file.c', read 'ffn_file.c')
  end
  local needed, largest = 0, nil
  for _, file in ipairs(sources) do
    if size(file.text) > needed then needed, largest = size(file.text), file.path end
  end
  if request.max_bytes and needed > request.max_bytes then
    problems.bad_input('--max-tu-bytes', '%d: %s cannot be split further: give at least %d',
      request.max_bytes, largest, needed)
  end
  local check = lists.map(check_sources(request, env), function(file)
    return { path = file, text = by_calls[file] and source(file) or read(file) }
  end)
  local all = lists.append(lists.append(lists.append({}, private), sources), check)
  private = lists.append(headers_of(env, read, callers_of(root, request, all)), private)
  return { headers = headers, private = private, sources = sources, check = check }
end

--- The kernels, by short names if these are not the layers' own.
local function kernels_text(root, request, env)
  local short = kernels.together(root, request, false)
  if not vendor_layers.taken(env.layers, request.prefix, short) then return short end
  local long = kernels.together(root, request, true)
  vendor_layers.refuse_taken(env.layers, request.prefix, long)
  return long
end

--- The library as one text behind ffn.h.
local function library(root, request, env)
  local read = reader(root, request, false, env)
  local code = texts.paragraphs {
    kernels_text(root, request, env),
    kernels.ruler 'Finding a kernel',
    sources_of(env, read, { 'ffn.c', 'registry.c', request.dispatch and 'cpu.c' or nil }),
    env.layers_c, env.training and read 'train.c' .. '\n' .. read 'dropout.c' or '',
    request.weights and env.weights_c or '', request.file and read 'ffn_file.c' or '',
    mixtures.sources(root, request),
    env.flat and texts.paragraphs { env.flat.checks, env.flat.code, env.flat.training } or '',
  }
  local shared = lists.map(headers_of(env, read, { code }), function(file) return file.text end)
  return texts.paragraphs {
    request.freestanding and read 'freestanding.h' or '', texts.paragraphs(shared), code,
  }
end

--- The conditions that tell machines apart for some code, where kernel.h is not there to give them.
local function arch_text(root, request, code)
  local both = runtime_files.section(root, 'kernel.h', request.prefix, 'arch')
  return called.of({ both }, { code })[1] .. '\n'
end

--- The check as one file behind what it begins with.
local function check_file(root, request, env, about, begin, has_arch)
  if not request.selfcheck then return {} end
  local read = reader(root, request, false, env)
  local exact = runtime_files.chosen(root, 'exact.h', request.prefix,
    { head = false, foot = false })
  local cpu = not request.dispatch and sources_of(env, read, { 'cpu.c' })
  local pieces = {
    begin .. '\n' .. exact, cpu and not has_arch and arch_text(root, request, cpu) or '', cpu or '',
    sources_of(env, read, references(request, env)),
    read 'selfcheck.c',
  }
  local head = kernels.head { prefixes.text('selfcheck.c - ' .. about, request.prefix) }
  return { { path = 'selfcheck.c', text = head .. texts.paragraphs(pieces) } }
end

local may_be_unused = [[
/* On a machine that none of the kernels is for, nothing uses what they share. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
]]

---@return VendoredFiles
function M.single(root, request, env)
  local read = reader(root, request, true, env)
  local include = ('#include "%s.h"\n'):format(request.prefix)
  local about = { ('%s.c - behind %s.h:'):format(request.prefix, request.prefix) }
  for _, l in ipairs(env.layers) do
    about[#about + 1] = '    ' .. l.title
    about[#about + 1] = '        for ' .. l.isas
  end
  local headers = {
    { path = 'ffn.h', text = header(env, read, training_header(root, request, env)) },
  }
  local others = ''
  local function add(name, code)
    headers[#headers + 1] = { path = ('ffn_%s.h'):format(name), text = code }
    others = ('%s#include "%s_%s.h"\n'):format(others, request.prefix, name)
  end
  if request.file then add('file', read 'ffn_file.h') end
  if #request.mixtures > 0 then
    others = ('%s#include "%s_moe.h"\n'):format(others, request.prefix) -- a file of its own
  end
  if env.flat then add('flat', env.flat.header) end
  return {
    headers = headers, private = {},
    sources = { { path = 'ffn.c', text = kernels.head(about) .. texts.paragraphs {
      include .. others, needs_of.of(request.plans).portable and '' or may_be_unused,
      library(root, request, env),
    } } },
    check = check_file(root, request, env, 'the reference and the self-check.', include,
      false),
  }
end

---@return VendoredFiles
function M.header(root, request, env)
  local function named(code) return prefixes.text(code, request.prefix) end
  local read, training = reader(root, request, true, env), training_header(root, request, env)
  local file = request.file and kernels.ruler 'Packed weights in a file' .. '\n'
    .. reader(root, request, false, env) 'ffn_file.h' or ''
  local whole = header(env, read, training .. file .. mixtures.header(root, request), {
    { 'header_only', named [[
/* This header is all: one .c or .cpp file defines FFN_IMPLEMENTATION before it includes it. */
]] },
    { 'implementation', named [[

#if defined(FFN_IMPLEMENTATION) && !defined(FFN_IMPLEMENTED)
#define FFN_IMPLEMENTED

]] .. library(root, request, env) .. '\n#endif\n' },
  })
  return {
    headers = { { path = 'ffn.h', text = whole } }, private = {}, sources = {},
    check = check_file(root, request, env,
      'the implementation, the reference and the self-check.',
      named '#define FFN_IMPLEMENTATION\n#include "ffn.h"\n', true),
  }
end

return M
