--- emit: Plan -> C text. One template for all layers and instruction sets; this file gives the
--- template its words.
local template = require 'emit.template'
local vector = require 'emit.vector'
local tile = require 'emit.tile'
local describe = require 'emit.describe'
local name = require 'lower.name'
local version = require 'common.version'

local M = {}

--- 64-bit FNV-1a: ties packed weights to their layer.
function M.layer_hash(text)
  local hash = 0xcbf29ce484222325
  for i = 1, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return ('UINT64_C(0x%016x)'):format(hash)
end

local function number(x)
  local text = ('%.6g'):format(x)
  return text:find('[.e]') and text .. 'f' or text .. '.0f'
end

local products = { none = 'FFN_PRODUCT_NONE', up = 'FFN_PRODUCT_UP', input = 'FFN_PRODUCT_INPUT' }

--- A form of the hot loops: its name, tiles, and what a tile is told: type, name, and its value in
--- the pass.
local function form(fields, parameters)
  local function listed(text)
    local parts = {}
    for i, p in ipairs(parameters) do parts[i] = text(p) end
    return table.concat(parts, ', ')
  end
  fields.parameters = listed(function(p) return p[1] .. p[2] end)
  fields.arguments = listed(function(p) return p[2] end)
  fields.types = listed(function(p) return (p[1]:gsub(' $', '')) end)
  local values = {}
  for i, p in ipairs(parameters) do values[i] = p[3] .. ',' end
  fields.values = tile.wrap(values, 80)
  return fields
end

--- The forms of a stage: all of k, and where the plan says so, a list of the k that are not zero.
local function forms(s)
  local stage, branches = s.stage, #s.stage.branches
  -- A stage of one block knows its k; one of several is told how many, and whether to add.
  local count = stage.blocks > 1 and 'count' or tostring(stage.inputs)
  local all = {
    { 'float *', 'sum', ('task->sum + %d * (c * task->rows + row * cols)'):format(branches) },
    { 'const float *', 'a', ('task->in + block * task->rows + row * %d'):format(s.row_stride) },
    { 'const float *', 'w', s.halves and 'weights + (c - g) % FFN_PANEL' or 'weights' },
  }
  local nonzero = {
    { 'float *', 'sum', 'task->sum' }, { 'const float *', 'a', 'task->in + block * task->rows' },
    { 'const float *', 'w', 'w' }, { 'const uint32_t *', 'list', 'list + first' },
    { 'size_t ', 'count', 'count' },
  }
  if stage.blocks > 1 then
    all[#all + 1] = { 'size_t ', 'count', 'count' }
    all[#all + 1] = { 'int ', 'add', 'block > 0' }
    nonzero[#nonzero + 1] = { 'size_t ', 'block', 'block' }
  end
  if s.fetch then
    all[#all + 1] = { 'const char *', 'next',
      ('ahead + ffn_min(visit, shares - 1) * (%s * %d / shares)'):format(count, 4 * s.step) }
    all[#all + 1] = { 'size_t ', 'advance', ('%d / shares'):format(4 * s.step) }
  end
  local result = { form({
    name = 'sums', tiles = s.tiles, nonzero = false,
    about = 'a w' .. (stage.blocks > 1 and ' over `count` k' or ''),
  }, all) }
  if s.sparse_rows > 0 then
    result[2] = form({
      name = 'nonzero', tiles = s.sparse_tiles, nonzero = true, about = 'a w over the k in `list`',
    }, nonzero)
  end
  return result
end

--- The words of stage.c.tpl for one stage.
local function stage_environment(root, plan, s)
  local isa, stage = plan.isa, s.stage
  local branches = #stage.branches
  local function word(...) return vector.word(isa, ...) end

  local env = tile.words(isa, s)
  env.s, env.stage, env.isa, env.branches = s, stage, isa, branches
  env.blocks = stage.blocks
  env.k_end = stage.blocks > 1 and 'count' or stage.inputs
  env.ruler = ('-'):rep(math.max(4,
    78 - #s.name - #tostring(stage.inputs) - #tostring(stage.outputs)))
  env.forms = forms(s)

  function env.rows_text(t) return t.rows == 1 and 'one row' or ('up to %d rows'):format(t.rows) end

  --- The condition under which a tile takes the next columns; the last takes what is left.
  function env.choice(tiles, i)
    local condition = ''
    if i < #tiles then
      condition = ('if (%sleft >= %d)'):format(
        tiles[i].serves_all and '' or ('task->rows <= %d && '):format(tiles[i].rows),
        tiles[i].cols)
    end
    return (i > 1 and 'else ' or '') .. condition
  end

  function env.block_text(f, t)
    env.form, env.tile = f, t
    return template.load(root, 'block.c.tpl')(env)
  end

  local sums, bias = {}, {}
  for b = 1, branches do
    sums[b] = word('load', b == 1 and 'sum + c' or 'sum + cols + c')
    bias[b] = tile.offset('bias', (b - 1) * s.columns) .. ' + c'
  end
  local lines = { env.value(sums, bias, 'in') }
  local whole = word(s.final and 'storeu' or 'store', 'out', 'value') .. ';'
  if s.tail and isa.lanes > 1 then
    lines[#lines + 1] = ('if (valid - c >= %d)'):format(isa.lanes)
    lines[#lines + 1] = '  ' .. whole
    lines[#lines + 1] = 'else'
    lines[#lines + 1] = ('  %s;'):format(word('store_tail', 'out', 'value', 'valid - c'))
  else
    lines[#lines + 1] = whole
  end
  env.following = not s.final and plan.stages[s.index + 2]
  env.finish = table.concat(lines, '\n')
  env.finish_text = describe.finish(s)
  return env
end

--- The epilogue of vector v of a row of a group of straight-line code, from registers to memory;
--- `above` rows lie above the group's.
local function straight_value(words, s, following, group, above, row, v)
  local isa, stage = words.isa, s.stage
  local column = group.first + v * isa.lanes
  local sums, bias = {}, {}
  for b = 1, #stage.branches do
    sums[b] = words.sum_of(row, (b - 1) * (group.cols // isa.lanes) + v)
    bias[b] = tile.offset('bias', (b - 1) * s.columns + column)
  end
  local valid, out = stage.outputs - column
  if s.final then
    out = tile.offset(above + row > 0 and ('y + %d * y_stride'):format(above + row) or 'y', column)
  else
    out = tile.offset('out', (above + row) * following.row_stride + column)
  end
  local store
  if not s.final then
    store = vector.word(isa, 'store', out, 'value')
  elseif valid >= isa.lanes then
    store = vector.word(isa, 'storeu', out, 'value')
  else
    store = vector.word(isa, 'store_tail', out, 'value', tostring(valid))
  end
  return ('%s\n%s;'):format(words.value(sums, bias,
    tile.offset('in', (above + row) * s.row_stride + column)), store)
end

--- The static inline function of an activation.
local function activation_text(isa, a)
  local arguments = ('const %s x'):format(isa.vec)
  if a.parameter then arguments = ('%s, const %s %s'):format(arguments, isa.vec, a.parameter) end
  return ('/* %s; %s.\n * %s. */\nFFN_INLINE %s act_%s(%s) {\n  %s\n}'):format(a.about,
    describe.contract(a), a.source, isa.vec, a.name, arguments,
    (vector.body(isa, a):gsub('\n', '\n  ')))
end

--- The words that every template has for an instruction set.
local function isa_environment(isa)
  local env = {
    isa = isa,
    upper = string.upper,
    number = number,
    int = function(b) return b and 1 or 0 end,
    word = function(...) return vector.word(isa, ...) end,
    activation_text = function(a) return activation_text(isa, a) end,
    target_begin = '', target_end = '',
  }
  if isa.target ~= '' then
    env.target_begin = ([[
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("TARGET"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("TARGET")
#endif]]):gsub('TARGET', isa.target)
    env.target_end = [[
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif]]
  end
  return env
end

--- The activations that a plan's stages apply, each once.
local function used_activations(plan)
  local used, list = {}, {}
  for _, s in ipairs(plan.stages) do
    local a = s.stage.activation
    if a.name ~= 'identity' and not used[a.name] then
      used[a.name] = true
      list[#list + 1] = a
    end
  end
  return list
end

--- The C text of a plan.
---@param root string the project's folder
---@param plan Plan
---@param naming table|nil remake: the command that makes the file again
---@return string
function M.kernel(root, plan, naming)
  local layer = plan.layer
  local env = isa_environment(plan.isa)
  env.plan, env.layer = plan, layer
  env.remake = naming and naming.remake or 'ffngen generate'
  env.activations = used_activations(plan)
  env.needs_tail = plan.stages[#plan.stages].tail
  env.abi = version.abi
  env.title = name.describe(plan.name)
  env.layer_hash = M.layer_hash(layer.name)
  env.product_enum = function(s) return products[s.stage.product] end
  env.matrix_enums = function(s)
    local list = {}
    for i, branch in ipairs(s.stage.branches) do
      list[i] = 'FFN_MATRIX_' .. branch.matrix:upper()
    end
    return table.concat(list, ', ')
  end
  env.beta_literal = function(s)
    return math.type(s.stage.beta) == 'float' and vector.float_literal(s.stage.beta) or '0.0f'
  end
  env.tuned_text = describe.tuned(plan)
  env.tiles_text = function(s) return describe.tiles(s, plan.isa) end
  env.order_text = function(s) return describe.order(s.stage) end
  env.error_text = function(s) return describe.error(s.stage) end
  env.stage_text = function(s)
    return template.load(root, 'stage.c.tpl')(stage_environment(root, plan, s))
  end
  env.straight = plan.straight
  env.straight_text = ''
  if plan.straight then
    env.words_of = function(s) return tile.words(plan.isa, s) end
    env.straight_value = straight_value
    env.straight_text = template.load(root, 'straight.c.tpl')(env)
  end
  return (template.load(root, 'kernel.c.tpl')(env):gsub('[ \t]+\n', '\n'))
end

--- The C text of a special value: '-inf', 'nan', '0.5'.
local function special_text(value)
  local text = value:gsub('inf', 'INFINITY'):gsub('nan', 'NAN')
  return text:find('^%-?%d+$') and text .. '.0' or text
end

--- Every activation of an instruction set as a function over an array, for the tests.
---@param root string
---@param isa table
---@param list table[] activations
function M.activations(root, isa, list)
  local env = isa_environment(isa)
  env.activations = list
  env.special = special_text
  return (template.load(root, 'activations.c.tpl')(env):gsub('[ \t]+\n', '\n'))
end

return M
