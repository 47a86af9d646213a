--- emit: Plan -> C text. One template for all layers and instruction sets; this file gives the
--- template its words.
local template = require 'template'
local vector = require 'vector'
local describe = require 'describe'
local name = require 'name'
local version = require 'version'

local M = {}

local compiled = {}

--- A template by name, compiled once.
local function load_template(root, file)
  local path = 'templates/' .. file
  if not compiled[file] then
    local handle = assert(io.open(root .. path, 'rb'))
    compiled[file] = template.compile(handle:read('a'), path)
    handle:close()
  end
  return compiled[file]
end

--- 64-bit FNV-1a: ties packed weights to their layer.
local function fnv1a(text)
  local hash = 0xcbf29ce484222325
  for i = 1, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return ('UINT64_C(0x%016x)'):format(hash)
end

--- Joins parts with spaces into lines of at most `columns` characters.
local function wrap(parts, columns)
  local lines, line = {}, ''
  for _, part in ipairs(parts) do
    if line ~= '' and #line + 1 + #part > columns then
      lines[#lines + 1] = line
      line = ''
    end
    line = line == '' and part or line .. ' ' .. part
  end
  lines[#lines + 1] = line
  return table.concat(lines, '\n')
end

local function number(x)
  local text = ('%.6g'):format(x)
  return text:find('[.e]') and text .. 'f' or text .. '.0f'
end

local products = { none = 'FFN_PRODUCT_NONE', up = 'FFN_PRODUCT_UP', input = 'FFN_PRODUCT_INPUT' }

--- The words of stage.c.tpl for one stage.
local function stage_environment(plan, s)
  local isa, stage = plan.isa, s.stage
  local branches = #stage.branches
  local function word(...) return vector.word(isa, ...) end

  local function sum_name(row, v, chain)
    if stage.chains == 1 then return ('s%d_%d'):format(row, v) end
    return ('s%d_%d_%d'):format(row, v, chain)
  end

  --- Where vector v of a tile lies: its branch and its column.
  local function place(tile, v)
    local per_branch = tile.cols // isa.lanes
    return v // per_branch, v % per_branch * isa.lanes
  end

  local function offset(base, amount)
    return amount == 0 and base or ('%s + %d'):format(base, amount)
  end

  local env = {
    s = s, stage = stage, isa = isa, branches = branches,
    blocks = stage.blocks,
    k_end = stage.blocks > 1 and 'count' or stage.inputs,
    ruler = ('-'):rep(math.max(4,
      78 - #s.name - #tostring(stage.inputs) - #tostring(stage.outputs))),
  }

  function env.rows_text(tile)
    return tile.rows == 1 and 'one row' or ('up to %d rows'):format(tile.rows)
  end

  --- The condition under which a tile takes the next columns; the last takes what is left.
  function env.choice(i, tile)
    local condition = ''
    if i < #s.tiles then
      condition = ('if (%sleft >= %d)'):format(
        tile == s.main and '' or ('task->rows <= %d && '):format(tile.rows), tile.cols)
    end
    return (i > 1 and 'else ' or '') .. condition
  end

  -- A stage of one block knows its k; one of several is told how many, and whether to add.
  local parameters = { 'float *sum', 'const float *a', 'const float *w' }
  local arguments, types = { 'sum', 'a', 'w' }, { 'float *', 'const float *', 'const float *' }
  if env.blocks > 1 then
    parameters[4], arguments[4], types[4] = 'size_t count', 'count', 'size_t'
    parameters[5], arguments[5], types[5] = 'int add', 'add', 'int'
  end
  env.block_parameters = table.concat(parameters, ', ')
  env.block_arguments = table.concat(arguments, ', ')
  env.block_types = table.concat(types, ', ')

  --- Declares the sums of a row.
  function env.sums(tile, row)
    local parts = {}
    for v = 0, tile.vectors - 1 do
      for chain = 0, stage.chains - 1 do
        parts[#parts + 1] = ('%s = %s,'):format(sum_name(row, v, chain), word('zero'))
      end
    end
    parts[#parts] = parts[#parts]:gsub(',$', '')
    return (wrap(parts, 88):gsub('\n', '\n  '))
  end

  --- One k, `ahead` of the loop's: every row's activation times every vector of weights, into the
  --- sums of a chain.
  function env.step(tile, chain, ahead)
    local lines, weights = {}, {}
    for v = 0, tile.vectors - 1 do
      local branch, column = place(tile, v)
      local at = ahead * s.step + column // 16 * s.panel_floats + branch * 16 + column % 16
      weights[v + 1] = ('w%d = %s,'):format(v, word('load', offset('w', at)))
    end
    weights[#weights] = weights[#weights]:gsub(',$', ';')
    lines[1] = ('const %s %s'):format(isa.vec, wrap(weights, 80):gsub('\n', '\n  '))
    for row = 0, tile.rows - 1 do
      local parts = {}
      for v = 0, tile.vectors - 1 do
        local sum = sum_name(row, v, chain)
        parts[#parts + 1] = ('%s = %s;'):format(sum, word('fma', 'x', 'w' .. v, sum))
      end
      lines[#lines + 1] = (row > 0 and ('if (rows > %d) '):format(row) or '') .. '{'
      lines[#lines + 1] = ('  const %s x = %s;'):format(isa.vec,
        word('splat', ('a[%s]'):format(offset('k', row * s.in_stride + ahead))))
      lines[#lines + 1] = '  ' .. wrap(parts, 92):gsub('\n', '\n  ')
      lines[#lines + 1] = '}'
    end
    if stage.chains == 1 then return table.concat(lines, '\n') end
    return '{\n  ' .. table.concat(lines, '\n'):gsub('\n', '\n  ') .. '\n}'
  end

  --- A statement for each vector of a row; rows above the first are guarded.
  local function each_vector(tile, row, statement)
    local lines = {}
    for v = 0, tile.vectors - 1 do
      local branch, column = place(tile, v)
      statement(lines, v, offset('sum', (row * branches + branch) * tile.cols + column))
    end
    if row == 0 then return table.concat(lines, '\n') end
    return ('if (rows > %d) {\n  %s\n}'):format(row, table.concat(lines, '\n'):gsub('\n', '\n  '))
  end

  --- Folds the chains of a row's sums.
  function env.fold(tile, row)
    return each_vector(tile, row, function(lines, v)
      local width = stage.chains
      while width > 1 do
        width = width // 2
        for chain = 0, width - 1 do
          local into = sum_name(row, v, chain)
          lines[#lines + 1] = ('%s = %s;'):format(into,
            word('add', into, sum_name(row, v, chain + width)))
        end
      end
    end)
  end

  --- Adds the sums of the blocks before.
  function env.carry(tile, row)
    return each_vector(tile, row, function(lines, v, at)
      local into = sum_name(row, v, 0)
      lines[#lines + 1] = ('%s = %s;'):format(into, word('add', word('load', at), into))
    end)
  end

  function env.keep(tile, row)
    return each_vector(tile, row, function(lines, v, at)
      lines[#lines + 1] = ('%s;'):format(word('store', at, sum_name(row, v, 0)))
    end)
  end

  if stage.beta == 'runtime' then
    env.beta = word('splat', 'ffn_packed_beta(task->packed)')
  elseif stage.beta then
    env.beta = word('splat', vector.float_literal(stage.beta))
  else
    env.beta = ''
  end

  --- The epilogue of one vector of each branch.
  local lines = {}
  for b, branch in ipairs(stage.branches) do
    local value = word('load', b == 1 and 'sum + c' or 'sum + cols + c')
    if stage.bias then
      value = word('add', value, word('load', offset('bias', (b - 1) * s.columns) .. ' + c'))
    end
    lines[b] = ('const %s %s = %s;'):format(isa.vec, branch.name, value)
  end
  local result = stage.branches[1].name
  if stage.activation.name ~= 'identity' then
    result = ('act_%s(%s%s)'):format(stage.activation.name, result, stage.beta and ', beta' or '')
  end
  if stage.product == 'up' then result = word('mul', result, stage.branches[2].name) end
  if stage.product == 'input' then result = word('mul', word('load', 'in + c'), result) end
  local whole = word(s.final and 'storeu' or 'store', 'out + c', 'value') .. ';'
  lines[#lines + 1] = ('const %s value = %s;'):format(isa.vec, result)
  if s.tail and isa.lanes > 1 then
    lines[#lines + 1] = ('if (valid - c >= %d)'):format(isa.lanes)
    lines[#lines + 1] = '  ' .. whole
    lines[#lines + 1] = 'else'
    lines[#lines + 1] = ('  %s;'):format(word('store_tail', 'out + c', 'value', 'valid - c'))
  else
    lines[#lines + 1] = whole
  end
  env.finish = table.concat(lines, '\n')

  local parts = { 'Sums' }
  if stage.bias then parts[#parts + 1] = 'plus bias' end
  if stage.activation.name ~= 'identity' then
    parts[#parts + 1] = 'through ' .. stage.activation.name
  end
  if stage.product == 'up' then parts[#parts + 1] = 'times up' end
  if stage.product == 'input' then parts[#parts + 1] = 'times the input' end
  parts[#parts + 1] = s.final and 'into y.'
    or 'into the next stage\'s input, zero weights beyond the last output.'
  env.finish_text = table.concat(parts, ' ')
  return env
end

--- The static inline function of an activation.
local function activation_text(isa, a)
  local arguments = ('const %s x'):format(isa.vec)
  if a.parameter then arguments = ('%s, const %s %s'):format(arguments, isa.vec, a.parameter) end
  return ('/* %s; %s. */\nFFN_INLINE %s act_%s(%s) {\n  %s\n}'):format(a.about,
    describe.contract(a), isa.vec, a.name, arguments, (vector.body(isa, a):gsub('\n', '\n  ')))
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
---@return string
function M.kernel(root, plan)
  local layer = plan.layer
  local env = isa_environment(plan.isa)
  env.plan, env.layer = plan, layer
  env.activations = used_activations(plan)
  env.needs_tail = plan.stages[#plan.stages].tail
  env.abi = version.abi
  env.title = name.describe(plan.name)
  env.layer_hash = fnv1a(layer.name)
  env.product_enum = function(s) return products[s.stage.product] end
  env.beta_literal = function(s)
    return math.type(s.stage.beta) == 'float' and vector.float_literal(s.stage.beta) or '0.0f'
  end
  env.tiles_text = function(s) return describe.tiles(s, plan.isa) end
  env.order_text = function(s) return describe.order(s.stage) end
  env.error_text = function(s) return describe.error(s.stage) end
  env.stage_text = function(s)
    local words = stage_environment(plan, s)
    words.block_text = function(tile)
      words.tile = tile
      return load_template(root, 'block.c.tpl')(words)
    end
    words.walk_text = function(call)
      words.call = call
      return load_template(root, 'walk.c.tpl')(words)
    end
    return load_template(root, 'stage.c.tpl')(words)
  end
  return (load_template(root, 'kernel.c.tpl')(env):gsub('[ \t]+\n', '\n'))
end

--- Every activation of an instruction set as a function over an array, for the tests.
---@param root string
---@param isa table
---@param list table[] activations
function M.activations(root, isa, list)
  local env = isa_environment(isa)
  env.activations = list
  return (load_template(root, 'activations.c.tpl')(env):gsub('[ \t]+\n', '\n'))
end

return M
