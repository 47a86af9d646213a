--- The functions of a layer that is straight-line code.
local epilogue = require 'emit.epilogue'
local list = require 'common.list'
local tile_text = require 'emit.tile'

local M = {}

--- The statements that finish one vector of a row of a group; `above` rows lie above the group's.
local function value(env, t, use, following, above, row, v)
  local s, group, word, isa = use.s, use.tile, env.word, env.isa
  local stage, count = s.stage, use.tile.cols // env.isa.lanes
  local column, lines = group.first + v * isa.lanes, {}
  local function sum(b) return t.sum(row, (b - 1) * count + v, 0) end
  for b = 1, #stage.stream.branches do
    local bias = stage.stream.bias and tile_text.plus(
      ('packed->%s_bias[%d]'):format(stage.name, b - 1), { { column, '' } })
    list.append(lines, epilogue.finish(stage, word, sum(b), bias))
  end
  local at = above + row
  local result = epilogue.text(stage.results[1].value, word, {
    sum = sum, beta = 'beta', activation = env.activation_name,
    operand = word('load', tile_text.plus('in', { { at, t.N .. '_ROW' }, { column, '' } })),
  })
  local valid = stage.outputs - column
  local store = 'store'
  local out = tile_text.plus('out', { { at, following and env.NAME(following) .. '_ROW' },
    { column, '' } })
  if s.final then
    out = tile_text.plus('y', { { at, 'call->y_stride' }, { column, '' } })
    store = valid >= isa.lanes and 'storeu' or 'store_tail'
  end
  if result ~= sum(1) then
    lines[#lines + 1] = ('%s = %s;'):format(sum(1), result)
  end
  lines[#lines + 1] = word(store, out, sum(1), ('%d'):format(valid)) .. ';'
  return table.concat(lines, '\n')
end

--- A form: its name, and its environment.
local function form_function(env, form)
  local name = env.own .. (form.rows == 1 and 'one_row' or ('rows_of_%d'):format(form.rows))
  local head = ('void %s(const %s_call *call, float *memory, size_t token)'):format(name,
    env.prefix)
  local first = form.stages[1].plan.stage
  local t = setmetatable({
    form = form, head = head,
    uses_memory = #form.stages > 1 or form.rows > 1 or epilogue.needs_operand(first),
  }, { __index = env })
  --- Turns to the next stage.
  function t.enter(part)
    local s = part.plan
    local stage = s.stage
    local following = form.stages[s.index + 2]
    t.s, t.N, t.format, t.branches = s, env.NAME(s), stage.stream.format, #stage.stream.branches
    t.tensor, t.out_tensor = stage.operand.tensor, stage.results[1].tensor
    -- A single row is read where it is; several, and one that is read as vectors, are copied.
    t.copies = form.rows > 1 or epilogue.needs_operand(stage)
    t.beta = epilogue.beta_text(stage, env.word, env.prefix, 'call->packed')
    function t.group_text(group, above)
      local use = { s = s, tile = group, first = group.first, guards = false, fetch = '',
        advances = false, k_end = t.N .. '_INPUTS', unrolled = true }
      local g = tile_text.environment(t, use)
      g.input = tile_text.plus('in', { { above, t.N .. '_ROW' } })
      function g.value(row, v)
        return value(env, g, use, following and following.plan, above, row, v)
      end
      return g.loop 'group'
    end
  end
  return {
    name = name, inline = false, declaration = head, uses = env.activations_of(nil),
    text = env.render('straight.c.tpl', t),
  }
end

---@param env table
---@param forms Form[]
---@return Function[]
function M.functions(env, forms)
  local functions = list.map(forms, function(form) return form_function(env, form) end)
  local name = env.own .. 'straight_rows'
  local head = ('void %s(const %s_call *call, float *memory, size_t first, size_t last)'):format(
    name, env.prefix)
  functions[#functions + 1] = {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('straight_rows.c.tpl',
      setmetatable({ forms = forms, head = head }, { __index = env })),
  }
  return functions
end

return M
