--- How sums are declared, kept in memory between blocks, and folded: a line for a few of them, by
--- helpers of the instruction set, which a file holds as far as it calls them.
local lists = require 'common.list'
local texts = require 'common.text'

local M = {}

--- Columns of a line inside of a tile's innermost braces.
local columns = 92

--- Vectors that a helper takes at most: its call is a line.
local most = 4

local letters = { 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' }

---@class SumsHelper  a function that a file holds once
---@field name string
---@field text string
---@field always boolean  true: see Helper

--- A function of `count` vectors, a statement for each. Shared: where a kernel is cut into several
--- files, or sums are wide, not every tile that calls it is there.
---@param head string[]       the parameters before the vectors
---@param vectors string      how a vector is declared: 'const VEC %s'
---@param statement fun(letter: string, i: integer): string  i from 0
local function helper(env, name, about, head, vectors, count, statement)
  local declared, body = lists.append({}, head), {}
  for i = 1, count do
    declared[#declared + 1] = vectors:format(letters[i])
    body[i] = ('  %s;\n'):format(statement(letters[i], i - 1))
  end
  for i = 1, #declared - 1 do declared[i] = declared[i] .. ',' end
  return {
    name = name, always = true,
    text = ('/* %s */\n%s_SHARED void %s(\n%s) {\n%s}\n'):format(about, env.PREFIX, name,
      texts.wrap(declared, 97, '    '), table.concat(body)),
  }
end

--- Where the vector behind i others begins.
local function address(env, i)
  return i == 0 and 'kept' or ('kept + %d'):format(i * env.isa.lanes)
end

--- The helpers by what they do: from the count of vectors to a function. `summing` is that of the
--- sums which a helper joins.
local makers = {}

function makers.take(env, name, count, summing, loose)
  return helper(env, name, 'Adds neighbours to what was kept of their sums.',
    { 'const float *kept' }, env.isa.vec .. ' *%s', count, function(letter, i)
      local kept = env.word(loose and 'loadu' or 'load', address(env, i))
      return ('*%s = %s'):format(letter, summing.joined(kept, '*' .. letter))
    end)
end

function makers.keep(env, name, count, _, loose)
  return helper(env, name, 'Keeps sums side by side.', { 'float *kept' },
    'const ' .. env.isa.vec .. ' %s', count, function(letter, i)
      return env.word(loose and 'storeu' or 'store', address(env, i), letter)
    end)
end

function makers.put(env, name, count)
  return helper(env, name, 'Puts sums into an array.', { env.isa.vec .. ' *to' },
    'const ' .. env.isa.vec .. ' %s', count, function(letter, i)
      return ('to[%d] = %s'):format(i, letter)
    end)
end

--- `count` sums and as many that are added to them.
function makers.add(env, name, count, summing)
  local more = {}
  for i = 1, count do more[i] = ('%s *to_%s'):format(env.isa.vec, letters[i]) end
  return helper(env, name, 'Adds sums to others.', more, 'const ' .. env.isa.vec .. ' %s', count,
    function(letter)
      return ('*to_%s = %s'):format(letter, summing.joined('*to_' .. letter, letter))
    end)
end

--- The name of a helper, which the file will hold.
---@param summing Summing|nil  of what it joins
local function called(env, kind, count, summing, loose)
  -- Where any address is as good as another, there is one of both.
  loose = loose and env.word('loadu', 'kept') ~= env.word('load', 'kept')
  local name = ('%s_%s_%d%s_%s%s'):format(env.prefix, kind, count, loose and 'u' or '',
    env.isa.name, summing and summing.suffix or '')
  if not env.sums_helpers[name] then
    env.sums_helpers[name] = makers[kind](env, name, count, summing, loose)
    env.sums_helpers[#env.sums_helpers + 1] = env.sums_helpers[name]
  end
  return name
end

---@class KeptRow  the sums of a row of a tile, and where they are kept between blocks
---@field summing Summing
---@field vectors integer
---@field sum fun(v: integer): string
---@field where fun(v: integer): string  in C
---@field offset (fun(v: integer): integer)|false  behind the first; false: stages differ in it
---@field loose boolean             they may lie anywhere in memory

--- Those of a row that one helper takes: neighbours in memory.
---@param row KeptRow
local function neighbours(env, row, first)
  local count = 1
  while row.offset and count < most and first + count < row.vectors
    and row.offset(first + count) == row.offset(first) + count * env.isa.lanes do
    count = count + 1
  end
  return count
end

--- The statements that take back or keep the sums of a row, a few at a time.
---@param row KeptRow
---@param kind string  'take' or 'keep'
---@param alone fun(address: string, sum: string): string  what a single one takes
local function statements(env, row, kind, alone)
  local lines, first = {}, 0
  while first < row.vectors do
    local count, sums = neighbours(env, row, first), {}
    local where = row.where(first)
    for i = 1, count do sums[i] = (kind == 'take' and '&' or '') .. row.sum(first + i - 1) end
    lines[#lines + 1] = count == 1 and alone(where, row.sum(first)) .. ';'
      or ('%s(%s, %s);'):format(called(env, kind, count, kind == 'take' and row.summing or nil,
        row.loose), where,
        table.concat(sums, ', '))
    first = first + count
  end
  return table.concat(lines, '\n')
end

--- Adds the sums of a row to what is kept of them.
---@param row KeptRow
function M.take(env, row)
  return statements(env, row, 'take', function(where, sum)
    return ('%s = %s'):format(sum,
      row.summing.joined(env.word(row.loose and 'loadu' or 'load', where), sum))
  end)
end

--- Keeps the sums of a row.
---@param row KeptRow
function M.keep(env, row)
  return statements(env, row, 'keep', function(where, sum)
    return env.word(row.loose and 'storeu' or 'store', where, sum)
  end)
end

--- The statements that put sums into an array.
---@param names string[]
function M.put(env, array, names)
  local lines = {}
  for first = 1, #names, most do
    local count, at = math.min(most, #names - first + 1), first - 1
    lines[#lines + 1] = count == 1 and ('%s[%d] = %s;'):format(array, at, names[first])
      or ('%s(%s, %s);'):format(called(env, 'put', count), at > 0
        and ('%s + %d'):format(array, at) or array,
        table.concat(names, ', ', first, first + count - 1))
  end
  return table.concat(lines, '\n')
end

--- The statements that add sums to others, one to one.
---@param summing Summing
---@param into string[]
---@param from string[]
function M.add(env, summing, into, from)
  local lines = {}
  for first = 1, #into, most do
    local last = math.min(first + most, #into + 1) - 1
    lines[#lines + 1] = first == last
      and ('%s = %s;'):format(into[first], summing.joined(into[first], from[first]))
      or ('%s(&%s, %s);'):format(called(env, 'add', last - first + 1, summing),
        table.concat(into, ', &', first, last), table.concat(from, ', ', first, last))
  end
  return texts.fold(table.concat(lines, '\n'), columns)
end

--- The declaration of sums of a block that begins, where C has what they begin with as `zero`.
---@param summing Summing
---@param names string[]
function M.cleared(env, summing, names)
  local zero = env.isa.lanes > 1 and 'zero' or summing.zero
  local parts = texts.closed(lists.map(names, function(name)
    return ('%s = %s'):format(name, zero)
  end), ';')
  parts[1] = env.isa.vec .. ' ' .. parts[1]
  return table.concat(texts.lines(parts, columns - 4), '\n    ')
end

--- The declaration of that vector.
---@param summing Summing
function M.zero(env, summing)
  return env.isa.lanes > 1 and ('const %s zero = %s;'):format(env.isa.vec, summing.zero) or ''
end

return M
