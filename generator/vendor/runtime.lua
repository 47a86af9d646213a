--- The runtime's files as a vendored folder needs them: lists spelled out, what is not needed left
--- out, and no libc where there is none.
local kinds = require 'kind'
local lists = require 'common.list'
local manifest = require 'emit.manifest'
local meaning = require 'activation.graph.meaning'
local needs_of = require 'vendor.needs'
local mixture_text = require 'emit.mixtures'
local packing = require 'emit.packing'
local prefixes = require 'common.prefix'
local recognition = require 'emit.recognition'
local runtime_files = require 'common.runtime_files'
local texts = require 'common.text'
local decoders = require 'emit.decoders'
local integers = require 'emit.integers'
local weights = require 'weights'

local M = {}

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
  return indent .. table.concat(texts.lines(tokens, 96 - #indent), '\n    ' .. indent)
end

--- Lines behind the condition of an instruction set.
local function guarded(arch, lines)
  return arch == '' and lines or ('#if %s\n%s#endif\n'):format(arch, lines)
end

--- The names of plans' kernels, grouped by their machines; `make` makes a line of each.
---@param symbols_of fun(p: Plan): string[]
local function kernel_rows(request, plans, symbols_of, make)
  local groups, order = {}, {}
  for _, p in ipairs(plans) do
    local arch = prefixes.text(p.isa.arch, request.prefix)
    if not groups[arch] then
      groups[arch] = {}
      order[#order + 1] = arch
    end
    local group = groups[arch]
    for _, symbol in ipairs(symbols_of(p)) do
      group[#group + 1] = prefixes.symbol(symbol, request.prefix)
    end
  end
  table.sort(order)
  return table.concat(lists.map(order, function(arch)
    return guarded(arch, rows(groups[arch], '', make))
  end))
end

--- The lists of formats' own numbers, which files may hold.
local function sources_spelled_out(request, needs)
  local PREFIX = request.prefix:upper()
  local own = lists.filter(needs.formats, function(name)
    return weights.by_name[name].source ~= false
  end)
  return {
    list = rows(own, '  ', function(name)
      return ('%s_SOURCE_%s = %s_FORMAT_%s,'):format(PREFIX, name:upper(), PREFIX, name:upper())
    end),
    blocks = rows(own, '', function(name)
      return ('  case %s_SOURCE_%s:\n    return %s_block_of(%s);'):format(PREFIX, name:upper(),
        request.prefix, packing.block(weights.by_name[name].source))
    end),
    told = rows(own, '', function(name)
      local format = weights.by_name[name]
      return ('  case %s_SOURCE_%s: {\n    static const char *const own[] = %s_MATRIX_TOLD(\n'
        .. '        "source", ": the kernel takes %s_SOURCE_%s %s");\n    return own[matrix];\n  }')
        :format(PREFIX, name:upper(), PREFIX, PREFIX, name:upper(),
          format.pack and ('and %s_SOURCE_F32 there'):format(PREFIX) or 'there, and no floats')
    end),
    values = rows(own, '  ', function(name)
      return ('case %s_SOURCE_%s:\n    return (float)%s_decode_%s(block, k);'):format(PREFIX,
        name:upper(), request.prefix, name)
    end),
    shares = rows(manifest.encoded(own, true), '  ', function(name)
      return ('case %s_SOURCE_%s:\n    return %s_row_%s(weights, inputs);'):format(PREFIX,
        name:upper(), request.prefix, name)
    end),
    integers = rows(needs.integers, '  ', function(name)
      return ('case %s_SOURCE_%s:\n    %s_integers_%s(block, number, to);\n    return 1;'):format(
        PREFIX, name:upper(), request.prefix, name)
    end),
    makers = rows(manifest.encoded(own, false), '  ', function(name)
      return ('case %s_SOURCE_%s:\n    %s_encode_%s(weights, block);\n    break;'):format(PREFIX,
        name:upper(), request.prefix, name)
    end) .. rows(manifest.encoded(own, true), '  ', function(name)
      return ('case %s_SOURCE_%s:\n    %s_encode_%s(weights, shared, block);\n    break;'):format(
        PREFIX, name:upper(), request.prefix, name)
    end),
  }
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
  local function kind_rows(indent, form)
    return rows(kinds.names, indent, function(name)
      return manifest.kind_row(kinds.by_name[name], form)
    end)
  end
  local function allowed(isa)
    local bit = ('isas |= 1u << %s_ISA_%s;\n'):format(PREFIX, isa.name:upper())
    local detect = prefixes.text(isa.detect, request.prefix)
    return guarded(prefixes.text(isa.arch, request.prefix), detect == '1' and '  ' .. bit
      or statement('  ', ('if (%s)'):format(detect)) .. '\n    ' .. bit)
  end
  local function recognised(profile)
    local test, arch = recognition.of(profile)
    return guarded(prefixes.text(arch, request.prefix), statement('  ',
      ('if (%s)'):format(prefixes.text(test, request.prefix)))
      .. ('\n    isas |= %s_CPU_BIT(%s_PROFILE_%s);\n'):format(PREFIX, PREFIX,
        profile.name:upper()))
  end
  return {
    sources = sources_spelled_out(request, needs),
    profiles = rows(needs.profiles, '  ', function(profile)
      return ('%s_PROFILE_%s,'):format(PREFIX, profile.name:upper())
    end),
    profile_names = rows(needs.profiles, '      ', function(profile)
      return ('"%s",'):format(profile.name)
    end),
    recognised = table.concat(lists.map(needs.profiles, recognised)),
    isas = rows(needs.isas, '  ', function(isa)
      return ('%s_ISA_%s,'):format(PREFIX, isa.name:upper())
    end),
    kinds = kind_rows('  ', PREFIX .. '_KIND_$NAME,'), kind_names = kind_rows('      ', '"$name",'),
    kinds_asked = kind_rows('      ', '{$square, $varies, $queried},'),
    formats = rows(needs.formats, '  ', function(format)
      return ('%s_FORMAT_%s,'):format(PREFIX, format:upper())
    end),
    format_names = rows(needs.formats, '      ', function(format)
      return ('"%s",'):format(format)
    end),
    arithmetics = rows(needs.arithmetics, '  ', function(arithmetic)
      return ('%s_ARITHMETIC_%s,'):format(PREFIX, arithmetic:upper())
    end),
    arithmetic_names = rows(needs.arithmetics, '      ', function(arithmetic)
      return ('"%s",'):format(arithmetic)
    end),
    isa_names = rows(needs.isas, '      ', function(isa) return ('"%s",'):format(isa.name) end),
    isa_ranks = rows(needs.isas, '      ', function(isa)
      return ('%d,'):format(isa.rank)
    end),
    allowed = table.concat(lists.map(needs.isas, allowed)),
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
    traced = table.concat(lists.map(lists.filter(needs.activations, function(a)
      return a.running
    end), function(a)
      return meaning.triples(meaning.triple_name(a.name), a.result, a.parameters)
    end), '\n'),
    values = rows(needs.activations, '', cases 'meaning'),
    slopes = rows(needs.activations, '', cases 'slope'),
  }
end

--- The second reference, of integers: what is applied to their sums, and how it is called.
local function integers_choice(request, own, needs)
  return {
    head = own,
    activations = integers.functions(needs.applied, request.prefix),
    activation_calls = rows(needs.applied, '  ', function(a)
      return ('case %s_ACT_%s:\n%s\n    break;'):format(request.prefix:upper(), a.name:upper(),
        statement('    ', ('x = %s;'):format(integers.call(a, request.prefix))))
    end),
  }
end

--- The part of the self-check for mixtures of experts, or false.
local function mixtures_check(root, request)
  if #request.mixtures == 0 then return false end
  local prefix = request.prefix
  local include = request.layout ~= 'header'
    and prefixes.text('#include "ffn_moe.h"\n#include "moes.h"\n\n', prefix) or ''
  return include .. runtime_files.chosen(root, runtime_files.moe_check, prefix, {
    head = false,
    mixture_list = rows(request.mixtures, '    ', function(m)
      return ('{&%s_moe_%s,\n%s},'):format(prefix, m.name, mixture_text.literals(m))
    end),
  })
end

--- The self-check; where layers are trained or mixed, with its part for them.
local function selfcheck_choice(root, request, own, needs)
  local include = own and '#include "ffn_train.h"\n\n' or ''
  local part = needs.training and include .. runtime_files.chosen(root, 'selfcheck_train.h',
    prefixes.default, { head = false })
  local choice = runtime_files.further_checks(part, mixtures_check(root, request),
    request.prefix)
  choice.head, choice.blocks = own, needs.blocks
  choice.integers = #needs.integers > 0
  choice.zeros = needs.sparse
  choice.tiles = needs.tiles
  choice.batches = rows(manifest.batches(request.plans), '    ', function(b)
    local name = prefixes.symbol(b.name, request.prefix)
    local gap = #name + #b.rows > 86 and '\n        ' or ' '
    return ('{"%s",%s"%s"},'):format(name, gap, b.rows)
  end)
  return choice
end

local function arithmetic_of_references(root, request, needs)
  return runtime_files.section(root, 'reference.h', request.prefix, 'arithmetic',
    { integers = #needs.integers > 0 })
end

--- What ffn.h says of bounds where all that sums is floats.
local bounds_of_floats = {
  bounds = [[
 *   where the result and the bound are finite. Only FFN_ARITHMETIC_FMA_F32 has a bound so far.
]],
  unbounded = [[
 * only the class of the value is promised. Kernels of another arithmetic than
 * FFN_ARITHMETIC_FMA_F32 have no finite bound.
]],
}

--- What leaves pack() out where nothing but a self-check has a use for it, or false.
local function no_pack(request)
  if not needs_of.without_pack(request) then return false end
  return prefixes.text(request.selfcheck and [[
/* Weights are in the code. The self-check alone packs others. */
#if defined(FFN_NO_MAIN) && !defined(FFN_NO_PACK)
#define FFN_NO_PACK
#endif
]] or [[
/* Weights are in the code. */
#ifndef FFN_NO_PACK
#define FFN_NO_PACK
#endif
]], request.prefix)
end

--- Which sections of each file a request takes, and what stands in the others. Parts that only a
--- file of its own has, its comment and what it includes, are there where `own` says so.
---@param root string
---@param request VendorRequest
---@param own boolean
---@return table<string, table> choice by file
function M.choices(root, request, own)
  local needs = needs_of.of(request.plans)
  local rows_of = spelled_out(request, needs)
  --- Lines of C for what tells several outputs, of its name.
  local function outputs_rows(line)
    return kernel_rows(request, needs_of.several(request.plans), manifest.outputs_symbols,
      function(symbol) return line:format(symbol) end)
  end
  local alloc, has_integers = not request.freestanding, #needs.integers > 0
  local function said_of_bounds(name)
    return has_integers or prefixes.text(bounds_of_floats[name], request.prefix)
  end
  return {
    ['ffn.h'] = {
      source_list = rows_of.sources.list, source_blocks = rows_of.sources.blocks,
      formats = rows_of.formats, arithmetics = rows_of.arithmetics, isas = rows_of.isas,
      profiles = rows_of.profiles, kinds = rows_of.kinds, activations = rows_of.activations,
      variants = rows_of.variants,
      dispatch = request.dispatch, alloc = alloc, usage = true, header_only = false,
      cpu = request.dispatch or request.selfcheck, reference = request.selfcheck,
      layers = false, implementation = false, outputs = needs.outputs, integers = has_integers,
      tiles = needs.tiles,
      bounds = said_of_bounds 'bounds', unbounded = said_of_bounds 'unbounded',
    },
    ['kernel.h'] = {
      head = own, foot = own, arch = true, embedded = no_pack(request),
      leaves_stages = #request.mixtures == 0, -- they run their experts by stages
      libc = alloc or own and prefixes.text('#include "freestanding.h"\n', request.prefix),
    },
    ['freestanding.h'] = { head = own, foot = own },
    ['ffn_file.h'] = { head = own, foot = own }, ['ffn_file.c'] = { head = own },
    ['ffn.c'] = {
      head = own, kernel_h = own, alloc_includes = alloc,
      source_told = rows_of.sources.told,
      format_names = rows_of.format_names, kind_names = rows_of.kind_names,
      arithmetic_names = rows_of.arithmetic_names,
      isa_names = rows_of.isa_names, profile_names = rows_of.profile_names,
      variant_names = rows_of.variant_names, activation_names = rows_of.activation_names,
    },
    ['registry.c'] = {
      head = false, -- it stands behind ffn.c, in one file
      kernels = own and kernel_rows(request, request.plans, manifest.symbols, function(kernel)
        return ('extern const %s_kernel %s;'):format(request.prefix, kernel)
      end),
      kernel_list = kernel_rows(request, request.plans, manifest.symbols, function(kernel)
        return ('    &%s,'):format(kernel)
      end),
      isa_ranks = rows_of.isa_ranks, kinds = rows_of.kinds_asked,
      kernels_with_outputs = own and outputs_rows('extern const ' .. request.prefix
        .. '_outputs %s;'),
      outputs_list = outputs_rows '    &%s,',
    },
    ['cpu.c'] = {
      head = own, isas = rows_of.allowed, profiles = rows_of.recognised,
      tiles = needs.tiles,
      system = alloc or not request.dispatch, -- without dispatch it is a part of the self-check
    },
    ['reference.c'] = {
      head = own, activation_values = rows_of.values,
      activation_slopes = rows_of.slopes, traced_functions = rows_of.traced,
      sources = needs.sources, source_values = rows_of.sources.values,
      source_makers = rows_of.sources.makers, source_shares = rows_of.sources.shares,
      decoders = decoders.of(root, needs.formats, request.prefix),
      arithmetic = arithmetic_of_references(root, request, needs), integers = has_integers,
      integer_decoders = decoders.integers(root, needs.integers, request.prefix),
      integer_sources = rows_of.sources.integers,
    },
    ['reference_s8.c'] = integers_choice(request, own, needs),
    ['selfcheck.c'] = selfcheck_choice(root, request, own, needs),
  }
end

--- The same of the files that go with training.
---@param root string
---@param request VendorRequest
---@param own boolean
---@param layers string  the training of this folder's layers, in C
---@return table<string, table> choice by file
function M.training_choices(root, request, own, layers)
  local trained = needs_of.trained(request.plans)
  local function rows_of(line)
    return kernel_rows(request, trained, function(p) return { p.name } end, function(kernel)
      return line:format(kernel)
    end)
  end
  local functions, derivatives = manifest.derivatives(needs_of.of(trained).activations)
  local function named(code) return texts.fold(prefixes.text(code, request.prefix), 100) end
  return {
    ['ffn_train.h'] = {
      head = own, reference = request.selfcheck, layers = layers, foot = own,
    },
    ['train_walk.h'] = { head = own, foot = own },
    ['dropout.h'] = { head = own, foot = own },
    ['dropout.c'] = { head = false }, -- it stands behind train.c, in one file
    ['train.c'] = {
      head = own,
      trainings = own and rows_of('extern const ' .. request.prefix .. '_training %s_train;'),
      training_list = rows_of '    &%s_train,', layers = layers,
    },
    ['reference_grad.c'] = {
      head = own,
      arithmetic = own and arithmetic_of_references(root, request, needs_of.of(request.plans)),
      traced_derivatives = named(functions), derivatives = named(derivatives),
    },
  }
end

return M
