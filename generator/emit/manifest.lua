--- The files around the kernels: the enumerators that drive registry and tests.
local arithmetics = require 'arithmetic'
local cpus = require 'cpu'
local decoders = require 'emit.decoders'
local integers = require 'emit.integers'
local isas = require 'isa'
local kinds = require 'kind'
local activations = require 'activation'
local derivatives = require 'activation.graph.derivatives'
local lists = require 'common.list'
local meaning = require 'activation.graph.meaning'
local mixture_text = require 'emit.mixtures'
local name_grammar = require 'lower.name'
local prefixes = require 'common.prefix'
local packing = require 'emit.packing'
local recognition = require 'emit.recognition'
local record = require 'common.record'
local texts = require 'common.text'
local weights = require 'weights'

local M = {}

local made = 'Made by ffngen generate. Do not edit.'

--- The names of a plan's descriptors: that of every CPU, and those of some.
---@param p Plan
---@return string[]
function M.symbols(p)
  return lists.append({ p.name }, lists.map(p.others, function(profile)
    return name_grammar.for_cpu(p.name, profile.name)
  end))
end

local function trainings(p) return { p.name .. '_train' } end

--- A line for each of some symbols, behind the guard of its architecture.
---@param symbols_of fun(p: Plan): string[]
local function symbols_inc(plans, macro, symbols_of)
  local lines = { ('/* %s */'):format(made) }
  for _, isa_name in ipairs(isas.names) do
    local isa, mine = isas.by_name[isa_name], {}
    for _, plan in ipairs(plans) do
      for _, symbol in ipairs(plan.isa == isa and symbols_of(plan) or {}) do
        mine[#mine + 1] = ('%s(%s)'):format(macro, symbol)
      end
    end
    if #mine > 0 then
      if isa.arch ~= '' then lines[#lines + 1] = '#if ' .. isa.arch end
      for _, line in ipairs(mine) do lines[#lines + 1] = line end
      if isa.arch ~= '' then lines[#lines + 1] = '#endif' end
    end
  end
  return table.concat(lines, '\n') .. '\n'
end

--- The names of what tells the several outputs of a plan's kernels; none of one output.
---@param p Plan
---@return string[]
function M.outputs_symbols(p)
  return p.layer.beside and lists.map(M.symbols(p), name_grammar.for_outputs) or {}
end

---@class NamedBatches
---@field name string  of a kernel or a training
---@field rows string  numbers of rows, "0-12 32-34", say

--- Calls that reach all code of some plans' kernels and trainings, by name.
---@param plans Plan[]
---@return NamedBatches[]
function M.batches(plans)
  local list = {}
  local function add(names, ranges)
    local rows = lists.map(ranges, function(range)
      return ('%d-%d'):format(range.first, range.last)
    end)
    for _, name in ipairs(names) do
      list[#list + 1] = record.strict('named batches', {
        name = name, rows = table.concat(rows, ' '),
      })
    end
  end
  for _, p in ipairs(plans) do
    add(M.symbols(p), p.batches)
    if p.training then add(trainings(p), p.training.batches) end
  end
  return list
end

--- kernels.inc: FFN_KERNEL(symbol); and for whoever asks FFN_OUTPUTS(symbol) of several outputs,
--- FFN_BATCHES(name, rows), and FFN_MIXTURE(name, rule in words).
---@param plans Plan[]
---@param mixtures Mixture[]
local function kernels_inc(plans, mixtures)
  local text = symbols_inc(plans, 'FFN_KERNEL', M.symbols)
  local several = lists.filter(plans, function(p) return p.layer.beside end)
  if #several > 0 then
    text = ('%s#ifdef FFN_OUTPUTS\n%s#endif\n'):format(text,
      symbols_inc(several, 'FFN_OUTPUTS', M.outputs_symbols):gsub('^[^\n]*\n', ''))
  end
  text = ('%s#ifdef FFN_BATCHES\n%s#endif\n'):format(text,
    table.concat(lists.map(M.batches(plans), function(b)
      return ('FFN_BATCHES(%s, "%s")\n'):format(b.name, b.rows)
    end)))
  if #mixtures == 0 then return text end
  return ('%s#ifdef FFN_MIXTURE\n%s#endif\n'):format(text,
    table.concat(lists.map(mixtures, function(m)
      return ('FFN_MIXTURE(%s,\n%s)\n'):format(m.name, mixture_text.literals(m))
    end)))
end

--- Rows of what a machine of some architecture allows, if a test says so; others allow it never.
---@param lines string[]
---@param arch string    the condition, in C; '': any
---@param test string    C
---@param row fun(test: string): string
local function add_allowed(lines, arch, test, row)
  local own = row(test)
  lists.append(lines, arch == '' and { own } or { '#if ' .. arch, own, '#else', row '0', '#endif' })
end

--- isas.inc: one row per instruction set, with the test whether this machine allows it.
function M.isas_inc()
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_ISA(NAME, name, rank, allowed): the highest rank is preferred; allowed is an',
    ' * expression of cpu.c. */',
  }
  for _, isa_name in ipairs(isas.names) do
    local isa = isas.by_name[isa_name]
    add_allowed(lines, isa.arch, isa.detect, function(allowed)
      return ('FFN_ISA(%s, %s, %d, %s)'):format(isa_name:upper(), isa_name, isa.rank, allowed)
    end)
  end
  return table.concat(lines, '\n') .. '\n'
end

--- profiles.inc: one row per CPU that kernels have descriptors for, and how it is recognised.
function M.profiles_inc()
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_PROFILE(NAME, name, recognised): recognised is an expression of cpu.c. */',
  }
  for i = 2, #cpus.all do
    local own_name = cpus.all[i].name
    local recognised, arch = recognition.of(cpus.all[i])
    add_allowed(lines, arch, recognised, function(test)
      return texts.fold(('FFN_PROFILE(%s, %s, %s)'):format(own_name:upper(), own_name, test), 100)
    end)
  end
  return table.concat(lines, '\n') .. '\n'
end

--- A row of C for a kind of layer.
---@param kind Kind
---@param form string  of its NAME, name and what a query says of it: square, varies, queried
function M.kind_row(kind, form)
  local function flag(is_so) return is_so and '1' or '0' end
  return (form:gsub('%$(%w+)', {
    NAME = kind.name:upper(), name = kind.name, square = flag(kind.square),
    varies = flag(kind.choices), queried = flag(kind.queried),
  }))
end

--- kinds.inc: one row per kind of layer, and what a query says of it.
function M.kinds_inc()
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_KIND(NAME, name, square, varies, queried): 1 or 0; square: d_out of 0 is d_model;',
    ' * varies: layers differ in their variant; queried: sizes tell them apart */',
  }
  for _, name in ipairs(kinds.names) do
    lines[#lines + 1] = M.kind_row(kinds.by_name[name],
      'FFN_KIND($NAME, $name, $square, $varies, $queried)')
  end
  return table.concat(lines, '\n') .. '\n'
end

--- Those of some formats that have numbers of their own, and are made of floats, too.
---@param names string[]
---@param of_rows boolean  such as have a number of a row
---@return string[]
function M.encoded(names, of_rows)
  return lists.filter(names, function(name)
    local format = weights.by_name[name]
    return format.source and format.pack ~= false and (format.row ~= false) == of_rows
  end)
end

--- formats.inc: one row per format that weights are stored in, and per arithmetic.
function M.formats_inc()
  local lines = {
    ('/* %s'):format(made), ' *',
    ' * FFN_FORMAT(NAME, name), FFN_ARITHMETIC(NAME, name),',
    ' * FFN_SOURCE(NAME, name, ...): the fields of its ffn_block_size,',
    ' * FFN_ENCODER(NAME, name): of those that take floats; FFN_ROW_ENCODER(NAME, name): and a',
    ' * number of a row */',
  }
  local vocabularies = { FFN_FORMAT = weights.names, FFN_ARITHMETIC = arithmetics.names }
  for _, macro in ipairs { 'FFN_FORMAT', 'FFN_ARITHMETIC' } do
    lines[#lines + 1] = '#ifdef ' .. macro
    for _, name in ipairs(vocabularies[macro]) do
      lines[#lines + 1] = ('%s(%s, %s)'):format(macro, name:upper(), name)
    end
    lines[#lines + 1] = '#endif'
  end
  lines[#lines + 1] = '#ifdef FFN_SOURCE'
  for _, name in ipairs(weights.names) do
    local source = weights.by_name[name].source
    if source then
      lines[#lines + 1] = ('FFN_SOURCE(%s, %s, %s)'):format(name:upper(), name,
        packing.block(source))
    end
  end
  for _, macro in ipairs { 'FFN_ENCODER', 'FFN_ROW_ENCODER' } do
    lists.append(lines, { '#endif', '#ifdef ' .. macro })
    for _, name in ipairs(M.encoded(weights.names, macro == 'FFN_ROW_ENCODER')) do
      lines[#lines + 1] = ('%s(%s, %s)'):format(macro, name:upper(), name)
    end
  end
  lines[#lines + 1] = '#endif'
  return table.concat(lines, '\n') .. '\n'
end

--- Those that layers apply, behind the project's.
---@param layers Layer[]
---@return Activation[]
function M.activations(layers)
  local all = lists.map(activations.names, function(name) return activations.by_name[name] end)
  for _, layer in ipairs(layers) do
    for _, stage in ipairs(layer.passes.forward) do
      all[#all + 1] = stage.forward.activation
    end
  end
  return lists.unique(all)
end

--- The functions of traced activations that reference.c includes, one behind the other.
---@param used Activation[]
local function traced(used)
  local functions = {}
  for _, a in ipairs(used) do
    if a.running then
      local own_name = meaning.triple_name(a.name)
      functions[#functions + 1] = meaning.triples(own_name, a.result, a.parameters)
    end
  end
  return table.concat(functions, '\n')
end

--- activations.inc: one row per activation, with its meaning and slope in double.
---@param used Activation[]
function M.activations_inc(used)
  local lines = {
    ('/* %s'):format(made),
    ' *',
    ' * FFN_ACTIVATION(NAME, GATED, name, gated, value, slope): value is the activation of x (and',
    ' * up, and parameters) in double; slope bounds how far it moves where x and up do by at most',
    ' * dx and dup. FFN_TRACED: the functions of those that are traced. */',
    '#ifdef FFN_TRACED',
    traced(used) .. '#endif',
    '#ifdef FFN_ACTIVATION',
  }
  for _, a in ipairs(used) do
    lines[#lines + 1] = ('FFN_ACTIVATION(%s, %s, %s, %s, (%s),\n               (%s))'):format(
      a.name:upper(), a.gated:upper(), a.name, a.gated, a.meaning, a.slope)
  end
  lines[#lines + 1] = '#endif'
  return table.concat(lines, '\n') .. '\n'
end

--- The names of C that activations add, which the runtime's macros put together: enumerators, and
--- functions of those that are traced.
---@param used Activation[]
---@return string
function M.activation_names(used)
  return table.concat(lists.map(used, function(a)
    return ('FFN_ACT_%s FFN_%s FFN_%s %s\n'):format(a.name:upper(), a.name:upper(),
      a.gated:upper(), meaning.triple_name(a.name))
  end))
end

--- The derivatives of activations in double: functions of those that are traced, and rows.
---@param used Activation[]
---@return string functions
---@return string rows
function M.derivatives(used)
  local functions, rows = {}, {}
  for _, a in ipairs(used) do
    for _, d in ipairs(derivatives.of(a)) do
      if d.functions ~= '' then functions[#functions + 1] = d.functions end
      rows[#rows + 1] = ('FFN_DERIVATIVE(%s, %d, (%s),\n  (%s),\n  (%s))\n'):format(a.name:upper(),
        d.index, d.value, d.spread, d.error)
    end
  end
  return table.concat(functions, '\n'), table.concat(rows)
end

--- derivatives.inc: a row for each derivative of an activation, in double.
---@param used Activation[]
local function derivatives_inc(used)
  local functions, rows = M.derivatives(used)
  return table.concat({
    ('/* %s'):format(made),
    ' *',
    ' * FFN_DERIVATIVE(NAME, by, value, spread, error): the derivative of x, up and parameters in',
    ' * double; spread bounds how far it moves where x and up do by at most dx and dup; error is',
    ' * that of the kernels, in 2^-24, beside the value. FFN_TRACED: the functions of those that',
    ' * are traced. */',
    '#ifdef FFN_TRACED',
    functions .. '#endif',
    '#ifdef FFN_DERIVATIVE',
    rows .. '#endif',
  }, '\n') .. '\n'
end

--- decoders.inc: what the formats mean, in C.
---@param root string
function M.decoders_inc(root)
  return ('/* %s */\n'):format(made) .. decoders.of(root, weights.names, prefixes.default)
end

--- integers.inc: what they mean as integers, in C.
---@param root string
function M.integers_inc(root) return integers.integers_inc(root, made) end

--- The files around the kernels, which drive registry and tests.
---@param root string
---@param plans Plan[]
---@param mixtures_of_specs Mixture[]
---@return File[]
function M.files(root, plans, mixtures_of_specs)
  local used = M.activations(lists.map(plans, function(plan) return plan.layer end))
  local stages = {}
  for _, plan in ipairs(plans) do lists.append(stages, plan.layer.passes.forward) end
  local list = {
    { path = 'kernels.inc', text = kernels_inc(plans, mixtures_of_specs) },
    { path = 'activations.inc', text = M.activations_inc(used) },
    { path = 'isas.inc', text = M.isas_inc() },
    { path = 'kinds.inc', text = M.kinds_inc() },
    { path = 'formats.inc', text = M.formats_inc() },
    { path = 'profiles.inc', text = M.profiles_inc() },
    { path = 'decoders.inc', text = M.decoders_inc(root) },
    { path = 'integers.inc', text = M.integers_inc(root) },
    { path = 'activations_f32.inc',
      text = integers.activations_inc(integers.activations(stages), made) },
  }
  local trained = lists.filter(plans, function(p) return p.training end)
  if #trained > 0 then
    list[#list + 1] = { path = 'trainings.inc',
      text = symbols_inc(trained, 'FFN_TRAINING', trainings) }
    list[#list + 1] = { path = 'derivatives.inc', text = derivatives_inc(used) }
  end
  if #mixtures_of_specs > 0 then
    list[#list + 1] = { path = 'moes.h',
      text = mixture_text.header(mixtures_of_specs, ('/* %s\n'):format(made), prefixes.default) }
  end
  return list
end

--- Whether a file was made by an earlier run: a file that only has such a name is its owner's.
---@param entry string  its name
---@param text string
---@return boolean
function M.is_ours(entry, text)
  local kernel = entry:match('^(.*)%.c$')
  if not kernel then return text:match('^%S+ Made by ffngen generate') ~= nil end
  return text:find('\n * ' .. kernel .. '\n', 1, true) ~= nil
    and text:find('ffngen generate', 1, true) ~= nil
end

return M
