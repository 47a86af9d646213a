--- What an arithmetic says of sums, as C: its hooks, in the words of an instruction set. Each is a
--- few expressions, of variables that templates name.
local arithmetics = require 'arithmetic'
local gaps = require 'emit.gaps'
local lists = require 'common.list'
local record = require 'common.record'
local vector = require 'emit.vector'

local M = {}

--- The word that reads its last argument from memory.
local function reading(word) return word .. '_at' end

--- A builder gets an arithmetic's own words, or those that read from memory where there are such,
--- and are meant, or are all that there is.
local function add_words(v, arithmetic, words, reads)
  for _, word in ipairs(record.sorted_keys(arithmetic.words)) do
    local is_reading = words[reading(word)] and (reads or not words[word])
    v.add_word(word, arithmetic.words[word], is_reading and reading(word))
  end
  return v
end

--- A builder of expressions that has them.
---@param reads boolean|nil  the operand is read from memory
local function builder(isa, arithmetic, reads)
  return add_words(vector.builder(isa, nil, true), arithmetic, isa.words, reads)
end

--- Whether the products of a tile read the operand from memory: a number of the operand serves a
--- single vector of outputs there, or a lane of a register serves all.
---@param isa table
---@param stage Stage
---@param tile Tile
function M.reads(isa, stage, tile)
  if stage.arithmetic.takes ~= 'bytes' then return false end
  for _, word in ipairs(record.sorted_keys(stage.arithmetic.words)) do
    if isa.words[reading(word)] and (tile.vectors == 1 or not isa.words[word]) then return true end
  end
  return false
end

--- What opens weights of bytes for a stage: a function that gives the statements and the C of those
--- of k i of a step, as products take them.
---@param stage Stage
---@param v Builder
---@return fun(lines: Planes, state: State, i: integer, index: Index): string[], string
function M.opener(stage, v)
  local arithmetic, products = stage.arithmetic, stage.stream.format.products
  add_words(v, arithmetic, {})
  return function(lines, state, i, index)
    local node = arithmetic.opens(v, products.take(v, lines, state, i, index), products)
    return v.take(), node.text or node.code
  end
end

local function text_of(node) return node.text or node.code end

local kinds = { f32 = 'f', int32 = 'i', s8 = 'i' } -- of sums and of planes

---@class SumNames  C names of what a hook reads and sets
---@field sum fun(accumulator: string): string
---@field operand fun(plane: string): string

--- The k of which a stage's products are summed in 16 bits; false: there are none. An instruction
--- set that has such sums begins them with what is not handed to it.
---@param isa table
---@param stage Stage
---@return integer|false
local function narrow_k(isa, stage)
  local arithmetic, format = stage.arithmetic, stage.stream.format
  if not arithmetic.narrow or isa.arguments.nibbles_begin[1] then return false end
  local k = arithmetic.narrow(format.products)
  return k and k % format.step.k == 0 and k
end

--- Accumulators under such names.
---@param isa table
---@param names SumNames
---@param assign fun(name: string, value: string)  what becomes of one that is set
---@return Accumulators
local function accumulators(isa, v, stage, names, assign)
  local kind_of, planes = { narrow = 'i' }, {}
  for _, one in ipairs(stage.arithmetic.held(stage.stream.format)) do
    kind_of[one.name] = kinds[one.type]
  end
  for _, plane in ipairs(stage.operand.format.planes) do planes[plane.name] = kinds[plane.lane] end
  local a = { narrow = narrow_k(isa, stage) ~= false }
  function a.get(name) return v.given(kind_of[name], names.sum(name)) end
  function a.set(name, value) assign(name, text_of(value)) end
  function a.operand(name)
    if not planes[name] then
      error(('arithmetic/%s.lua: its operand has no plane "%s"'):format(stage.arithmetic.name,
        name), 0)
    end
    return v.given(planes[name], names.operand(name))
  end
  return a
end

--- The words of its own that an arithmetic uses for a stage.
---@param isa table
---@param stage Stage
---@param tiles Tile[]
---@return table<string, boolean>
function M.words(isa, stage, tiles)
  local arithmetic, used = stage.arithmetic, {}
  if arithmetic.takes ~= 'bytes' then return used end
  local v, products = builder(isa, arithmetic), stage.stream.format.products
  local names = { sum = function(name) return name end, operand = function(name) return name end }
  local a = accumulators(isa, v, stage, names, function() end)
  local state = {
    scale = v.given('f', 'scale'), least = products.minima and v.given('f', 'least') or nil,
    zero = products.zeros and v.given('i', 'zero') or nil,
    factor = products.factor and v.given('i', 'factor') or nil,
  }
  arithmetic.begin_group(v, a, state, products)
  arithmetic.step(v, a, v.given('i', 'w'), products)
  if a.narrow then arithmetic.end_narrow(v, a) end
  arithmetic.end_group(v, a, state, products)
  if products.factor then arithmetic.end_shared(v, a, state, products) end
  -- Of a word that may read from memory tiles use one form or the other.
  local made, forms = v.words(), lists.map(tiles, function(tile)
    return M.reads(isa, stage, tile)
  end)
  for _, word in ipairs(record.sorted_keys(arithmetic.words)) do
    local at = reading(word)
    if (made[word] or made[at]) and isa.words[at] then
      used[word] = lists.has(forms, false) or nil
      used[at] = lists.has(forms, true) or nil
    else
      used[word] = made[word]
    end
  end
  return used
end

---@class Summing  of a stage
---@field suffix string  of what helpers are called: '' of the rule
---@field zero string    what the sum of a block begins with
---@field joined fun(before: string, sum: string): string
---@field step fun(names: SumNames, weights: string): string  statements
---@field begin_group fun(names: SumNames, state: State): table<string, string>  what each sum of a
--- group begins with
---@field narrow integer|false  k of which products are summed in 16 bits
---@field end_narrow fun(names: SumNames): string  statements behind these
---@field end_group fun(names: SumNames, state: State): string   statements
---@field end_shared fun(names: SumNames, state: State): string  the same

---@param isa table
---@param stage Stage
---@param reads boolean|nil  a step's operand is the C of its address
---@return Summing
function M.of(isa, stage, reads)
  local arithmetic = stage.arithmetic
  local v = builder(isa, arithmetic, reads)
  local kind = arithmetic.takes == 'value' and 'f' or 'i'
  local products = kind == 'i' and stage.stream.format.products
  --- The statements of a hook.
  local function statements(hook, names, ...)
    local lines = {}
    hook(v, accumulators(isa, v, stage, names, function(name, value)
      lines[#lines + 1] = ('%s = %s;'):format(names.sum(name), value)
    end), ...)
    return table.concat(lines, '\n')
  end
  local zero = text_of(arithmetic.begin_block(v))
  local joined = gaps.cut(text_of(arithmetic.end_block(v, v.given('f', gaps.mark 'before'),
    v.given('f', gaps.mark 'sum'))))
  -- A tile has a step for each row and vector, which differ in names alone.
  local fillers = { weights = function(_, weights) return weights end }
  local function gap_of(field)
    return function(name)
      fillers[field .. name] = function(names) return names[field](name) end
      return gaps.mark(field .. name)
    end
  end
  local step = gaps.cut(statements(arithmetic.step,
    { sum = gap_of 'sum', operand = gap_of 'operand' }, v.given(kind, gaps.mark 'weights'),
    products))
  return record.strict('summing', {
    suffix = arithmetic.name == arithmetics.names[1] and '' or '_' .. arithmetic.name,
    zero = zero,
    joined = function(before, sum)
      return gaps.filled(joined, function(key) return key == 'sum' and sum or before end)
    end,
    step = function(names, weights)
      return gaps.filled(step, function(key)
        return fillers[key](names, weights)
      end)
    end,
    begin_group = function(names, state)
      local begins = {}
      arithmetic.begin_group(v, accumulators(isa, v, stage, names, function(name, value)
        begins[name] = value
      end), state, products)
      return begins
    end,
    narrow = narrow_k(isa, stage),
    end_narrow = function(names) return statements(arithmetic.end_narrow, names) end,
    end_group = function(names, state)
      return statements(arithmetic.end_group, names, state, products)
    end,
    end_shared = function(names, state)
      return statements(arithmetic.end_shared, names, state, products)
    end,
  })
end

return M
