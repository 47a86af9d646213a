--- What a kernel's templates are filled with: the words of an instruction set, sizes, tables, and
--- sentences about the plan.
local arithmetics = require 'arithmetic'
local describe = require 'emit.describe'
local descriptions = require 'emit.descriptions'
local english = require 'lower.english'
local expression = require 'lower.expression'
local fnv = require 'common.fnv'
local lists = require 'common.list'
local naming = require 'emit.naming'
local operands = require 'emit.operands'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local template = require 'emit.template'
local texts = require 'common.text'
local vector = require 'emit.vector'
local weight_layout = require 'weights.layout'

local M = {}

--- 64-bit FNV-1a of a name, ffn_name_hash() of kernel.h.
function M.name_hash(name)
  return ('UINT64_C(0x%s)'):format(fnv(name))
end

local function float(x)
  local digits = ('%.6g'):format(x)
  return digits .. (math.type(tonumber(digits)) == 'integer' and '.0f' or 'f')
end

local target_begin = [[
#if defined(__clang__)
%s
]]
local target_end = [[
#if defined(__clang__)
#pragma clang attribute pop
]]
local gcc_begin = [[
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("%s")
]]
local gcc_end = [[
#elif defined(__GNUC__)
#pragma GCC pop_options
]]

--- A pragma of clang in lines of at most 100 columns.
local function target_push(target)
  local lines, line = {}, '#pragma clang attribute push('
  local parts = { ('__attribute__((target("%s"))),'):format(target), ' apply_to = function)' }
  for i, part in ipairs(parts) do
    if #line + #part > (i < #parts and 98 or 100) then -- a mark stands behind what goes on
      lines[#lines + 1], line, part = line, '   ', ' ' .. texts.trimmed(part)
    end
    line = line .. part
  end
  lines[#lines + 1] = line
  return table.concat(lines, ' \\\n')
end

--- What stands around the functions of an instruction set, for compilers.
---@return string begin
---@return string end
local function targets(isa)
  local target = isa.target
  if target == '' then return '', '' end
  local gcc = not isa.in_assembler
  return target_begin:format(target_push(target)) .. (gcc and gcc_begin:format(target) or '')
    .. '#endif\n', target_end .. (gcc and gcc_end or '') .. '#endif\n'
end

--- Prose in lines of so many columns.
local function wrapped(said, columns)
  local parts = {}
  for part in said:gmatch('%S+') do parts[#parts + 1] = part end
  return table.concat(texts.lines(parts, columns or 97), '\n')
end

--- What stands between the marks of a comment.
function M.commented(said) return texts.rejoined(wrapped(said, 94), '\n * ') end

--- What every template has; the words of the instruction set under their own names.
function M.of_isa(isa, prefix)
  local target_begin_of, target_end_of = targets(isa)
  local own = {
    prefix = prefix, PREFIX = prefix:upper(), isa = isa,
    upper = string.upper, number = float,
    int = function(b) return b and 1 or 0 end,
    word = function(...) return vector.word(isa, ...) end,
    target_begin = target_begin_of, target_end = target_end_of,
  }
  return setmetatable(own, { __index = function(_, key)
    if type(key) ~= 'string' or not isa.words[key] then return nil end
    return function(...) return vector.word(isa, key, ...) end
  end })
end

--- The activations that stages apply, each once.
---@param stages StagePlan[]
function M.activations(stages)
  local used = {}
  for _, s in ipairs(stages) do
    for _, result in ipairs(s.stage.results) do
      expression.walk(result.value, function(e)
        if e.op == 'apply' then used[#used + 1] = e.activation end
      end)
    end
  end
  return lists.unique(used)
end

--- The formats that the weights of stages are in, each once.
---@param stages StagePlan[]
---@return WeightFormat[]
function M.formats(stages)
  return lists.unique(lists.map(stages, function(s) return s.stage.stream.format end))
end

--- What templates say about the sizes of a pass.
local function set_sizes(env, pass)
  local NAME = env.NAME
  function env.buffer_name(b) return ('operand%d'):format(b) end
  local form = pass.form.name
  --- What a row has in work memory, by name; the inputs of straight lines have none.
  local function place_name(i)
    if form == 'straight' then return ('%d'):format(pass.places[i]) end
    return env.OWN .. (form == 'compact' and ('HIDDEN%d'):format(i) or env.buffer_name(i):upper())
  end
  --- Names of the bytes that a row has in work memory in front of a place, and of more, added up.
  local function before(place, more)
    local names = {}
    for i = 1, place - 1 do names[i] = place_name(i) end
    names[#names + 1] = more
    return #names > 0 and table.concat(names, ' + ') or '0'
  end
  function env.times(factor) return factor > 1 and ('%d * '):format(factor) or '' end
  env.buffers = {}
  for b, buffer in ipairs(form == 'walk' and pass.buffers or {}) do
    env.buffers[b] = {
      name = env.buffer_name(b):upper(), bytes = buffer.bytes,
      tensors = table.concat(buffer.tensors, ', '),
    }
  end
  env.blocks = lists.map(pass.blocks or {}, function(block)
    local tokens = env.OWN .. block.name:upper()
    return {
      name = block.name, tokens = block.tokens, even = env.times(block.even) .. tokens,
      odd = env.times(block.odd) .. tokens,
    }
  end)
  env.work = record.strict('work', {
    before = before, sum_at = before(#pass.places + 1),
    add_at = before(pass.add.buffer, pass.add.own and form == 'walk' and env.OWN .. 'SUM' or nil),
  })
  local terms = {}
  for i, s in ipairs(pass.stages) do
    terms[i] = ('%d * (uint64_t)%s_INPUTS * %s_OUTPUTS'):format(2 * #s.stage.stream.branches,
      NAME(s), NAME(s))
  end
  local last = pass.stages[#pass.stages]
  local final = last.stage.beside and pass.stages or { last }
  env.counts = record.strict('counts', {
    beside = last.stage.beside,
    flop = table.concat(terms, ' +\n        '),
    outputs = table.concat(lists.map(final, function(s) return NAME(s) .. '_OUTPUTS' end),
      ' +\n        '),
  })
end

--- What templates say about the tables of a plan.
local function set_tables(env, pass)
  function env.bias_text(s)
    return s.stage.stream.bias and env.NAME(s) .. '_BIAS_AT' or '0'
  end
  local laid = #lists.filter(pass.stages, function(s) return s.waits end) > 0 and 'laid_' or ''
  --- Functions that walk a stage: what takes x, and what goes over its columns. Those of walk.h
  --- that go over all rows, or over the columns of each stage.
  env.walking = {
    take = function(s) return operands.take_name(env, s) end,
    columns = function(s) return env.columns_of(s) end,
    over = function(what) return ('%s_walk_%s%s'):format(env.prefix, laid, what) end,
  }
end

--- What templates say of where weights lie.
local function set_layouts(env)
  --- Where the weights of a stage lie in packed weights, for packed.h.
  function env.layout_of(s)
    return ('%s_AT, %s_WIDTH, %s'):format(env.NAME(s), env.NAME(s), env.bias_text(s))
  end
  --- What lies in a group of a bundle, or in one k of it.
  local function text_of(layout)
    local panels, parts = layout.width // weight_layout.lanes, #layout.placed.parts
    local lines = (parts > 1 or #layout.placed.parts[1].lines > 1) and '[line]' or ''
    return lines .. (panels > 1 and '[panel]' or layout.branches > 1 and '[branch]' or '')
      .. '[16]'
  end
  --- The bytes of a bundle, in C.
  local function bundle_of(layout, N)
    local head = layout.head > 0 and N .. '_HEAD + ' or ''
    if layout.group == 1 then return ('%s%s_INPUTS * %s_STEP'):format(head, N, N) end
    return ('%s%s%s_STEP'):format(head, env.times(layout.groups), N)
  end
  --- What a stage's enumerators say of them.
  function env.layout_said(s)
    local layout = s.stage.stream.layout
    return record.strict('layout said', {
      text = text_of(layout), bundle = bundle_of(layout, env.NAME(s)),
      unit = layout.group > 1 and 'a group' or 'one k',
    })
  end
  --- The sizes of a stage that the tiles over its weights in scratch share.
  function env.scratch_sizes(s)
    local sum, list = s.stage.sum, { 'INPUTS', 'ROW' }
    if sum.blocks > 1 then lists.append(list, { 'BLOCK', 'BLOCKS' }) end
    if sum.blocks > 1 and sum.last ~= sum.block then list[#list + 1] = 'LAST' end
    if sum.parts > 1 then list[#list + 1] = 'PART_BLOCKS' end
    if s.stage.operand.format.take then list[#list + 1] = 'BLOCK_BYTES' end
    return list
  end
  --- How far behind the groups of a bundle that lies which holds `k`, in C.
  function env.group_at(s, N, k)
    if s.stage.stream.layout.group == 1 then return ('%s * %s_STEP'):format(k, N) end
    return ('%s / %s_GROUP * %s_STEP'):format(k, N, N)
  end
end

--- A line of a kernel's comment: a label, and what is said under it, in as many lines as it takes.
local function field(label, said)
  return ('%-10s '):format(label) .. texts.rejoined(wrapped(said, 86), '\n' .. (' '):rep(11))
end

--- The environment of a plan's templates.
function M.of_plan(root, plan, names)
  local isa = prefixes.isa(plan.isa, names.prefix)
  local env = M.of_isa(isa, names.prefix)
  local pass, layer = plan.passes.forward, plan.layer
  naming.set(env, names)
  env.layer, env.pass = layer, pass
  env.training, env.task = false, names.prefix .. '_task'
  --- Where a block of weights is decoded: in the place of the list, which is read no more by then.
  env.scratch = '(float *)(void *)task->list'
  env.activation_name = function(a) return ('%sact_%s'):format(names.shared, a.name) end
  env.pair_name = function(a) return env.activation_name(a) .. '_pair' end
  function env.activations_of(s)
    return lists.map(M.activations { s }, s.lockstep and env.pair_name or env.activation_name)
  end
  env.used_templates, env.sums_helpers = {}, {}
  --- The text of a template, of what it takes beside what the kernel has.
  function env.render(file, own)
    local used = env.used_templates
    used[#used + 1] = file
    return template.load(root, 'kernel/' .. file, names.prefix)(own, env)
  end
  set_sizes(env, pass)
  set_tables(env, pass)
  set_layouts(env)
  env.field, env.wrapped, env.commented = field, wrapped, M.commented
  function env.stage_comment(s)
    return M.commented(('%s: %s'):format(s.stage.name, describe.stage(s.stage)))
  end
  env.title, env.remake = english.describe(plan.name, layer.activations), names.remake
  env.symbol = prefixes.symbol(plan.name, names.prefix)
  env.descriptors = descriptions.of_cpus(plan, names.prefix)
  env.described = descriptions.of_stages(env, pass.stages)
  function env.fields(symbol, profile, choices)
    return env.render('descriptor.c.tpl', {
      d = { symbol = symbol, profile = profile, choices = choices },
    })
  end
  env.is_laid = #lists.filter(pass.stages, function(s)
    return s.stage.arithmetic ~= arithmetics.by_name[arithmetics.names[1]]
  end) > 0
  --- What tells the stages of a walk to who runs them by itself, as slices are.
  env.staged = pass.form.name == 'walk' and function()
    return env.render('staged.c.tpl', {
      packing_of = function(s) return env.own .. 'packing_' .. s.stage.stream.format.name end,
      laid = env.is_laid and lists.map(pass.stages, operands.laid),
    })
  end
  --- Of several outputs: how they are run, and what tells those of a descriptor.
  function env.several() return env.render 'outputs.c.tpl' end
  function env.told(d) return env.render('output_list.c.tpl', { d = d }) end
  --- Lines that a macro consists of.
  function env.macro(code) return texts.rejoined(code, ' \\\n') end
  env.packed_hash = M.name_hash(layer.packed)
  env.packed_bytes = pass.packed_bytes
  local cost = ('%d flop per token; %d bytes of packed weights; %d bytes of work memory per '
    .. 'thread%s'):format(layer.flop_per_token, pass.packed_bytes, pass.work.most,
    pass.work.rows > 1 and (', %d for one token'):format(pass.work.row + pass.work.beside) or '')
  env.said = record.strict('said', {
    choices = describe.choices(plan), walk = describe.walk(pass), cost = cost,
    lanes = describe.lanes(pass.lanes), abreast = describe.abreast_stages(pass),
    scratch = pass.form.name == 'walk' and describe.scratch_stages(pass.stages) or '',
    tiles = function(s) return describe.tiles(s, plan.isa, pass) end,
    order = function(s) return describe.order(s.stage) end,
    error = function(s) return describe.error(s.stage) end,
  })
  --- Those of sections, of functions and of what is inside of them; each once.
  function env.template_names()
    local used = lists.map(env.used_templates, function(file) return (file:gsub('%..*', '')) end)
    return table.concat(lists.unique(lists.append({ 'file' }, used)), ', ')
  end
  return env
end

return M
