--- The runtime's files as a vendored folder needs them: lists spelled out, what is not needed left
--- out, and no libc where there is none.
local activations = require 'activation'
local called = require 'vendor.called'
local isas = require 'isa'
local list = require 'common.list'
local manifest = require 'emit.manifest'
local meaning = require 'activation.graph.meaning'
local prefixes = require 'common.prefix'
local runtime_files = require 'common.runtime_files'
local text = require 'common.text'
local weights = require 'weights'

local M = {}

---@class Needs
---@field isas table[]        instruction sets, in the order of their enumerators
---@field activations table[] in the order of theirs
---@field dtypes string[]
---@field arch table<string, boolean>  conditions of the instruction sets that kernels are for
---@field sparse boolean      a stage may run over a list of inputs
---@field parameters boolean  a layer takes parameters from its weights
---@field straight boolean    a kernel is straight-line code
---@field walk boolean        a kernel is none
---@field portable boolean   a kernel serves every machine
---@field training boolean   a layer is trained

--- Those of some plans that are trained.
---@param plans Plan[]
---@return Plan[]
function M.trained(plans)
  return list.filter(plans, function(p) return p.training end)
end

--- What the kernels of some plans need of the runtime.
---@param plans Plan[]
---@return Needs
function M.needs(plans)
  local applied, wanted, arch = { activations.by_name.identity }, { c = true }, {}
  local dtypes = { f32 = true } -- the first enumerator, which a query that says nothing means
  local sparse, straight, walk, parameters = false, false, false, false
  for _, p in ipairs(plans) do
    wanted[p.isa.name], arch[p.isa.arch], dtypes[p.layer.dtype] = true, true, true
    local pass = p.passes.forward
    parameters = parameters or #p.layer.runtime_parameters > 0
    straight, walk = straight or pass.straight ~= false, walk or not pass.straight
    for _, s in ipairs(pass.stages) do
      applied[#applied + 1] = s.stage.forward.activation
      sparse = sparse or (s.sparse ~= false and not pass.straight)
    end
  end
  local function by_name(vocabulary, keep)
    return list.map(list.filter(vocabulary.names, function(name) return keep[name] or false end),
      function(name) return vocabulary.by_name[name] end)
  end
  local used = list.set(applied)
  applied = list.filter(list.append(list.map(activations.names, function(name)
    return activations.by_name[name]
  end), applied), function(a) return used[a] or false end)
  return {
    isas = by_name(isas, wanted), activations = list.unique(applied), arch = arch,
    dtypes = list.filter(weights.names, function(format) return dtypes[format] or false end),
    sparse = sparse, parameters = parameters, straight = straight, walk = walk,
    portable = arch[''] or false, training = #M.trained(plans) > 0,
  }
end

--- A row for each item, as the .inc files give them where the runtime is compiled as it is.
local function rows(items, indent, make)
  local lines = {}
  for i, item in ipairs(items) do lines[i] = indent .. make(item) .. '\n' end
  return table.concat(lines)
end

--- A statement in lines of 100 columns; the second and later ones are indented further.
local function statement(indent, code)
  local tokens = {}
  for token in code:gmatch('%S+') do tokens[#tokens + 1] = token end
  return indent .. table.concat(text.lines(tokens, 96 - #indent), '\n    ' .. indent)
end

--- Lines behind the condition of an instruction set.
local function guarded(arch, lines)
  return arch == '' and lines or ('#if %s\n%s#endif\n'):format(arch, lines)
end

--- The names of plans' kernels, grouped by their machines; `make` makes a line of each.
local function kernel_rows(request, plans, make)
  local groups, order = {}, {}
  for _, p in ipairs(plans) do
    local arch = prefixes.text(p.isa.arch, request.prefix)
    if not groups[arch] then
      groups[arch] = {}
      order[#order + 1] = arch
    end
    local group = groups[arch]
    group[#group + 1] = prefixes.symbol(p.name, request.prefix)
  end
  table.sort(order)
  return table.concat(list.map(order, function(arch)
    return guarded(arch, rows(groups[arch], '', make))
  end))
end

--- The lists that the runtime's files spell out, by section.
local function spelled_out(request, needs)
  local PREFIX = request.prefix:upper()
  local function cases(field)
    return function(a)
      return ('  case %s_ACT_%s:\n%s'):format(PREFIX, a.name:upper(),
        statement('    ', 'return ' .. a[field] .. ';'))
    end
  end
  local function allowed(isa)
    local bit = ('isas |= 1u << %s_ISA_%s;\n'):format(PREFIX, isa.name:upper())
    local detect = prefixes.text(isa.detect, request.prefix)
    return guarded(prefixes.text(isa.arch, request.prefix), detect == '1' and '  ' .. bit
      or statement('  ', ('if (%s)'):format(detect)) .. '\n    ' .. bit)
  end
  return {
    isas = rows(needs.isas, '  ', function(isa)
      return ('%s_ISA_%s,'):format(PREFIX, isa.name:upper())
    end),
    dtypes = rows(needs.dtypes, '  ', function(format)
      return ('%s_%s,'):format(PREFIX, format:upper())
    end),
    dtype_names = rows(needs.dtypes, '      ', function(format)
      return ('"%s",'):format(format)
    end),
    isa_names = rows(needs.isas, '      ', function(isa) return ('"%s",'):format(isa.name) end),
    isa_ranks = rows(needs.isas, '      ', function(isa)
      return ('%d,'):format(isa.rank)
    end),
    allowed = table.concat(list.map(needs.isas, allowed)),
    activations = rows(needs.activations, '  ', function(a)
      return ('%s_ACT_%s,'):format(PREFIX, a.name:upper())
    end),
    activation_names = rows(needs.activations, '      ', function(a)
      return ('"%s",'):format(a.name)
    end),
    variants = rows(needs.activations, '  ', function(a)
      return ('%s_%s,\n  %s_%s,'):format(PREFIX, a.name:upper(), PREFIX, a.gated:upper())
    end),
    variant_names = rows(needs.activations, '      ', function(a)
      return ('"%s",\n      "%s",'):format(a.name, a.gated)
    end),
    traced = table.concat(list.map(list.filter(needs.activations, function(a)
      return a.running
    end), function(a)
      return meaning.pairs(meaning.pair_name(a.name), a.result, a.parameters)
    end), '\n'),
    values = rows(needs.activations, '', cases 'meaning'),
    slopes = rows(needs.activations, '', cases 'slope'),
  }
end

--- The arithmetic of the references, with what of it their traced activations call.
local function arithmetic(root, request, traced)
  local function section(name)
    return runtime_files.section(root, 'reference.h', request.prefix, name)
  end
  return section 'arithmetic' .. called.of('\n' .. section 'traced', traced)
end

--- The self-check; where layers are trained, with its part for them.
local function selfcheck_choice(root, request, own, trained)
  local include = own and '#include "ffn_train.h"\n\n' or ''
  local part = trained and include .. runtime_files.chosen(root, 'selfcheck_train.h',
    prefixes.default, { head = false })
  local choice = runtime_files.training_checks(part, request.prefix)
  choice.head, choice.includes = own, own
  return choice
end

--- Which sections of each file a request takes, and what stands in the others. Parts that only a
--- file of its own has, its comment and what it includes, are there where `own` says so.
---@param root string
---@param request Request
---@param own boolean
---@return table<string, table> choice by file
function M.choices(root, request, own)
  local needs = M.needs(request.plans)
  local rows_of = spelled_out(request, needs)
  local x86, arm64 = needs.arch.FFN_ARCH_X86 or false, needs.arch.FFN_ARCH_ARM64 or false
  local alloc = not request.freestanding
  local libc = alloc
  if request.freestanding then
    libc = prefixes.text('#include "freestanding.h"\n', request.prefix)
  end
  return {
    ['ffn.h'] = {
      dtypes = rows_of.dtypes, isas = rows_of.isas, activations = rows_of.activations,
      variants = rows_of.variants,
      dispatch = request.dispatch, alloc = alloc, usage = true, header_only = false,
      layers = false, implementation = false,
    },
    ['kernel.h'] = {
      head = own, foot = own, libc = own and libc, libc_macros = own and alloc, x86 = x86,
      arm64 = arm64, scalar = needs.portable, wide = needs.portable and needs.walk,
      sparse = needs.sparse,
      straight = needs.straight, walk = needs.walk, pack = true,
      parameters = needs.parameters,
    },
    ['freestanding.h'] = { head = own, foot = own },
    ['ffn.c'] = {
      head = own, alloc_system = own and alloc, kernel_h = own, alloc_includes = own and alloc,
      alloc_linux = own and alloc,
      alloc = alloc,
      dtype_names = rows_of.dtype_names, isa_names = rows_of.isa_names,
      variant_names = rows_of.variant_names,
      activation_names = rows_of.activation_names,
    },
    ['registry.c'] = {
      head = false, -- it stands behind ffn.c, in one file
      kernels = own and kernel_rows(request, request.plans, function(kernel)
        return ('extern const %s_kernel %s;'):format(request.prefix, kernel)
      end),
      kernel_list = kernel_rows(request, request.plans, function(kernel)
        return ('    &%s,'):format(kernel)
      end),
      dispatch = request.dispatch, isa_ranks = rows_of.isa_ranks,
    },
    ['cpu.c'] = {
      head = own, x86 = x86, arm64 = arm64, isas = rows_of.allowed,
      system = alloc or not request.dispatch, -- without dispatch it is a part of the self-check
    },
    ['reference.c'] = {
      head = own, includes = own, activation_values = rows_of.values,
      activation_slopes = rows_of.slopes, traced_functions = rows_of.traced,
      arithmetic = arithmetic(root, request, rows_of.traced),
    },
    ['selfcheck.c'] = selfcheck_choice(root, request, own, needs.training),
  }
end

--- The same of the files that go with training.
---@param root string
---@param request Request
---@param own boolean
---@param layers string  the training of this folder's layers, in C
---@return table<string, table> choice by file
function M.training_choices(root, request, own, layers)
  local trained = M.trained(request.plans)
  local function rows_of(line)
    return kernel_rows(request, trained, function(kernel) return line:format(kernel) end)
  end
  local functions, derivatives = manifest.derivatives(M.needs(trained).activations)
  local function named(code) return text.fold(prefixes.text(code, request.prefix), 100) end
  return {
    ['ffn_train.h'] = { head = own, layers = layers, foot = own },
    ['train_walk.h'] = { head = own, foot = own },
    ['dropout.h'] = { head = own, foot = own },
    ['dropout.c'] = { head = false }, -- it stands behind train.c, in one file
    ['train.c'] = {
      head = own,
      trainings = own and rows_of('extern const ' .. request.prefix .. '_training %s_train;'),
      training_list = rows_of '    &%s_train,', layers = layers,
    },
    ['reference_grad.c'] = {
      head = own, includes = own, arithmetic = own and arithmetic(root, request, functions),
      traced_derivatives = named(functions), derivatives = named(derivatives),
    },
  }
end

return M
