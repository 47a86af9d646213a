--- emit: Plan -> C text, in sections. One set of templates for all layers and instruction sets;
--- this file gives them their values.
local activation_text = require 'emit.activation'
local compact_functions = require 'emit.compact'
local derivatives = require 'activation.graph.derivatives'
local derive = require 'activation.graph.derive'
local comments = require 'emit.comments'
local environment = require 'emit.environment'
local helpers = require 'emit.helpers'
local lanes_functions = require 'emit.lanes'
local lists = require 'common.list'
local marks = require 'emit.marks'
local packings = require 'emit.packings'
local operands = require 'emit.operands'
local meaning = require 'activation.graph.meaning'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local shapes = require 'emit.shapes'
local stage_functions = require 'emit.stage'
local straight_functions = require 'emit.straight'
local template = require 'emit.template'
local texts = require 'common.text'
local trace = require 'activation.graph.trace'
local version = require 'common.version'

local M = {}

---@class KernelText  a kernel in sections, for one file or as a part of one
---@field about string[]          the lines of its comment
---@field sizes string            enumerators, packed weights, work memory
---@field helpers Helper[]      of its instruction set and its weight format
---@field activations table[]     { name =, text = }
---@field functions Function[]
---@field tables string
---@field api string
---@field arch string             the condition under which a machine has it; '' for any
---@field include string          of its intrinsics; ''
---@field target_begin string
---@field target_end string
---@field unless string|nil      a macro that leaves it out

--- An epilogue of a kernel has one result, and nothing to read but sums and input.
local function no_extra(s)
  if #s.stage.results > 1 then
    error(('stage %s: a kernel writes one result, not %d'):format(s.stage.name, #s.stage.results))
  end
  return {
    memory = '', pointers = '', lines = {}, value = nil, stores = function() return '' end,
  }
end

--- How stages finish: for the next one.
---@return Epilogues
local function epilogues_of(env, pass)
  return record.strict('epilogues', {
    extra = no_extra, said = comments.results,
    next_row = function(s) return env.NAME(pass.stages[s.index + 2]) .. '_ROW' end,
  })
end

local function functions_of(env, pass)
  local form = pass.form
  if form.name == 'compact' then return compact_functions.functions(env, form) end
  local functions = lanes_functions.functions(env, pass.blocks)
  if form.name == 'straight' then
    return lists.append(functions, straight_functions.functions(env, form.forms))
  end
  lists.append(functions, operands.functions(env, pass.stages))
  local epilogues, drafts = epilogues_of(env, pass), {}
  for _, s in ipairs(pass.stages) do
    lists.append(drafts,
      shapes.of_stage(s, stage_functions.drafts(marks.env(env, s), s, epilogues)))
  end
  local settled, name_of = shapes.settle(env, drafts)
  lists.append(functions, settled)
  function env.columns_of(s) return name_of(s, '@_columns') end
  if pass.lanes then functions[#functions + 1] = lanes_functions.rows(env) end
  return functions
end

--- What adds results to what is there.
local function add_row(env)
  local name = env.own .. 'add_row'
  local head = ('void %s(float *y, const float *row, size_t count, float scale)'):format(name)
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('add.c.tpl', { head = head }),
  }
end

--- The functions of activations: of one vector, and of two in lockstep.
local function activations_of(env, pass)
  local function texts_of(kind, name_of, lockstep)
    local stages = lists.filter(pass.stages, function(s) return s.lockstep == lockstep end)
    return lists.map(environment.activations(stages), function(a)
      local name = name_of(a)
      return { name = name, text = activation_text[kind](env.isa, env.prefix, a, name) }
    end)
  end
  return lists.append(texts_of('value', env.activation_name, false),
    texts_of('pair', env.pair_name, true))
end

--- The sections of a kernel.
---@param root string the project's folder
---@param plan Plan
---@param names Naming
---@return KernelText
function M.kernel(root, plan, names)
  local env, pass = environment.of_plan(root, plan, names), plan.passes.forward
  local sizes = env.render 'sizes.c.tpl'
  local functions = lists.append(functions_of(env, pass), { add_row(env) })
  local text_of = {
    sizes = sizes, helpers = lists.append(helpers.of(env, functions), env.sums_helpers),
    activations = activations_of(env, pass), functions = functions,
    tables = env.render 'tables.c.tpl',
    api = env.render('api.c.tpl', { packings = packings.of(env, pass.stages) }),
    arch = env.isa.arch, include = env.isa.include, target_begin = env.target_begin,
    target_end = env.target_end, about = {},
  }
  -- Last: it names every template that was used.
  for line in env.render 'about.tpl':gmatch('([^\n]*)\n') do
    text_of.about[#text_of.about + 1] = line
  end
  return text_of
end

--- Sections as a file of their own.
---@param root string
---@param k KernelText
---@param names Naming
---@param header string  of the runtime, which it includes
---@return string
function M.as_file(root, k, names, header)
  local sections = { k.sizes }
  for _, part in ipairs { k.helpers, k.activations, k.functions } do
    for _, item in ipairs(part) do sections[#sections + 1] = item.text end
  end
  lists.append(sections, { k.tables, k.api })
  return template.load(root, 'kernel/file.c.tpl', names.prefix) {
    k = k, header = header, abi = version.abi, PREFIX = names.prefix:upper(),
    body = texts.fold(table.concat(sections, '\n'), 100),
  }
end

--- A kernel as a file of its own.
---@param root string
---@param plan Plan
---@param names Naming
---@return string
function M.file(root, plan, names)
  return M.as_file(root, M.kernel(root, plan, names), names, 'kernel.h')
end

--- The C text of a special value: '-inf', 'nan', '0.5'.
local function special_text(value)
  local known = { inf = 'INFINITY', ['-inf'] = '-INFINITY', nan = 'NAN' }
  return known[value] or math.type(tonumber(value)) == 'integer' and value .. '.0' or value
end

--- The derivatives of an activation in double, with respect to x, up and each parameter, for those
--- that are written by hand how far they move and are off, and the textbook definition with its
--- derivative, as functions of C: for tests.
local function double_functions(a)
  local parts = {}
  local function add(name, kind, arguments, value)
    parts[#parts + 1] = ('static double %s_%s(double %s, const float *parameters) {\n'
      .. '  (void)%s, (void)parameters;\n  return %s;\n}\n'):format(name, kind,
      table.concat(arguments, ', double '), table.concat(arguments, ', (void)'), value)
    return name .. '_' .. kind
  end
  local tables = { derivative = {}, spread = {}, error = {}, textbook = {} }
  for i = 1, 2 + #a.parameters do
    for _, kind in ipairs { 'derivative', 'spread', 'error' } do tables[kind][i] = 'NULL' end
  end
  for _, d in ipairs(derivatives.of(a)) do
    local name, at = ('%s_by_%s'):format(a.name, d.name), d.index + 1
    if a.running then
      parts[#parts + 1] = meaning.value(name, derive.by(a.differentiated, d.name), a.parameters)
      tables.derivative[at] = name
    else
      tables.derivative[at] = add(name, 'derivative', { 'x', 'up' }, d.value)
    end
    if not a.running and d.spread then
      tables.spread[at] = add(name, 'spread', { 'x', 'dx' }, d.spread)
      tables.error[at] = add(name, 'error', { 'value' }, d.error)
    end
  end
  local of_textbook = a.textbook and trace.shipped(a.textbook[1]).result
  for i, graph in ipairs(of_textbook and { of_textbook, derive.by(of_textbook, 'x') } or {}) do
    tables.textbook[i] = ('textbook_%d_%s'):format(i, a.name)
    parts[#parts + 1] = meaning.value(tables.textbook[i], graph, a.parameters)
  end
  for _, kind in ipairs { 'derivative', 'spread', 'error', 'textbook' } do
    local own = tables[kind]
    parts[#parts + 1] = ('static ffn_test_%s *const %s_%s[] = {%s};\n'):format(
      kind == 'textbook' and 'derivative' or kind, kind, a.name,
      #own > 0 and table.concat(own, ', ') or 'NULL, NULL')
  end
  return table.concat(parts, '\n')
end

--- Every activation of an instruction set as a function over an array, for the tests.
---@param root string
---@param isa table
---@param activations table[]
function M.activations(root, isa, activations)
  local env = environment.of_isa(isa, prefixes.default)
  env.activations, env.special, env.doubles = activations, special_text, double_functions
  env.activation_text = function(a)
    return activation_text.value(isa, prefixes.default, a, 'act_' .. a.name)
  end
  env.gradient_text = function(a)
    return activation_text.gradient(isa, prefixes.default, a, 'act_' .. a.name .. '_gradient')
  end
  function env.arguments(a)
    local list_of = { 'first', a.both and 'second' or nil }
    for i in ipairs(a.parameters) do
      list_of[#list_of + 1] = env.word('splat', ('parameters[%d]'):format(i - 1))
    end
    return table.concat(list_of, ', ')
  end
  env.derivatives_of = derivatives.of
  function env.pointers(a)
    return table.concat(lists.map(derivatives.of(a), function(d) return '&by_' .. d.name end), ', ')
  end
  return template.load(root, 'activations.c.tpl')(env)
end

return M
