--- emit: the training of a Plan -> C text, a file beside the kernel's: run_train() and grad().
local activation_text = require 'emit.activation'
local chunks = require 'emit.chunk'
local comments = require 'emit.comments'
local describe = require 'emit.describe'
local descriptions = require 'emit.descriptions'
local emit = require 'emit.emit'
local environment = require 'emit.environment'
local epilogue = require 'emit.epilogue'
local equations = require 'emit.equations'
local expression = require 'lower.expression'
local gradient_text = require 'emit.gradients'
local helpers = require 'emit.helpers'
local lists = require 'common.list'
local marks = require 'emit.marks'
local numbers = require 'common.number'
local packings = require 'emit.packings'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local shapes = require 'emit.shapes'
local stage_functions = require 'emit.stage'
local texts = require 'common.text'
local tile_functions = require 'emit.tile_functions'
local tile_text = require 'emit.tile'
local training_names = require 'emit.training_names'
local training_tables = require 'emit.training_tables'
local training_tensors = require 'emit.training_tensors'

local M = {}

local pass_names = { 'train', 'grad' }

--- The masks of a pass, in the order of the results that they belong to.
local function masks_of(training)
  return lists.filter(training.passes.train.stages, function(s) return s.stage.kind == 'mask' end)
end

--- What the templates of all passes say.
local function set_names(env, plan)
  local training, forward = plan.training, plan.layer.passes.forward
  env.training, env.packed_bytes = training, training.packed_bytes
  env.pass = { stages = training.panels, form = { name = 'walk' } }
  env.pass_names = pass_names
  env.described = descriptions.of_stages(env, { table.unpack(training.panels, 1, #forward) })
  env.task = env.prefix .. '_slab'
  env.scratch = ('(float *)%s_further(task->sum, %sSCRATCH_AT)'):format(env.prefix, env.OWN)
  function env.stage_line(stage) return equations.of(stage, forward) end
  function env.stage_comment(s)
    local results = lists.map(s.stage.results, function(result) return result.tensor end)
    return env.commented(('%s: %d -> %d, %s'):format(s.stage.name, s.stage.inputs,
      s.stage.outputs, table.concat(results, ', ')))
  end
  local saved = #training.saved == 0 and 'nothing' or table.concat(lists.map(training.saved,
    function(place) return place.tensor end), ', ') .. ('; %d bytes a token'):format(
    training.saved_bytes)
  local cost = ('%d flop per token forward, twice as many back; %d bytes of packed weights; '
    .. '%d bytes of work memory, and %d per thread'):format(plan.layer.flop_per_token,
    training.packed_bytes, training.shared_bytes, training.thread_bytes)
  env.said = record.strict('said', {
    cost = cost, saved = saved, order = env.said.order,
    scratch = describe.scratch_stages(training.panels),
    tiles = function(s) return describe.tiles(s, plan.isa, nil) end,
  })
  env.dropouts = lists.map(masks_of(training), function(s)
    local rate = s.stage.forward.dropout
    return {
      about = s.stage.results[1].tensor, stage = s.stage.of - 1, rate = numbers.float_literal(rate),
      below = ('UINT32_C(%d)'):format(math.floor((1.0 - rate) * 2.0^32)),
      scale = numbers.float_literal(rate < 1 and numbers.to_f32(1 / (1 - rate)) or 0.0),
    }
  end)
  env.buffers, env.blocks = {}, {}
  env.token_stages = lists.filter(training.passes.grad.stages, function(s)
    return s.stage.kind == 'tokens' or s.stage.kind == 'columns'
  end)
  --- The place of a stage's operand over tokens.
  function env.operand(s) return training.passes.grad.places[s.stage.operand.tensor] end
end

--- What the columns of a stage are called by: of one of several outputs behind the first a function
--- that goes on to them.
local function set_columns_names(env)
  function env.columns_name_of(s)
    local goes_on = s.plan and s.stage.beside and not s.stage.of and s.plan.index > 0
    return goes_on and s.stage.name .. '_beside' or s.stage.name
  end
end

--- That function, or none.
local function beside_functions(env, s)
  local name = env.columns_name_of(s)
  if name == s.stage.name then return {} end
  return { shapes.draft { text = env.render('train_output.c.tpl', {
    fn = env.fn(s), beside = env.own .. name,
    before = env.columns_before(s.plan.index + 1),
  }) } }
end

--- The functions of a stage over weights.
local function weights_functions(env, name, s)
  local of = env.training.passes[name].places
  local functions = stage_functions.drafts(env, s.plan, record.strict('epilogues', {
    extra = function(stage_plan, first, row, column)
      return training_tensors.extra(env, env.memory_text(name), of, stage_plan, first, row, column)
    end,
    next_row = function() return env.place_name(of[s.stage.results[1].tensor]) end,
    said = function(stage_plan) return env.stage_line(stage_plan.stage) end,
  }))
  return lists.append(functions, beside_functions(env, s))
end

--- Where a mask's dropout stands in their table.
local function mask_index(training, tensor)
  for i, s in ipairs(masks_of(training)) do
    if s.stage.results[1].tensor == tensor then return i - 1 end
  end
end

--- The statement of a stage that puts in place what is there; '' where it computes. A fold adds to
--- the rows of one before, or not: 0.
local function copy_text(env, s, of, adds)
  local stage, place = s.stage, of[s.stage.results[1].tensor]
  local to, columns = 'memory->' .. env.buffer_name(place.buffer), env.columns_name(s)
  local function call(name, ...)
    return ('%s_%s(task, %s);'):format(env.prefix, name, table.concat({ ... }, ', '))
  end
  if stage.kind == 'fold' then
    local calls = {}
    for i, tensor in ipairs(stage.operand.parts) do
      calls[i] = call('fold_rows', to .. (i > 1 and (' + %d'):format(i - 1) or ''),
        'memory->' .. env.buffer_name(of[tensor].buffer), columns, env.place_name(of[tensor]),
        adds)
    end
    return table.concat(calls, '\n')
  elseif stage.kind == 'mask' then
    return call('take_mask', to, env.own .. 'dropouts', mask_index(env.training, place.tensor),
      columns, env.place_name(place))
  elseif stage.results[1].value.op ~= 'operand' then
    return ''
  end
  local from = 'task->' .. (env.layer.beside and stage.of and 'dy' or stage.operand.tensor)
  local before = stage.of and env.columns_before(stage.of) or ''
  local first = before ~= '' and from .. ' + ' .. before or from
  return call('take_' .. place.kind, to, first, from .. '_stride', columns,
    place.kind == 'blocked' and env.place_name(place) or nil)
end

--- The function of a stage without sums.
local function values_function(env, name, s, adds)
  local stage, of = s.stage, env.training.passes[name].places
  local t = {
    fn = env.fn(s), about = env.commented(comments.task(env.stage_line(stage))),
    copy = copy_text(env, s, of, adds), value = '',
    pointers = '', stores = '', memory = env.memory_text(name),
    parameters = epilogue.parameters(stage, env.word, env.prefix, 'task->header'),
  }
  if t.copy == '' then
    local extra = training_tensors.extra(env, t.memory, of, s, 1, 'row', 'column')
    t.value, t.pointers = table.concat(extra.lines, '\n'), extra.pointers
    t.stores = extra.stores { activation = env.activation_name,
      value = extra.value, sum = function() return '' end }
  end
  return env.render('values.c.tpl', t)
end

--- The functions of a stage over tokens.
local function token_functions(env, name, s, forward)
  local stage, of = s.stage, env.training.passes[name].places
  local functions, operand = {}, of[stage.operand.tensor]
  local gradients = lists.map(gradient_text.fields(stage, forward, 'task->to'), function(field)
    return field.value
  end)
  local fn = env.fn(s)
  local about = env.commented(comments.over_tokens(env.stage_line(stage)))
  local function part_at(p)
    if p == 1 then return '' end
    local blocks = (p - 1) * operand.blocks
    return (' + %s%s_ROW * task->rows'):format(blocks > 1 and blocks .. ' * ' or '', env.NAME(s))
  end
  if stage.kind == 'columns' then
    return { shapes.draft { text = env.render('over_columns.c.tpl', {
      fn = fn, N = env.NAME(s), about = about, gradients = gradients, part_at = part_at,
    }) } }
  end
  local make = parameters.parameter
  local items = {
    make('float *', 'sum'), make('const float *', 'a'), make('const char *', 'w'),
    make('size_t ', 'stride'), make('size_t ', 'count'), make('int ', 'adds'),
  }
  for _, tile in ipairs(s.tiles) do
    local text = tile_text.of(env, {
      s = s, tile = tile, first = 0, guards = tile.rows > 1, tokens = true, k = { ends = 'count' },
      fetching = { from = 'kept' },
    })
    lists.append(functions, tile_functions.pair(env, text, {
      form = 'sums', about = comments.token_tile(tile, env.isa), items = items,
      rows_about = comments.rows(tile, env.isa), shared_about = comments.token_tile(tile, env.isa),
    }))
  end
  functions[#functions + 1] = shapes.draft { text = env.render('over_tokens.c.tpl', {
    fn = fn, N = env.NAME(s), memory = env.memory_text(name), tiles = s.tiles,
    sums = chunks.tile_parameter(items),
    panels = 'memory->' .. env.buffer_name(of[stage.stream.packed].buffer),
    about = about, gradients = gradients, part_at = part_at,
  }) }
  return functions
end

--- Activations that the stages apply, and those whose slopes they take.
local function activations_of(env, training)
  local made, seen = {}, {}
  local function add(a, kind, suffix)
    local own_name = env.activation_name(a) .. suffix
    if not seen[own_name] then
      made[#made + 1] = {
        name = own_name, text = activation_text[kind](env.isa, env.prefix, a, own_name),
      }
    end
    seen[own_name] = true
  end
  for _, name in ipairs(pass_names) do
    for _, s in ipairs(training.passes[name].stages) do
      for _, result in ipairs(s.stage.results) do
        expression.walk(result.value, function(e)
          if e.op == 'apply' then add(e.activation, 'value', '') end
          if e.op == 'slope' then add(e.activation, 'gradient', '_gradient') end
        end)
      end
    end
  end
  return made
end

--- The functions of all stages, in order.
local function functions_of(env, plan)
  local drafts, folds = {}, 0
  for _, name in ipairs(pass_names) do
    for _, s in ipairs(plan.training.passes[name].stages) do
      local functions, values
      local own = marks.env(env, s)
      if s.stage.kind == 'weights' then
        functions = weights_functions(own, name, s)
      elseif lists.has({ 'values', 'fold', 'mask' }, s.stage.kind) then
        functions = { shapes.draft { text = values_function(own, name, s, math.min(folds, 1)) } }
        folds = folds + (s.stage.kind == 'fold' and 1 or 0)
      else
        functions = token_functions(own, name, s, plan.layer.passes.forward)
        values = { ROW = env.operand(s).row }
      end
      lists.append(drafts, shapes.of_stage(s.plan or s, functions, values))
    end
  end
  local settled, name_of = shapes.settle(env, drafts)
  --- The function of a stage's columns.
  function env.columns_of(s)
    local name = env.columns_name_of(s)
    return name == s.stage.name and name_of(s, '@_columns') or env.own .. name .. '_columns'
  end
  return settled
end

--- The sections of a kernel's training; those of a kernel, in the same words.
---@param root string
---@param plan Plan
---@param names Naming
---@return KernelText
function M.training(root, plan, names)
  local env = environment.of_plan(root, plan, names)
  set_names(env, plan)
  training_names.set(env, plan.training, plan.layer.passes.forward, pass_names)
  set_columns_names(env)
  training_tables.set(env, plan.training, plan.layer.passes.forward, pass_names)
  env.packings = packings.of(env, env.pass.stages)
  function env.memory_text(name)
    return ('%s%s_memory *memory = (%s%s_memory *)task->memory;'):format(env.own, name, env.own,
      name)
  end
  local function both(one, other)
    return texts.paragraphs { env.render(one), env.render(other) }
  end
  local sizes = both('sizes.c.tpl', 'train_sizes.c.tpl')
  local functions = functions_of(env, plan)
  local text_of = {
    sizes = sizes, helpers = lists.append(helpers.of(env, functions), env.sums_helpers),
    activations = activations_of(env, plan.training), functions = functions,
    tables = both('tables.c.tpl', 'train_tables.c.tpl'), api = env.render 'train_api.c.tpl',
    arch = env.isa.arch, include = env.isa.include, target_begin = env.target_begin,
    target_end = env.target_end, about = {}, unless = env.prefix:upper() .. '_NO_TRAIN',
  }
  -- Last: it names every template that was used.
  for line in env.render 'train_about.tpl':gmatch('([^\n]*)\n') do
    text_of.about[#text_of.about + 1] = line
  end
  return text_of
end

--- The training of a kernel as a file of its own.
---@param root string
---@param plan Plan
---@param names Naming
---@return string
function M.file(root, plan, names)
  return emit.as_file(root, M.training(root, plan, names), names, 'train_walk.h')
end

return M
