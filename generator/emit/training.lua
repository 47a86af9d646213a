--- emit: the training of a Plan -> C text, a file beside the kernel's: run_train() and grad().
local activation_text = require 'emit.activation'
local describe = require 'emit.describe'
local emit = require 'emit.emit'
local environment = require 'emit.environment'
local epilogue = require 'emit.epilogue'
local expression = require 'lower.expression'
local list = require 'common.list'
local number = require 'common.number'
local places = require 'emit.places'
local stage_functions = require 'emit.stage'
local text = require 'common.text'
local tile_text = require 'emit.tile'

local M = {}

local pass_names = { 'train', 'grad' }

--- The field of ffn_gradients that a branch's gradients go to, in C.
---@param s Stage
local function gradient_fields(s, forward)
  if not s.of then return { 'to->parameters' } end
  local f = forward[s.of]
  return list.map(f.stream.branches, function(branch)
    local field = s.kind == 'tokens' and 'weight' or 'bias'
    if branch.matrix ~= 'chain' then return ('to->%s.%s'):format(branch.matrix, field) end
    return ('to->chain ? to->chain[%d].%s : NULL'):format(s.of - 1, field)
  end)
end

--- The masks of a pass, in the order of the results that they belong to.
local function masks_of(training)
  return list.filter(training.passes.train.stages, function(s) return s.stage.kind == 'mask' end)
end

--- What the templates of all passes say.
local function set_names(env, plan)
  local training, forward = plan.training, plan.layer.passes.forward
  env.training, env.straight, env.compact, env.walks = training, false, false, true
  env.pass = { stages = training.panels }
  env.stages, env.pass_names = training.panels, pass_names
  env.forward_stages = { table.unpack(training.panels, 1, #forward) }
  env.task = env.prefix .. '_slab'
  env.stage_line = describe.results
  function env.stage_text(s)
    return ('%d -> %d, %s'):format(s.stage.inputs, s.stage.outputs, table.concat(
      list.map(s.stage.results, function(result) return result.tensor end), ', '))
  end
  function env.tiles_text(s) return describe.tiles(s, plan.isa, nil) end
  env.saved_text = #training.saved == 0 and 'nothing' or table.concat(list.map(training.saved,
    function(place) return place.tensor end), ', ') .. ('; %d bytes a token'):format(
    4 * training.saved_row)
  env.cost_text = ('%d flop per token forward, twice as many back; %d bytes of packed weights; '
    .. '%d bytes of work memory, and %d per thread'):format(plan.layer.flop_per_token,
    training.packed_bytes, training.shared_bytes, training.thread_bytes)
  env.dropouts = list.map(masks_of(training), function(s)
    local rate = s.stage.forward.dropout
    return {
      about = s.stage.results[1].tensor, stage = s.stage.of - 1, rate = number.float_literal(rate),
      below = ('UINT32_C(%d)'):format(math.floor((1.0 - rate) * 2.0^32)),
      scale = number.float_literal(rate < 1 and number.to_f32(1 / (1 - rate)) or 0.0),
    }
  end)
  function env.tensors(buffer) return table.concat(buffer.tensors, ', ') end
  env.token_stages = list.filter(training.passes.grad.stages, function(s)
    return s.stage.kind == 'tokens' or s.stage.kind == 'columns'
  end)
  --- The place of a stage's operand over tokens.
  function env.operand(s) return training.passes.grad.places[s.stage.operand.tensor] end
end

--- What its tables and interface say.
local function set_tables(env, plan)
  local training, forward = plan.training, plan.layer.passes.forward
  local function at(name, place)
    if not place or not place.buffer then return nil end
    return ('offsetof(%s%s_memory, %s) / sizeof(float)'):format(env.own, name,
      env.buffer_name(place.buffer))
  end
  function env.in_at(name, s)
    return s.stage.sum and at(name, training.passes[name].places[s.stage.operand.tensor]) or '0'
  end
  function env.out_at(name, s)
    return s.stage.kind == 'weights'
      and at(name, training.passes[name].places[s.stage.results[1].tensor]) or 'SIZE_MAX'
  end
  env.back_lengths = {}
  for _, s in ipairs(training.panels) do
    local stage = s.stage
    if stage.of then
      local more = stage.results[1].value.op == 'fma' and 1 or 0
      env.back_lengths[stage.of] = stage.sum.roundings + more
    end
  end
  local bit = {}
  for i, output in ipairs(training.outputs) do bit[output] = 1 << (i - 1) end
  function env.wants(s)
    local bits = 1
    if s.stage.wants then
      bits = 0
      for _, output in ipairs(s.stage.wants) do bits = bits | bit[output] end
    end
    return ('UINT64_C(0x%x)'):format(bits)
  end
  env.wanted = { { condition = 'to->dx', bit = 'UINT64_C(0x1)' } }
  for _, s in ipairs(env.token_stages) do
    local fields = list.map(gradient_fields(s.stage, forward), function(field)
      return (field:gsub('^(.*) %? (.*) : NULL$', '(%1 && %2)'))
    end)
    env.wanted[#env.wanted + 1] = {
      condition = table.concat(fields, ' || '), bit = env.wants(s),
    }
  end
end

--- The functions of a stage over weights.
local function weights_functions(env, name, s)
  local of = env.training.passes[name].places
  local own = setmetatable({
    memory_text = function() return env.memory_text(name) end,
    next_row = function() return ('%d'):format(of[s.stage.results[1].tensor].row) end,
  }, { __index = env })
  own.more = function(stage_plan, first, row, column)
    return places.extra(own, of, stage_plan, first, row, column)
  end
  return stage_functions.functions(own, s.plan)
end

--- Where a mask's dropout stands in their table.
local function mask_index(training, tensor)
  for i, s in ipairs(masks_of(training)) do
    if s.stage.results[1].tensor == tensor then return i - 1 end
  end
end

--- The function of a stage without sums; a fold adds to the rows of one before, or not: 0.
local function values_function(env, name, s, adds)
  local stage, of = s.stage, env.training.passes[name].places
  local own = setmetatable({ memory_text = function() return env.memory_text(name) end },
    { __index = env })
  local t = setmetatable({
    s = s, fn = env.own .. stage.name, about = env.commented(describe.results(stage)),
    copy = '', value = '',
    pointers = '', stores = '', memory = env.memory_text(name),
    parameters = epilogue.parameters(stage, env.word, env.prefix, 'task->packed'),
  }, { __index = env })
  local result = stage.results[1]
  if stage.kind == 'fold' then
    local calls = {}
    for i, tensor in ipairs(stage.operand.parts) do
      local from, at = of[tensor], i > 1 and (' + %d'):format(i - 1) or ''
      calls[i] = ('%s_fold_rows(task, memory->%s%s, memory->%s, %d, %d, %d);'):format(env.prefix,
        env.buffer_name(of[result.tensor].buffer), at, env.buffer_name(from.buffer), stage.inputs,
        from.row, adds)
    end
    t.copy = table.concat(calls, '\n')
  elseif stage.kind == 'mask' then
    local to = of[result.tensor]
    t.copy = ('%s_take_mask(task, memory->%s, %sdropouts, %d, %d, %d);'):format(env.prefix,
      env.buffer_name(to.buffer), env.own, mask_index(env.training, result.tensor), stage.outputs,
      to.row)
  elseif result.value.op == 'operand' then
    local place, from = of[result.tensor], stage.operand.tensor
    t.copy = ('%s_take_%s(task, memory->%s, task->%s, task->%s_stride, %d%s);'):format(env.prefix,
      place.kind, env.buffer_name(place.buffer), from, from, stage.outputs,
      place.kind == 'blocked' and (', %d'):format(place.row) or '')
  else
    local extra = places.extra(own, of, s, 1, 'row', 'column')
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
  local fields = list.map(gradient_fields(stage, forward), function(field)
    return (field:gsub('to%->', 'task->to->'))
  end)
  local own = setmetatable({ fn = env.own .. stage.name }, { __index = env })
  local t = setmetatable({
    s = s, N = env.NAME(s), gradients = fields,
    part_at = function(p)
      if p == 1 then return '' end
      return (' + %d * task->rows'):format((p - 1) * operand.blocks * operand.row)
    end,
  }, { __index = own })
  if stage.kind == 'columns' then return { { text = env.render('over_columns.c.tpl', t) } } end
  local items = { { 'float *', 'sum' }, { 'const float *', 'a' }, { 'const float *', 'w' },
    { 'size_t ', 'stride' }, { 'size_t ', 'count' }, { 'int ', 'adds' } }
  for _, tile in ipairs(s.tiles) do
    local u = tile_text.environment(own, {
      s = s, tile = tile, first = 0, guards = tile.rows > 1, fetch = 'kept', advances = false,
      k_end = 'count', tokens = true,
    })
    u.k_count, u.loop_file = '', 'loop'
    u.about = describe.token_tile(tile, env.isa)
    list.append(functions, stage_functions.tile_pair(own, u, 'sums', tile, items))
  end
  local declared, names = stage_functions.parameters(items)
  t.form, t.tiles = 'sums', s.tiles
  t.dispatch_parameters = declared .. ', const size_t cols, size_t rows'
  function t.sums_arguments() return names end
  functions[#functions + 1] = { text = env.render('dispatch.c.tpl', t) }
  t.memory = env.memory_text(name)
  t.panels = 'memory->' .. env.buffer_name(of[stage.stream.packed].buffer)
  functions[#functions + 1] = { text = env.render('over_tokens.c.tpl', t) }
  return functions
end

--- Activations that the stages apply, and those whose slopes they take.
local function activations_of(env, training)
  local texts, seen = {}, {}
  local function add(a, kind, suffix)
    local own_name = env.activation_name(a) .. suffix
    if not seen[own_name] then
      texts[#texts + 1] = {
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
  return texts
end

--- The functions of all stages, in order.
local function functions_of(env, plan)
  local all, folds = {}, 0
  for _, name in ipairs(pass_names) do
    for _, s in ipairs(plan.training.passes[name].stages) do
      local functions
      if s.stage.kind == 'weights' then
        functions = weights_functions(env, name, s)
      elseif list.has({ 'values', 'fold', 'mask' }, s.stage.kind) then
        functions = { { text = values_function(env, name, s, math.min(folds, 1)) } }
        folds = folds + (s.stage.kind == 'fold' and 1 or 0)
      else
        functions = token_functions(env, name, s, plan.layer.passes.forward)
      end
      list.append(all, functions)
    end
  end
  return all
end

--- What a training takes of its instruction set.
local function helpers_of(isa)
  return list.filter({
    { name = 'isa', text = isa.helpers .. '\n' },
    { name = 'store_tail', text = isa.store_tail .. '\n' },
  }, function(helper) return helper.text ~= '\n' end)
end

--- The sections of a kernel's training; those of a kernel, in the same words.
---@param root string
---@param plan Plan
---@param names Naming
---@return KernelText
function M.training(root, plan, names)
  local env = environment.of_plan(root, plan, names)
  set_names(env, plan)
  set_tables(env, plan)
  function env.memory_text(name)
    return ('%s%s_memory *memory = (%s%s_memory *)task->memory;'):format(env.own, name, env.own,
      name)
  end
  local function both(one, other)
    return text.paragraphs { env.render(one, env), env.render(other, env) }
  end
  local text_of = {
    sizes = both('sizes.c.tpl', 'train_sizes.c.tpl'), helpers = helpers_of(env.isa),
    activations = activations_of(env, plan.training), functions = functions_of(env, plan),
    tables = both('tables.c.tpl', 'train_tables.c.tpl'), api = env.render('train_api.c.tpl', env),
    arch = env.isa.arch, include = env.isa.include, target_begin = env.target_begin,
    target_end = env.target_end, about = {}, unless = env.prefix:upper() .. '_NO_TRAIN',
  }
  -- Last: it names every template that was used.
  for line in env.render('train_about.tpl', env):gmatch('([^\n]*)\n') do
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
