--- Kernels as C text for a vendored folder: a file each, several files where that is too long, or
--- side by side in a larger file.
local called = require 'vendor.called'
local code_bytes = require 'vendor.code_bytes'
local emit = require 'emit.emit'
local helpers = require 'emit.helpers'
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local texts = require 'common.text'
local training = require 'emit.training'
local version = require 'common.version'

local M = {}

--- The first line of every file of runtime/ and templates/.
M.license = '/* SPDX-License-Identifier: 0BSD OR MIT-0\n'

--- A heading inside of a file.
function M.ruler(title) return ('/* ---- %s %s */\n'):format(title, ('-'):rep(85 - #title)) end

--- The comment that a file begins with.
---@param about string[] lines
function M.head(about) return texts.comment(about, M.license) end

--- How a kernel's names begin where they may meet another's: with layer and instruction set, as
--- far as there are several. Flat functions are the layer's, so that the kernel's say more.
---@param request VendorRequest
---@param plan Plan
---@param external boolean  its functions lie in several files
---@param long boolean      with the layer, even if it is the only one
---@return Naming
local function naming(request, plan, external, long)
  local function several(object, field)
    return #lists.unique(lists.map(request.plans, function(p) return p[object][field] end)) > 1
  end
  local isa = (request.flat or several('isa', 'name')) and plan.isa.name .. '_' or ''
  local own = (long or several('layer', 'spec_name')) and plan.layer.spec_name .. '_' or ''
  local prefix = request.prefix .. '_'
  return {
    prefix = request.prefix, own = prefix .. own .. isa, shared = prefix .. isa,
    external = external, remake = '',
  }
end

--- How those of its training begin beside them.
---@return Naming
local function training_naming(request, plan, long)
  local names = naming(request, plan, false, long)
  names.own = names.own .. 'train_'
  return names
end

--- How they begin in a file of the kernel's own.
---@return Naming
local function alone(request)
  return { prefix = request.prefix, own = '', shared = '', external = false, remake = '' }
end

--- Kernels that are printed already, with their names: a folder counts their code before it holds
--- them.
local printed = setmetatable({}, { __mode = 'k' })

---@param plan Plan
---@param names Naming
---@return KernelText
local function kernel_text(root, plan, names)
  local key = table.concat({ names.prefix, names.own, names.shared, tostring(names.external) }, ' ')
  printed[plan] = printed[plan] or {}
  printed[plan][key] = printed[plan][key] or emit.kernel(root, plan, names)
  return printed[plan][key]
end

--- How many bytes of machine code a kernel of a folder is.
---@param root string
---@param request VendorRequest
---@param plan Plan
---@return CodeBytes
function M.code_bytes(root, request, plan)
  local names = request.layout == 'files' and alone(request)
    or naming(request, plan, false, false)
  return code_bytes.of_text(plan, kernel_text(root, plan, names), names)
end

local function texts_of(items) return lists.map(items, function(item) return item.text end) end

--- gcc's immintrin.h takes malloc() of stdlib.h along, unless told that it has.
local without_malloc = [[
#if !__STDC_HOSTED__ && defined(__GNUC__) && !defined(_MM_MALLOC_H_INCLUDED)
#define _MM_MALLOC_H_INCLUDED
#endif
]]

--- g++ 12 takes the undefined registers of its own header for a defect of whoever calls it.
local without_warnings = [[
#if defined(__cplusplus) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
]]
local with_warnings = [[
#if defined(__cplusplus) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
]]

--- Pieces of text for the machine of a kernel.
---@param k KernelText
local function for_machine(request, k, pieces)
  local function named(code) return prefixes.text(code, request.prefix) end
  local before, behind = '', k.target_end
  local is_x86, is_cxx = k.include == 'immintrin.h', request.layout ~= 'files'
  if is_x86 and is_cxx then behind = behind .. with_warnings end
  if k.arch ~= '' then
    before, behind = ('#if %s\n'):format(k.arch), behind .. '#endif\n'
  end
  if is_x86 and request.freestanding then before = before .. without_malloc end
  if is_x86 and is_cxx then before = before .. without_warnings end
  if k.include ~= '' then before = ('%s#include <%s>\n'):format(before, k.include) end
  table.insert(pieces, 1, named 'FFN_EXACT_BEGIN\n' .. before .. k.target_begin)
  pieces[#pieces + 1] = behind .. named 'FFN_EXACT_END\n'
  return texts.fold(texts.paragraphs(pieces), 100)
end

--- The pieces of a kernel but for what it shares with others.
local function own_pieces(k)
  return lists.append(lists.append({ k.sizes }, texts_of(k.functions)), { k.tables, k.api })
end

--- Refuses the runtime of another ABI.
local guard = ([[
#if FFN_ABI != %d
#error "made for ABI %d of kernel.h: vendor this folder anew, or use its own kernel.h"
#endif
]]):format(version.abi, version.abi)

--- Text that a macro leaves out, if there is one.
local function unless(macro, code)
  return macro and ('#ifndef %s\n%s#endif\n'):format(macro, code) or code
end

--- A file of a kernel's own; or of its training's.
local function unit(request, about, k, pieces)
  local header = k.unless and 'train_walk.h' or 'kernel.h'
  return M.head(about) .. texts.paragraphs {
    prefixes.text(('#include "%s"\n\n%s'):format(header, guard), request.prefix),
    unless(k.unless, for_machine(request, k, pieces)),
  }
end

--- The functions that some of a kernel's functions call, all the way down, in its order; helpers
--- and those of activations among them. Of what words are made of no more than these say.
---@param k KernelText
---@param functions Function[]
---@return string[]
local function needed(k, functions)
  local inline = lists.filter(k.functions, function(f) return f.inline end)
  local own = helpers.called(lists.append(lists.append({}, k.activations), inline), functions)
  local code = lists.append(texts_of(own), texts_of(functions))
  return lists.append(called.of(texts_of(k.helpers), code), texts_of(own))
end

--- The functions of a kernel as files of at most `most` bytes, in front of which stands the file
--- with its data.
local function cut(root, request, plan, most, size)
  local k = kernel_text(root, plan, naming(request, plan, true, true))
  local stem = prefixes.symbol(plan.name, request.prefix)
  local outlined = lists.filter(k.functions, function(f) return not f.inline end)
  local declarations = table.concat(lists.map(outlined, function(f)
    return f.declaration .. ';\n'
  end))
  local about = { ('A part of %s.c, which says what it computes.'):format(stem) }
  local parts, current = {}, {}
  local function part(functions)
    local pieces = lists.append({ k.sizes, declarations }, needed(k, functions))
    return unit(request, about, k, lists.append(pieces, texts_of(functions)))
  end
  local function close()
    parts[#parts + 1] = { path = ('%s_part%d.c'):format(stem, #parts + 1), text = part(current) }
  end
  for _, f in ipairs(outlined) do
    local longer = lists.append(lists.append({}, current), { f })
    if #current > 0 and size(part(longer)) > most then
      close()
      current = { f }
    else
      current = longer
    end
  end
  close()
  local helper_texts = called.of(texts_of(k.helpers), { k.tables .. k.api })
  table.insert(parts, 1, { path = stem .. '.c', text = unit(request, k.about, k,
    lists.append(helper_texts, { k.sizes, declarations, k.tables, k.api })) })
  return parts
end

--- A kernel as a file of its own, or as several where that is too long.
---@param root string
---@param request VendorRequest
---@param plan Plan
---@param size fun(text: string): integer  the bytes that a text is in the end
---@return table[] files { path =, text = }
function M.files(root, request, plan, size)
  local k = kernel_text(root, plan, alone(request))
  local pieces = lists.append(texts_of(k.helpers), texts_of(k.activations))
  local whole = unit(request, k.about, k, lists.append(pieces, own_pieces(k)))
  if request.max_bytes and size(whole) > request.max_bytes then
    return cut(root, request, plan, request.max_bytes, size)
  end
  return { { path = prefixes.symbol(plan.name, request.prefix) .. '.c', text = whole } }
end

--- The training of a kernel as a file of its own.
---@param root string
---@param request VendorRequest
---@param plan Plan
---@return table file { path =, text = }
function M.training(root, request, plan)
  local k = training.training(root, plan, alone(request))
  local pieces = lists.append(texts_of(k.helpers), texts_of(k.activations))
  return {
    path = prefixes.symbol(plan.name, request.prefix) .. '_train.c',
    text = unit(request, k.about, k, lists.append(pieces, own_pieces(k))),
  }
end

--- What some kernels share, each once; and what their training has besides, which is left out with
--- it.
---@param all KernelText[]
---@param portable boolean  what is the same on every instruction set, or all else
local function shared_pieces(all, portable)
  local seen, pieces = {}, {}
  local function add(k)
    for _, items in ipairs { k.helpers, k.activations } do
      for _, item in ipairs(items) do
        if not seen[item.name] and (item.portable or false) == portable then
          pieces[#pieces + 1] = unless(k.unless, item.text)
        end
        seen[item.name] = true
      end
    end
  end
  for _, k in ipairs(all) do if not k.unless then add(k) end end
  for _, k in ipairs(all) do if k.unless then add(k) end end
  return pieces
end

--- The kernels of one instruction set, with their training.
---@return KernelText[]
local function kernels_of(root, request, plans, long)
  local all = {}
  for _, plan in ipairs(plans) do
    all[#all + 1] = kernel_text(root, plan, naming(request, plan, false, long))
    if plan.training then
      all[#all + 1] = training.training(root, plan, training_naming(request, plan, long))
    end
  end
  return all
end

--- They, and what they share once.
---@param all KernelText[]
local function group_text(request, all)
  local pieces = {}
  for _, k in ipairs(all) do
    pieces[#pieces + 1] = texts.comment(k.about)
    pieces[#pieces + 1] = unless(k.unless, texts.paragraphs(own_pieces(k)))
  end
  return for_machine(request, all[1], lists.append(shared_pieces(all, false), pieces))
end

--- What kernels of all instruction sets share: of formats of weights.
---@param all KernelText[]
---@return string[]
local function portable_text(request, all)
  local pieces = shared_pieces(all, true)
  if #pieces == 0 then return {} end
  return { M.ruler 'weights' .. '\n' .. prefixes.text(('FFN_EXACT_BEGIN\n%s\nFFN_EXACT_END\n')
    :format(texts.paragraphs(pieces)), request.prefix) }
end

--- All kernels as a part of one file, those of an instruction set together.
---@param root string
---@param request VendorRequest
---@param long boolean  their own names begin with the layer's
function M.together(root, request, long)
  local isas = lists.unique(lists.map(request.plans, function(p) return p.isa end))
  local everything, groups = {}, {}
  for i, isa in ipairs(isas) do
    groups[i] = kernels_of(root, request, lists.filter(request.plans, function(p)
      return p.isa == isa
    end), long)
    lists.append(everything, groups[i])
  end
  local parts = portable_text(request, everything)
  for i, isa in ipairs(isas) do
    parts[#parts + 1] = M.ruler(isa.title) .. '\n' .. group_text(request, groups[i])
  end
  return texts.paragraphs(parts)
end

return M
